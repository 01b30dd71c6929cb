package web

import (
	"context"
	"net/http"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
)

// identifyWithin is how long the status page waits to identify the visitor.
const identifyWithin = 500 * time.Millisecond

// showStatus shows the state of this node to every visitor. It does not need the primary: a
// visitor whom the site can't identify in time counts as not signed in.
func (s *Server) showStatus(w http.ResponseWriter, r *http.Request) {
	q := &request{Request: r, html: prefersHTML(r), words: s.readsIn(r, nil)}
	ctx, cancel := context.WithTimeout(r.Context(), identifyWithin)
	defer cancel()
	if who, err := s.identify(w, r.WithContext(ctx)); err == nil {
		q.who, q.words = who, s.readsIn(r, &who)
	}
	m := s.statusModel()
	w.Header().Set("Cache-Control", "no-store")
	if !q.html {
		s.json(w, q, http.StatusOK, map[string]any{"status": statusShape(m)})
		return
	}
	m.Shell = s.shell(q, q.words.StatusTitle())
	if err := s.page(w, q, http.StatusOK, page.Status(m)); err != nil {
		s.fail(w, q, err)
	}
}

// nodeStatus returns the state of the node now.
func (s *Server) nodeStatus() NodeStatus {
	if s.config.Status != nil {
		return s.config.Status()
	}
	return NodeStatus{Rivers: river.Stats{Age: s.rivers.Age(), Position: s.rivers.Position()}}
}

// statusModel returns the content of the status page.
func (s *Server) statusModel() page.StatusModel {
	now, n, ready := s.now(), s.status.get(s.now(), s.nodeStatus), s.Readiness()
	m := page.StatusModel{
		State: string(ready.State), Ready: ready.Ready(), Trouble: ready.Trouble, Age: ready.Age, Known: ready.State != StateStarting,
		Waiting: n.Rivers.OldestMark, Marked: n.Rivers.Marked,
		Position: n.Rivers.Position, Lag: n.Rivers.Lag,
		Living: total(n.Rivers.Living), Open: total(n.Rivers.Open), Sockets: n.Sockets.Sockets,
		Memory: n.Rivers.Memory, MemoryBudget: n.Rivers.MemoryBudget, RiverDB: n.Rivers.Size, RiverDBBudget: n.Rivers.SizeBudget,
		Ahead: n.Rivers.Ahead.Built, AheadHits: n.Rivers.Ahead.Hits, AheadMisses: n.Rivers.Ahead.Misses, First: n.Rivers.Ahead.First,
		Version: s.config.Build, Began: n.Began, At: now,
	}
	for _, j := range n.Jobs {
		one := page.StatusJob{Name: j.Name, Every: j.Every, Last: j.Last, Failed: j.Failed}
		// A job begins a little after its tick, and may take until the next tick.
		one.Late = !j.Last.IsZero() && now.Sub(j.Last) > 2*j.Every+time.Minute
		m.Jobs = append(m.Jobs, one)
	}
	return m
}

func total(byKind map[river.Kind]int) int {
	sum := 0
	for _, n := range byKind {
		sum += n
	}
	return sum
}

// statusJSON is the status page as JSON.
type statusJSON struct {
	State  string `json:"state"`
	Well   bool   `json:"well"`
	Says   string `json:"says"`
	AgeMS  ages   `json:"age_ms"`
	Rivers struct {
		Living int `json:"living"`
		Open   int `json:"open"`
		Marked int `json:"marked"`
	} `json:"rivers"`
	Room struct {
		Memory        int64 `json:"memory_bytes"`
		MemoryBudget  int64 `json:"memory_budget_bytes"`
		RiverDB       int64 `json:"river_db_bytes"`
		RiverDBBudget int64 `json:"river_db_budget_bytes"`
	} `json:"room"`
	Ahead struct {
		Built  int64 `json:"built"`
		Hits   int64 `json:"hits"`
		Misses int64 `json:"misses"`
		First  int64 `json:"first_visits"`
	} `json:"ahead"`
	Sockets int `json:"sockets"`
	Log     struct {
		Position int64 `json:"position"`
		Lag      int64 `json:"lag"`
	} `json:"log"`
	Version string    `json:"version"`
	Began   string    `json:"began,omitempty"`
	Jobs    []jobJSON `json:"jobs"`
}

// ages are the ages of the states that pages show, in milliseconds, by tier; null: not known.
type ages struct {
	Own    *int64 `json:"own"`    // the asker's own writes
	Open   *int64 `json:"open"`   // open pages, and pages that are requested
	Others *int64 `json:"others"` // cached pages that no socket has open
}

type jobJSON struct {
	Name   string `json:"name"`
	Every  int64  `json:"every_s"`
	Last   string `json:"last,omitempty"`
	Failed bool   `json:"failed"`
}

func statusShape(m page.StatusModel) statusJSON {
	shape := statusJSON{State: m.State, Well: m.Well(), Says: m.Summary(), Sockets: m.Sockets, Version: m.Version, Jobs: []jobJSON{}}
	shape.Rivers.Living, shape.Rivers.Open, shape.Rivers.Marked = m.Living, m.Open, m.Marked
	shape.Log.Position, shape.Log.Lag = m.Position, m.Lag
	shape.Room.Memory, shape.Room.MemoryBudget, shape.Room.RiverDB, shape.Room.RiverDBBudget = m.Memory, m.MemoryBudget, m.RiverDB, m.RiverDBBudget
	shape.Ahead.Built, shape.Ahead.Hits, shape.Ahead.Misses, shape.Ahead.First = m.Ahead, m.AheadHits, m.AheadMisses, m.First
	if m.Known {
		own, open, others := int64(0), m.Age.Milliseconds(), m.Others().Milliseconds()
		shape.AgeMS = ages{&own, &open, &others}
	}
	if !m.Began.IsZero() {
		shape.Began = mokum.Stamp(m.Began)
	}
	for _, j := range m.Jobs {
		one := jobJSON{Name: j.Name, Every: int64(j.Every.Seconds()), Failed: j.Failed}
		if !j.Last.IsZero() {
			one.Last = mokum.Stamp(j.Last)
		}
		shape.Jobs = append(shape.Jobs, one)
	}
	return shape
}
