package web_test

import (
	"slices"
	"strconv"

	"amstel.dev/amstel/internal/world"
)

// A plainEar is a client of Faye that listens to one page of a viewer while the world changes.
type plainEar struct {
	*fayeEar
	path  string
	since int               // the state at its beginning
	shown map[string]string // the first content of its page: texts by post
}

// tendEars lets a client of Faye listen for each viewer: to the viewer's home, or to one of the
// other pages that the viewer may open.
func (p *plainSite) tendEars() {
	p.t.Helper()
	for i, v := range p.viewers() {
		if e := p.ears[v]; e != nil {
			if !e.ended() {
				continue
			}
			p.hearEar(v, e)
			e.close()
			delete(p.ears, v)
		}
		pages := p.pagesOf(v)
		page := pages[(len(p.states)*5+int(v))%len(pages)]
		if i%2 == 0 {
			page = pages[1] // home
		}
		if page.refused != 0 || page.still || page.query == "exclude_replies=1" {
			continue // a channel is of a whole river, also if the page leaves out replies
		}
		answer := p.viewer(v).get(page.json())
		if live, _ := answer.at("river", "live").(bool); answer.status != 200 || !live {
			continue
		}
		uuid, _ := answer.at("river", "uuid").(string)
		e := &plainEar{path: page.address(), since: max(len(p.states)-2, 0), shown: make(map[string]string)}
		e.fayeEar = p.listen(uuid)
		if answer = p.viewer(v).get(page.json()); answer.status != 200 { // the client gets the changes from here on
			e.close()
			continue
		}
		entries, _ := answer.at("entries").([]any)
		for _, entry := range entries {
			e.shown[numberText(at(entry, "id"))], _ = at(entry, "text").(string)
		}
		p.ears[v] = e
	}
}

// hearEar fails the test if a client got something that its viewer may not have seen in any
// state since the client began.
func (p *plainSite) hearEar(v int64, e *plainEar) {
	p.t.Helper()
	text, n := e.texts(0)
	p.seen["messages of Faye"] += n
	for _, secret := range world.Secrets(text) {
		if !slices.ContainsFunc(p.states[e.since:], func(s plainState) bool { return s.secrets[v][secret] }) {
			p.t.Errorf("the client of Faye of %s at %s is told %s", p.name(v), e.path, secret)
		}
	}
}

// compareEars waits until every client of Faye equals its page.
func (p *plainSite) compareEars() {
	p.t.Helper()
	for v, e := range p.ears {
		p.waitUntilNothingWrong(func() string { return e.compared(p, v) })
		p.hearEar(v, e)
		p.seen["clients of Faye compared"]++
	}
}

// compared returns the first fault in the posts of a client of Faye: each of its posts must
// equal the post on the page, and the client must have every post of the page that stands before
// one of the client's posts.
func (e *plainEar) compared(p *plainSite, v int64) string {
	shows := make(map[string]string)
	for id, text := range e.shown {
		shows[id] = text
	}
	e.mu.Lock()
	closed := e.closed != 0
	for _, m := range e.told {
		if gone := at(m, "data", "deleted"); gone != nil {
			delete(shows, numberText(gone))
		} else {
			shows[numberText(at(m, "data", "post", "id"))], _ = at(m, "data", "post", "text").(string)
		}
	}
	e.mu.Unlock()
	if closed {
		return ""
	}
	for _, page := range p.pagesOf(v) {
		if page.address() != e.path {
			continue
		}
		switch {
		case page.refused == 404 && len(shows) == 0: // as for a language without posts left
			return ""
		case page.refused != 0:
			return e.path + " is listened to and may not be opened any more"
		}
		left := len(shows)
		for _, want := range page.entries() {
			if left == 0 {
				return ""
			}
			id := strconv.FormatInt(want.Post.ID, 10)
			switch text, has := shows[id]; {
			case !has:
				return "the client of Faye of " + p.name(v) + " at " + e.path + " has no post " + id
			case text != want.Post.Text:
				return "the client of Faye of " + p.name(v) + " at " + e.path + " has another text of post " + id
			}
			left--
		}
		if left > 0 {
			return "the client of Faye of " + p.name(v) + " at " + e.path + " has posts that the page does not have"
		}
	}
	return "" // right, or no page has this path any more, because its owner was renamed
}
