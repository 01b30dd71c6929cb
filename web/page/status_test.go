package page

import (
	"strings"
	"testing"
	"time"
)

// sampleStatus is a server that fares well.
func sampleStatus(shell Shell) StatusModel {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	return StatusModel{
		Shell: shell, State: "ready", Ready: true, Known: true, Age: 240 * time.Millisecond, Waiting: 4 * time.Second, Marked: 3,
		Position: 4711, Lag: 1, Living: 120, Open: 14, Sockets: 20, Memory: 300 << 20, MemoryBudget: 2 << 30, RiverDB: 500 << 10, RiverDBBudget: 4 << 30, Version: "v1.2", Began: at.Add(-30 * time.Hour), At: at,
		Jobs: []StatusJob{
			{Name: "prune", Every: time.Hour, Last: at.Add(-20 * time.Minute)},
			{Name: "rank", Every: 5 * time.Minute},
		},
	}
}

func TestStatusSays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(*StatusModel)
		well   bool
		says   string
	}{
		{"well", func(*StatusModel) {}, true, "All is well. What pages show is less than a second old."},
		{"two seconds", func(m *StatusModel) { m.Age = 1900 * time.Millisecond }, true, "All is well. What pages show is 1 second old."},
		{"behind", func(m *StatusModel) { m.State, m.Ready, m.Age = "behind", false, 125*time.Second }, false, "Updates are delayed: what pages show is 2 minutes old. Nothing is lost."},
		{"starting", func(m *StatusModel) { m.State, m.Ready, m.Known, m.Age = "starting", false, false, 24*time.Hour }, false, "This server is starting, and will be there in a moment."},
		{"stopping", func(m *StatusModel) { m.State, m.Ready = "stopping", false }, false, "This server is being restarted. Open pages come back by themselves; nothing is lost."},
		{"trouble", func(m *StatusModel) { m.Trouble = "its river DB can't be written" }, false,
			"What pages show is less than a second old. But something is wrong here: its river DB can't be written."},
		{"a job that fails", func(m *StatusModel) { m.Jobs[1].Failed = true }, false,
			"What pages show is less than a second old. But not all of the work beside is done in time: ranking the best of and the most faved."},
		{"two that are late", func(m *StatusModel) { m.Jobs[0].Late, m.Jobs[1].Late = true, true }, false,
			"What pages show is less than a second old. But not all of the work beside is done in time: clearing away what is too old; ranking the best of and the most faved."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := sampleStatus(Shell{})
			tt.change(&m)
			if m.Well() != tt.well || m.Says() != tt.says {
				t.Errorf("well: %v, %q; want %v, %q", m.Well(), m.Says(), tt.well, tt.says)
			}
		})
	}
}

func TestStatusPage(t *testing.T) {
	t.Parallel()
	doc := parse(t, render(t, Status(sampleStatus(Shell{Title: "Status", Path: StatusPath}))))
	said := words(one(t, doc, "main"))
	for _, want := range []string{
		"All is well.", "What you do yourselfin the answer, at once", "open, or asked forless than a second",
		"nobody has open4 seconds, in 3 pages of 120; they are brought up to date before they are shown",
		"120 kept up to date, 14 of them open; 20 open pages", "at position 4711, with 1 change at the last look", "v1.2", "As of 20 Nov 2026, 12:00, on",
		"Clearing away what is too oldevery hour; last done 20 Nov 2026, 11:40", "Ranking the best of and the most favedevery 5 minutes; not done yet",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q: %s", want, said)
		}
	}
	quiet := sampleStatus(Shell{})
	quiet.Marked = 0
	quiet.Jobs = nil
	if said := words(one(t, parse(t, render(t, Status(quiet))), "main")); strings.Contains(said, "brought up") || strings.Contains(said, "Work beside") {
		t.Errorf("with nothing to do it says %s", said)
	}
}

func TestAgeInWords(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "less than a second", 999 * time.Millisecond: "less than a second", time.Second: "1 second", 119 * time.Second: "119 seconds",
		2 * time.Minute: "2 minutes", 119 * time.Minute: "119 minutes", 2 * time.Hour: "2 hours",
	} {
		if got := ageInWords(d); got != want {
			t.Errorf("%s is %q, want %q", d, got, want)
		}
	}
}
