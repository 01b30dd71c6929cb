package page

import (
	"fmt"
	"math"
	"strings"
	"time"

	"amstel.dev/amstel/web/catalogue"
)

// StatusPath is the path of the page about the state of the server.
const StatusPath = "/about/status"

// StatusModel is the content of the status page. It has nothing about any user.
type StatusModel struct {
	Shell
	State   string // ready, starting, behind or stopping
	Ready   bool
	Trouble Trouble       // what is wrong, whether or not the server is ready
	Known   bool          // the server has read the primary at least once
	Age     time.Duration // of what open pages show
	Waiting time.Duration // the age of the oldest mark; marks are work on pages that no socket has open
	Marked  int           // rivers that have marks

	Position, Lag         int64 // in the change log; how many changes the last turn followed
	Living, Open, Sockets int
	// Bytes that rivers use and may use, in memory and in the river DB.
	Memory, MemoryBudget, RiverDB, RiverDBBudget int64
	// Homes built before their readers came, the readers who came and those who did not,
	// and the first visits of homes, of which Hits found a home ready.
	Ahead, AheadHits, AheadMisses, First int64
	Version                              string
	Began, At                            time.Time // of the process; of this page
	Jobs                                 []StatusJob
}

// A Trouble is a fault of a running server. The zero Trouble means that none is known.
type Trouble struct {
	Kind  TroubleKind
	Times int // of [TroubleRiverDBRenewed]: how often, within a minute
}

// A TroubleKind is a kind of [Trouble].
type TroubleKind uint8

// The kinds of trouble; 0 is none.
const (
	TroublePrimary        TroubleKind = iota + 1 // the primary can't be reached
	TroubleTurns                                 // turns of the loop fail
	TroubleRiverDB                               // the river DB can't be written
	TroubleRiverDBRenewed                        // the river DB is started again and again
)

// Clause returns the trouble as a clause in a language; empty for the zero Trouble.
func (t Trouble) Clause(words catalogue.Language) string {
	switch t.Kind {
	case TroublePrimary:
		return words.StatusTroublePrimary()
	case TroubleTurns:
		return words.StatusTroubleTurns()
	case TroubleRiverDB:
		return words.StatusTroubleRiverDb()
	case TroubleRiverDBRenewed:
		return words.StatusTroubleRenewed(t.Times)
	}
	return ""
}

// A StatusJob is a periodic job.
type StatusJob struct {
	Name   string
	Every  time.Duration
	Last   time.Time // zero: not done yet
	Failed bool
	Late   bool
}

// Well reports whether all is well.
func (m StatusModel) Well() bool {
	return m.Ready && m.Trouble == (Trouble{}) && len(m.lateJobs(m.Words)) == 0
}

// lateJobs returns the jobs that failed or are late, in words.
func (m StatusModel) lateJobs(words catalogue.Language) []string {
	var names []string
	for _, j := range m.Jobs {
		if j.Failed || j.Late {
			names = append(names, j.called(words))
		}
	}
	return names
}

// Summary returns the status in a sentence or two of English, for programs.
func (m StatusModel) Summary() string { return m.summaryIn(catalogue.English) }

// summary returns the same in the viewer's language.
func (m StatusModel) summary() string { return m.summaryIn(m.Words) }

func (m StatusModel) summaryIn(words catalogue.Language) string {
	age := ageInWords(words, m.Age)
	switch m.State {
	case "stopping":
		return words.StatusStopping()
	case "starting":
		return words.StatusStarting()
	case "behind":
		return words.StatusBehind(age)
	}
	if m.Trouble != (Trouble{}) {
		return words.StatusTrouble(age, m.Trouble.Clause(words))
	}
	if late := m.lateJobs(words); len(late) > 0 {
		return words.StatusLate(age, strings.Join(late, "; "))
	}
	return words.StatusFine(age)
}

// Others returns the greatest age of the cached pages that no socket has open.
func (m StatusModel) Others() time.Duration { return m.Age + m.Waiting }

// oldestCached returns the age of [StatusModel.Others] in words, with the number of these pages.
func (m StatusModel) oldestCached() string {
	if m.Marked == 0 {
		return m.age()
	}
	return m.Words.StatusClosedHow(ageInWords(m.Words, m.Others()), m.Words.Number(m.Marked), m.Words.Number(m.Living))
}

// age returns the age of open pages in words.
func (m StatusModel) age() string {
	if !m.Known {
		return m.Words.StatusUnknown()
	}
	return ageInWords(m.Words, m.Age)
}

// log returns in words where in the change log the server is.
func (m StatusModel) log() string {
	return m.Words.StatusLogHow(m.Words.Number(int(m.Position)), m.Words.StatusChanges(int(m.Lag)))
}

// rivers returns in words how many rivers and open pages there are.
func (m StatusModel) rivers() string {
	return m.Words.StatusRiversHow(m.Words.Number(m.Living), m.Words.Number(m.Open), m.Words.StatusPages(m.Sockets))
}

// room returns in words how much of their budgets rivers use.
func (m StatusModel) room() string {
	return m.Words.StatusRoomHow(bytesInWords(m.Words, m.Memory), bytesInWords(m.Words, m.MemoryBudget), bytesInWords(m.Words, m.RiverDB), bytesInWords(m.Words, m.RiverDBBudget))
}

// ahead returns in words how many homes were built before their readers came, and how many of the
// readers came.
func (m StatusModel) ahead() string {
	number := func(n int64) string { return m.Words.Number(int(n)) }
	how := m.Words.StatusAheadHow(number(m.Ahead), number(m.AheadHits), number(m.AheadMisses))
	if m.First == 0 {
		return how
	}
	return m.Words.StatusAheadFirst(how, number(m.First), number(m.AheadHits))
}

// bytesInWords returns a number of bytes in words, in a unit that fits.
func bytesInWords(words catalogue.Language, n int64) string {
	switch {
	case n < 1<<20:
		return words.StatusKib(fmt.Sprintf("%.0f", math.Ceil(float64(n)/(1<<10))))
	case n < 1<<30:
		return words.StatusMib(fmt.Sprintf("%.0f", float64(n)/(1<<20)))
	}
	amount := fmt.Sprintf("%.1f", float64(n)/(1<<30))
	if words == catalogue.Russian {
		amount = strings.Replace(amount, ".", ",", 1)
	}
	return words.StatusGib(amount)
}

// ageInWords returns a duration in words, rounded down to one unit.
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

// What returns the work of the job in English, for programs.
func (j StatusJob) What() string { return j.called(catalogue.English) }

// called returns what the job does in words; a job without words has its name.
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
	case "save left-off":
		return words.StatusJobSaveLeftOff()
	case "save quotas":
		return words.StatusJobSaveQuotas()
	case "save visits":
		return words.StatusJobSaveVisits()
	case "sweep files":
		return words.StatusJobSweep()
	}
	return j.Name
}

// how returns in words how often the job runs, and whether it failed or is late.
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
