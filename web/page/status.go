package page

import (
	"fmt"
	"math"
	"strings"
	"time"

	"amstel.dev/amstel/web/catalogue"
)

// StatusPath is the page that says how the server fares.
const StatusPath = "/about/status"

// StatusModel is that page. It tells of the server, and of nobody who uses it.
type StatusModel struct {
	Shell
	State   string // ready, starting, behind or stopping
	Ready   bool
	Trouble string        // what is wrong, whether or not it is ready; may be empty
	Known   bool          // it has looked at the primary at all
	Age     time.Duration // of what open pages show
	Waiting time.Duration // how long the oldest work on pages that nobody has open waits
	Marked  int           // rivers with such work

	Position, Lag         int64
	Living, Open, Sockets int
	// Bytes that pages take, and may take: in memory, and in the river DB.
	Memory, MemoryBudget, RiverDB, RiverDBBudget int64
	Version                                      string
	Began, At                                    time.Time // the process; this page
	Jobs                                         []StatusJob
}

// StatusJob is a periodic job.
type StatusJob struct {
	Name   string
	Every  time.Duration
	Last   time.Time // zero: not done yet
	Failed bool
	Late   bool
}

// Well says whether all is well.
func (m StatusModel) Well() bool { return m.Ready && m.Trouble == "" && len(m.ailing(m.Words)) == 0 }

// ailing are the jobs that fail or are late, as people call them.
func (m StatusModel) ailing(words catalogue.Language) []string {
	var names []string
	for _, j := range m.Jobs {
		if j.Failed || j.Late {
			names = append(names, j.called(words))
		}
	}
	return names
}

// Says is all of it in one sentence, or two, as programs are told.
func (m StatusModel) Says() string { return m.saysIn(catalogue.English) }

// says is the same for people.
func (m StatusModel) says() string { return m.saysIn(m.Words) }

func (m StatusModel) saysIn(words catalogue.Language) string {
	age := ageInWords(words, m.Age)
	switch m.State {
	case "stopping":
		return words.StatusStopping()
	case "starting":
		return words.StatusStarting()
	case "behind":
		return words.StatusBehind(age)
	}
	if m.Trouble != "" {
		return words.StatusTrouble(age, m.Trouble)
	}
	if ailing := m.ailing(words); len(ailing) > 0 {
		return words.StatusLate(age, strings.Join(ailing, "; "))
	}
	return words.StatusFine(age)
}

// Others is how old what is kept of pages that nobody has open may be.
func (m StatusModel) Others() time.Duration { return m.Age + m.Waiting }

// others says it in words.
func (m StatusModel) others() string {
	if m.Marked == 0 {
		return m.age()
	}
	return m.Words.StatusClosedHow(ageInWords(m.Words, m.Others()), m.Words.Number(m.Marked), m.Words.Number(m.Living))
}

// age of what open pages show.
func (m StatusModel) age() string {
	if !m.Known {
		return m.Words.StatusUnknown()
	}
	return ageInWords(m.Words, m.Age)
}

// log says where in the change log the node is.
func (m StatusModel) log() string {
	return m.Words.StatusLogHow(m.Words.Number(int(m.Position)), m.Words.StatusChanges(int(m.Lag)))
}

// rivers says how many there are.
func (m StatusModel) rivers() string {
	return m.Words.StatusRiversHow(m.Words.Number(m.Living), m.Words.Number(m.Open), m.Words.StatusPages(m.Sockets))
}

// room says how much of what rivers may take they do.
func (m StatusModel) room() string {
	return m.Words.StatusRoomHow(bytesInWords(m.Words, m.Memory), bytesInWords(m.Words, m.MemoryBudget), bytesInWords(m.Words, m.RiverDB), bytesInWords(m.Words, m.RiverDBBudget))
}

// bytesInWords returns a number of bytes as people read it.
func bytesInWords(words catalogue.Language, n int64) string {
	switch {
	case n < 1<<20:
		return words.StatusKib(fmt.Sprintf("%.0f", math.Ceil(float64(n)/(1<<10))))
	case n < 1<<30:
		return words.StatusMib(fmt.Sprintf("%.0f", float64(n)/(1<<20)))
	}
	return words.StatusGib(fmt.Sprintf("%.1f", float64(n)/(1<<30)))
}

// ageInWords is a length of time as people say it.
func ageInWords(words catalogue.Language, d time.Duration) string {
	switch {
	case d < time.Second:
		return words.StatusInstant()
	case d < 2*time.Minute:
		return words.StatusSeconds(int(d / time.Second))
	case d < 2*time.Hour:
		return words.StatusMinutes(int(d / time.Minute))
	}
	return words.StatusHours(int(d / time.Hour))
}

// What is the job in English, as programs are told.
func (j StatusJob) What() string { return j.called(catalogue.English) }

// called is the job in words.
func (j StatusJob) called(words catalogue.Language) string {
	switch j.Name {
	case "prune":
		return words.StatusJobPrune()
	case "rank":
		return words.StatusJobRank()
	case "work off":
		return words.StatusJobWorkOff()
	case "expire":
		return words.StatusJobExpire()
	case "keep places":
		return words.StatusJobKeepPlaces()
	}
	return j.Name
}

// how it fares.
func (j StatusJob) how(words catalogue.Language) string {
	how := words.StatusEvery(ageInWords(words, j.Every))
	if j.Every < 2*time.Minute && j.Every >= time.Minute {
		how = words.StatusEveryMinute()
	} else if j.Every == time.Hour {
		how = words.StatusEveryHour()
	}
	switch {
	case j.Failed:
		return words.StatusFailed(how)
	case j.Late:
		return words.StatusIsLate(how)
	case j.Last.IsZero():
		return words.StatusNotYet(how)
	}
	return how
}
