package page

import (
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/web/catalogue"
)

// sampleStatus returns the status of a healthy server.
func sampleStatus(shell Shell) StatusModel {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	return StatusModel{
		Shell: shell, State: "ready", Ready: true, Known: true, Age: 240 * time.Millisecond, Waiting: 4 * time.Second, Marked: 3,
		Position: 4711, Lag: 1, Living: 120, Open: 14, Sockets: 20, Memory: 300 << 20, MemoryBudget: 2 << 30, RiverDB: 500 << 10, RiverDBBudget: 4 << 30, Ahead: 39, AheadHits: 6, AheadMisses: 2, First: 18, Version: "v1.2", Began: at.Add(-30 * time.Hour), At: at,
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
		{"well", func(*StatusModel) {}, true, "All is well. Pages are less than a second old."},
		{"two seconds", func(m *StatusModel) { m.Age = 1900 * time.Millisecond }, true, "All is well. Pages are 1 second old."},
		{"behind", func(m *StatusModel) { m.State, m.Ready, m.Age = "behind", false, 125*time.Second }, false, "Updates are delayed: pages are 2 minutes old. Nothing is lost."},
		{"starting", func(m *StatusModel) { m.State, m.Ready, m.Known, m.Age = "starting", false, false, 24*time.Hour }, false, "This server is starting and will be ready in a moment."},
		{"stopping", func(m *StatusModel) { m.State, m.Ready = "stopping", false }, false, "This server is being restarted. Open pages come back on their own; nothing is lost."},
		{"trouble", func(m *StatusModel) { m.Trouble = Trouble{Kind: TroubleRiverDB} }, false,
			"Pages are less than a second old, but something is wrong on this server: the river database can't be written, so pages would be slow after a restart."},
		{"a job that fails", func(m *StatusModel) { m.Jobs[1].Failed = true }, false,
			"Pages are less than a second old, but some background work is late: Ranking Best of and Most favourited."},
		{"two that are late", func(m *StatusModel) { m.Jobs[0].Late, m.Jobs[1].Late = true, true }, false,
			"Pages are less than a second old, but some background work is late: Deleting expired data; Ranking Best of and Most favourited."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := sampleStatus(Shell{})
			tt.change(&m)
			if m.Well() != tt.well || m.Summary() != tt.says {
				t.Errorf("well: %v, %q; want %v, %q", m.Well(), m.Summary(), tt.well, tt.says)
			}
		})
	}
}

func TestBytesInWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		words catalogue.Language
		bytes int64
		want  string
	}{
		{catalogue.English, 1, "1 KiB"},
		{catalogue.English, 7 << 20, "7 MiB"},
		{catalogue.English, 5 << 29, "2.5 GiB"},
		{catalogue.Russian, 5 << 29, "2,5 ГиБ"},
	} {
		if got := bytesInWords(tt.words, tt.bytes); got != tt.want {
			t.Errorf("%d bytes are %q, want %q", tt.bytes, got, tt.want)
		}
	}
}

func TestStatusPage(t *testing.T) {
	t.Parallel()
	doc := parse(t, render(t, Status(sampleStatus(Shell{Title: "Status", Path: StatusPath}))))
	said := words(one(t, doc, "main"))
	for _, want := range []string{
		"All is well.", "Your own actionsshown at once", "Open pagesless than a second",
		"no one has open4 seconds, on 3 of 120 pages; they are updated before they are shown",
		"120 kept up to date, 14 of them open; 20 open pages", "position 4,711; 1 change at the last look", "v1.2", "39; 6 found by their readers, 2 not needed. Of 18 first visits, 6 found the page ready.", "As of 20 Nov 2026, 12:00 UTC, on",
		"Deleting expired dataevery hour; last done 20 Nov 2026, 11:40", "Ranking Best of and Most favouritedevery 5 minutes; not done yet",
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
		if got := ageInWords(catalogue.English, d); got != want {
			t.Errorf("%s is %q, want %q", d, got, want)
		}
	}
}

func TestTroubleInBothLanguages(t *testing.T) {
	t.Parallel()
	for kind := TroublePrimary; kind <= TroubleRiverDBRenewed; kind++ {
		trouble := Trouble{Kind: kind, Times: 3}
		if english, russian := trouble.Clause(catalogue.English), trouble.Clause(catalogue.Russian); english == "" || russian == "" || english == russian {
			t.Errorf("trouble %d is %q in English and %q in Russian", kind, english, russian)
		}
	}
	if none := (Trouble{}).Clause(catalogue.Russian); none != "" {
		t.Errorf("no trouble is %q", none)
	}
}
