package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
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
func (m StatusModel) Well() bool { return m.Ready && m.Trouble == "" && len(m.ailing()) == 0 }

// ailing are the jobs that fail or are late, as people call them.
func (m StatusModel) ailing() []string {
	var names []string
	for _, j := range m.Jobs {
		if j.Failed || j.Late {
			names = append(names, j.What())
		}
	}
	return names
}

// Says is all of it in one sentence, or two.
func (m StatusModel) Says() string {
	switch {
	case m.State == "stopping":
		return "This server is being restarted. Open pages come back by themselves; nothing is lost."
	case m.State == "starting":
		return "This server is starting, and will be there in a moment."
	case m.State == "behind":
		return "Updates are delayed: what pages show is " + ageInWords(m.Age) + " old. Nothing is lost."
	}
	said := "What pages show is " + ageInWords(m.Age) + " old."
	if m.Trouble != "" {
		return said + " But something is wrong here: " + m.Trouble + "."
	}
	if ailing := m.ailing(); len(ailing) > 0 {
		return said + " But not all of the work beside is done in time: " + strings.Join(ailing, "; ") + "."
	}
	return "All is well. " + said
}

// Others is how old what is kept of pages that nobody has open may be.
func (m StatusModel) Others() time.Duration { return m.Age + m.Waiting }

// others says it in words.
func (m StatusModel) others() string {
	if m.Marked == 0 {
		return m.age()
	}
	return ageInWords(m.Others()) + ", in " + count(m.Marked, "page", "pages") + " of " + strconv.Itoa(m.Living) + "; they are brought up to date before they are shown"
}

// age of what open pages show.
func (m StatusModel) age() string {
	if !m.Known {
		return "not known yet"
	}
	return ageInWords(m.Age)
}

// log says where in the change log the node is.
func (m StatusModel) log() string {
	return fmt.Sprintf("at position %d, with %s at the last look", m.Position, count(int(m.Lag), "change", "changes"))
}

// rivers says how many there are.
func (m StatusModel) rivers() string {
	return fmt.Sprintf("%d kept up to date, %d of them open; %s", m.Living, m.Open, count(m.Sockets, "open page", "open pages"))
}

// room says how much of what rivers may take they do.
func (m StatusModel) room() string {
	return fmt.Sprintf("%s of %s of memory, and %s of %s on disk", bytesInWords(m.Memory), bytesInWords(m.MemoryBudget), bytesInWords(m.RiverDB), bytesInWords(m.RiverDBBudget))
}

// bytesInWords returns a number of bytes as people read it.
func bytesInWords(n int64) string {
	switch {
	case n < 1<<20:
		return fmt.Sprintf("%.0f KiB", math.Ceil(float64(n)/(1<<10)))
	case n < 1<<30:
		return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

// ageInWords is a length of time as people say it.
func ageInWords(d time.Duration) string {
	switch {
	case d < time.Second:
		return "less than a second"
	case d < 2*time.Minute:
		return count(int(d/time.Second), "second", "seconds")
	case d < 2*time.Hour:
		return count(int(d/time.Minute), "minute", "minutes")
	}
	return count(int(d/time.Hour), "hour", "hours")
}

// What is the job, in words.
func (j StatusJob) What() string {
	words := map[string]string{
		"prune":       "clearing away what is too old",
		"rank":        "ranking the best of and the most faved",
		"work off":    "cleaning up after accounts that went",
		"expire":      "letting go of pages that nobody reads",
		"keep places": "keeping where people left off",
	}
	if known, is := words[j.Name]; is {
		return known
	}
	return j.Name
}

// How it fares.
func (j StatusJob) how() string {
	how := "every " + ageInWords(j.Every)
	if j.Every < 2*time.Minute && j.Every >= time.Minute {
		how = "every minute"
	} else if j.Every == time.Hour {
		how = "every hour"
	}
	switch {
	case j.Failed:
		how += "; failed, and is tried again"
	case j.Late:
		how += "; late"
	case j.Last.IsZero():
		how += "; not done yet"
	}
	return how
}
