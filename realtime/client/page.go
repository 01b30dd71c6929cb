package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// Subprotocol is the name of the live protocol, which a client offers when it opens a socket.
const Subprotocol = "amstel.v1"

// The forms in which the entries of frames come.
const (
	AsJSON = "json"
	AsHTML = "html"
)

// Verdict is the effect of a frame on a page.
type Verdict int

// The verdicts.
const (
	Ignored Verdict = iota
	Applied
	Resub // the page has to subscribe again
)

// A Page is a client that follows docs/wire.md#the-rule-of-a-client, as the script of a page
// does and every other client should. It records violations.
type Page struct {
	River, Path string
	As          string // the form in which entries come; empty: JSON
	Epoch       string
	Counter     int64
	Position    int64 // the log position that the page has seen; 0: none reported
	Order       []int64
	Entries     map[int64]Shown
	Skip        map[int64]int64 // for each post in the answer to a POST, the answer's counter: older ops are skipped
	Unread      int             // unread notices
	Directs     int             // directs that have unread notices
	Present     int             // people who have the post's page open
	Pace        int64           // how far apart the river's frames are, in ms
	Behind      bool            // the node can't follow the primary

	// Waiting reports that a sub was sent and its hello has not come: messages in between are
	// for the page before the sub.
	Waiting bool

	// blind reports that the frame after the last hello could not be applied. The next sub then
	// names neither a state nor entries, so that the server answers with a reset.
	blind bool
	fresh bool // the next frame is the one after a hello
	// again reports that the page applied an answer while a sub was under way: the state in the
	// sub is outdated.
	again bool

	// Returns reports that an entry that left may come back unchanged.
	Returns bool

	// Faults are the entries that went back to an older state, or came back unchanged after they
	// left.
	Faults []Fault
	newest map[int64]int   // for each post, the newest version that was shown
	left   map[int64]int64 // for each post that left the page after its newest version was shown, the page's position then
}

// A Fault reports that an entry went back to an older state, or that an entry left the page and came back unchanged
// above entries that had stayed. Such an entry may come back after a change of rights, of which the page does not know.
// A program that can read the change log can look for such a change between the positions Left and Back.
type Fault struct {
	Post            int64
	Newest, Version int   // the newest version that was shown before, and the version that is shown now
	Left            int64 // if Version is Newest, the log position of the page when the entry left
	Back            int64 // the log position of the frame that brought the entry
}

// String returns the fault as a sentence.
func (f Fault) String() string {
	if f.Version < f.Newest {
		return fmt.Sprintf("post %d went from version %d back to %d at position %d", f.Post, f.Newest, f.Version, f.Back)
	}
	return fmt.Sprintf("post %d left in version %d at position %d and came back unchanged at %d", f.Post, f.Newest, f.Left, f.Back)
}

// Shown is an entry on the page; as HTML it has a post and a tag only.
type Shown struct {
	Post    int64  `json:"post"`
	Tag     string `json:"tag"`
	Version int    `json:"version"`
	Text    string `json:"text"`
}

// A Frame is a frame from the server, with the fields of all types of frames.
type Frame struct {
	Type     string  `json:"type"`
	Epoch    string  `json:"epoch"`
	Counter  int64   `json:"counter"`
	From     int64   `json:"from"`
	To       int64   `json:"to"`
	Position int64   `json:"position"`
	Ops      []Op    `json:"ops"`
	Entries  []Shown `json:"entries"`
	WithinMS int64   `json:"within_ms"`
	Unread   *int    `json:"unread"`
	Directs  int     `json:"directs"`
	Present  int     `json:"present"`
	Count    int     `json:"count"`
	Pace     int64   `json:"pace"`
	MS       int64   `json:"ms"`
	Behind   bool    `json:"behind"`
}

// Op is an entry's part of a patch.
type Op struct {
	Post  int64  `json:"post"`
	Gone  bool   `json:"gone"`
	Tag   string `json:"tag"`
	After *int64 `json:"after"`
	Entry *Shown `json:"entry"`
	HTML  string `json:"html"`
}

// NewPage returns a page that shows nothing yet.
func NewPage(river, path string) *Page {
	return &Page{
		River: river, Path: path,
		Entries: map[int64]Shown{}, Skip: map[int64]int64{}, newest: map[int64]int{}, left: map[int64]int64{},
	}
}

// Sub returns the page's sub frame. The page then waits for the hello.
func (p *Page) Sub() []byte {
	p.Waiting, p.again = true, false
	if p.blind {
		p.Epoch, p.Counter, p.Order = "", 0, nil
		clear(p.Entries)
	}
	have := make([][2]any, 0, len(p.Order))
	for _, post := range p.Order {
		have = append(have, [2]any{post, p.Entries[post].Tag})
	}
	sub := map[string]any{
		"type": "sub", "river": p.River, "page": p.Path, "as": cmp.Or(p.As, AsJSON),
		"epoch": p.Epoch, "counter": p.Counter, "have": have,
	}
	if p.Position != 0 {
		sub["position"] = p.Position
	}
	data, err := json.Marshal(sub)
	if err != nil {
		panic(err)
	}
	return data
}

// Parse reads a frame.
func Parse(data []byte) (*Frame, error) {
	f := &Frame{}
	if err := json.Unmarshal(data, f); err != nil {
		return nil, fmt.Errorf("frame %.80q: %w", data, err)
	}
	return f, nil
}

// Take parses a frame and applies it to the page.
func (p *Page) Take(data []byte) (Verdict, *Frame, error) {
	f, err := Parse(data)
	if err != nil {
		return Ignored, nil, err
	}
	verdict, err := p.Apply(f)
	return verdict, f, err
}

// Apply applies a frame to the page. A frame that does not fit the page's state changes nothing. The
// error reports a frame of an unknown type.
func (p *Page) Apply(f *Frame) (Verdict, error) {
	verdict, err := p.apply(f)
	if verdict == Applied {
		p.Position = max(p.Position, f.Position)
	}
	return verdict, err
}

func (p *Page) apply(f *Frame) (Verdict, error) {
	if f.Unread != nil {
		p.Unread, p.Directs = *f.Unread, f.Directs
	}
	switch f.Type {
	case "unread":
		p.Unread, p.Directs = f.Count, f.Directs
		return Ignored, nil
	case "present":
		p.Present = f.Count
		return Ignored, nil
	case "pace":
		p.Pace = f.MS
		return Ignored, nil
	case "behind":
		p.Behind = f.Behind
		return Ignored, nil
	case "hello":
		p.Pace, p.Behind, p.Present = f.Pace, f.Behind, f.Present
		if !p.Waiting {
			return Ignored, nil
		}
		p.Waiting = false
		if p.Epoch != f.Epoch {
			clear(p.Skip)
		}
		p.Epoch, p.Counter, p.fresh = f.Epoch, f.Counter, true
		return Applied, nil
	case "bye":
		return Ignored, nil
	}
	if p.Waiting {
		return Ignored, nil
	}
	verdict, err := p.follow(f)
	if p.again && verdict != Resub {
		p.again = false
		return Resub, err
	}
	return verdict, err
}

// follow applies a frame that came after the hello.
func (p *Page) follow(f *Frame) (Verdict, error) {
	fresh := p.fresh
	p.fresh = false
	switch f.Type {
	case "patch":
		verdict := p.patch(f)
		p.blind = fresh && verdict == Resub && f.Epoch == p.Epoch && f.From <= p.Counter
		return verdict, nil
	case "reset":
		p.blind = false
		p.Epoch, p.Counter, p.Order = f.Epoch, f.Counter, nil
		clear(p.Entries)
		clear(p.Skip)
		for _, e := range f.Entries {
			p.Order = append(p.Order, e.Post)
			p.show(e, true, f.Position)
		}
		return Applied, nil
	case "beat":
		if f.Counter > p.Counter {
			return Resub, nil
		}
		return Ignored, nil
	}
	return Ignored, fmt.Errorf("unknown frame %q", f.Type)
}

func (p *Page) patch(f *Frame) Verdict {
	switch {
	case f.Epoch != p.Epoch:
		return Resub
	case f.To <= p.Counter:
		return Ignored
	case f.From > p.Counter:
		return Resub
	}
	order := slices.Clone(p.Order)
	for _, op := range f.Ops { // compute the new order first: a patch applies whole or not at all
		if answered, skip := p.Skip[op.Post]; skip && f.To <= answered && op.Gone {
			p.again = true // the entry came back, although the server may not know that the page has it
			continue
		}
		order = slices.DeleteFunc(order, func(id int64) bool { return id == op.Post })
		if op.Gone {
			continue
		}
		place := 0
		if op.After != nil {
			above := slices.Index(order, *op.After)
			if above < 0 {
				return Resub
			}
			place = above + 1
		}
		order = slices.Insert(order, place, op.Post)
	}
	filled := below(order, p.stayed(f, order))
	for _, op := range f.Ops {
		if answered, skip := p.Skip[op.Post]; skip && f.To <= answered {
			continue
		}
		delete(p.Skip, op.Post)
		if op.Gone {
			if _, was := p.Entries[op.Post]; was && !p.Returns {
				p.left[op.Post] = max(p.Position, f.Position)
			}
			delete(p.Entries, op.Post)
			continue
		}
		var shown Shown
		if op.Entry != nil {
			shown = *op.Entry
		}
		shown.Post, shown.Tag = op.Post, op.Tag
		p.show(shown, slices.Contains(filled, op.Post), f.Position)
	}
	p.Order, p.Counter = order, f.To
	return Applied
}

// Answer applies the entry in the answer to a POST. Counter 0 means that the server read the entry
// from the primary.
func (p *Page) Answer(epoch string, counter int64, e Shown) {
	if counter != 0 && (epoch != p.Epoch || counter <= p.Counter) {
		return
	}
	p.again = p.again || p.Waiting || p.fresh
	if counter != 0 {
		p.Skip[e.Post] = counter
	}
	if !slices.Contains(p.Order, e.Post) {
		p.Order = slices.Insert(p.Order, 0, e.Post)
	}
	p.show(e, false, p.Position)
}

// stayed returns the entries of the page that stand where they stood before a patch. order is the order after the
// patch. An entry that another entry passes has sunk if the other did not change: the patch may move either of the
// two. For example, after the newest comment on an entry was deleted, of which the viewer may not know.
func (p *Page) stayed(f *Frame, order []int64) []int64 {
	versions := make(map[int64]int, len(f.Ops)) // of the entries that the patch puts somewhere
	for _, op := range f.Ops {
		if op.Gone {
			continue
		}
		versions[op.Post] = 0
		if op.Entry != nil {
			versions[op.Post] = op.Entry.Version
		}
	}
	var stayed []int64
	for i, post := range p.Order {
		place := slices.Index(order, post)
		if _, put := versions[post]; put || place < 0 {
			continue
		}
		sank := slices.ContainsFunc(p.Order[i+1:], func(lower int64) bool {
			version, put := versions[lower]
			return put && version == p.Entries[lower].Version && slices.Contains(order[:place], lower)
		})
		if !sank {
			stayed = append(stayed, post)
		}
	}
	return stayed
}

// below returns the entries of an order that stand below all entries that a patch left where they
// were. An entry that the patch moved may have sunk below an entry that comes back.
func below(order, stayed []int64) []int64 {
	for i, post := range slices.Backward(order) {
		if slices.Contains(stayed, post) {
			return order[i+1:]
		}
	}
	return order
}

// show adds an entry to the page, and notes a newer state of an entry that the page had. An entry
// that left comes back in a newer state only, except to the bottom: an entry that sank below the
// end of a page stands there when the page is filled. position is the log position of the entry's state.
func (p *Page) show(e Shown, bottom bool, position int64) {
	newest := p.newest[e.Post]
	if p.again && position < p.Position && e.Version < newest {
		// An answer came after the sub, so another node may answer the sub with a state from before the write. The page
		// subscribes once more, with the position of the write.
		p.Entries[e.Post] = e
		return
	}
	left, was := p.left[e.Post]
	if e.Version < newest || e.Version == newest && was && !bottom {
		p.Faults = append(p.Faults, Fault{e.Post, newest, e.Version, left, position})
	}
	delete(p.left, e.Post)
	p.newest[e.Post] = e.Version
	p.Entries[e.Post] = e
}
