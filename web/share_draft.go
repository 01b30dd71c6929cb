package web

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
)

// keepShared keeps the page and texts that a share button sends as the draft of a post. It answers as
// Mokum did: with 201, and nothing but the address of the draft.
func (s *Server) keepShared(w http.ResponseWriter, q *request) error {
	draft, err := readShared(q.body)
	if err != nil {
		return err
	}
	secret, err := s.store.KeepShareDraft(q.Context(), timeline.Client{Network: ClientNetwork(q.Context())}, draft)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", "text/plain; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, s.public+page.ShareDraftPath(secret)) // a client that disconnects is not a server error
	return nil
}

// readShared reads the fields that a share button sends: the address u of a page, its title t, the
// selected text q, the addresses of pictures (i; ss: in the form of a srcset; bi: of backgrounds), and
// the addresses of video, frames and sound (vi, ifr, au).
func readShared(body input) (d timeline.ShareDraft, err error) {
	for name, to := range map[string]*string{"u": &d.URL, "t": &d.Title, "q": &d.Quote} {
		if *to, err = body.text(name); err != nil {
			return d, err
		}
	}
	for _, name := range []string{"i", "ss", "bi"} {
		if d.Pictures, err = appendLinks(d.Pictures, body, name); err != nil {
			return d, err
		}
	}
	for _, name := range []string{"vi", "ifr", "au"} {
		if d.Media, err = appendLinks(d.Media, body, name); err != nil {
			return d, err
		}
	}
	return d.Clean()
}

// appendLinks appends the texts of a list. A page may have elements without an address, so items that are not
// text are left out.
func appendLinks(links []string, body input, name string) ([]string, error) {
	list, is := body[name].([]any)
	if !is && body.has(name) {
		one, err := body.texts(name)
		return append(links, one...), err
	}
	for _, item := range list {
		if link, err := (input{name: item}).text(name); err == nil {
			links = append(links, link)
		}
	}
	return links, nil
}

// showShare shows the form for a new post about the page that the query names by u, t and q, as
// bookmarks and phones send them. Without these fields the page offers the bookmark.
func (s *Server) showShare(w http.ResponseWriter, q *request) error {
	body := input{}
	for _, name := range []string{"u", "t", "q"} {
		if value := q.URL.Query().Get(name); value != "" {
			body[name] = value
		}
	}
	if len(body) == 0 {
		return s.page(w, q, http.StatusOK, page.ShareButton(page.ShareButtonModel{Shell: s.shell(q, q.words.PostShareTitle()), Site: s.public}))
	}
	return signedIn(func(w http.ResponseWriter, q *request) error {
		draft, err := readShared(body)
		if err != nil {
			return err
		}
		return s.showDraft(w, q, draft)
	})(w, q)
}

// showShared shows the form for a new post with the draft that a share button sent.
func (s *Server) showShared(w http.ResponseWriter, q *request) error {
	draft, err := s.store.ShareDraft(q.Context(), q.param("draft"))
	if errors.Is(err, timeline.ErrNotFound) {
		return errDraft
	}
	if err != nil {
		return err
	}
	return s.showDraft(w, q, draft)
}

func (s *Server) showDraft(w http.ResponseWriter, q *request, draft timeline.ShareDraft) error {
	return s.showForm(w, q, q.words.PostShared(), page.PostForm{Text: sharedText(q.words, draft), Links: append(draft.Pictures, draft.Media...)})
}

// showNewPost shows the form for a new post with all places to choose from.
func (s *Server) showNewPost(w http.ResponseWriter, q *request) error {
	return s.showForm(w, q, q.words.PostNew(), page.PostForm{})
}

// showForm shows a form for a post on a page of its own, with all places to choose from.
func (s *Server) showForm(w http.ResponseWriter, q *request, title string, form page.PostForm) error {
	sets, cards, err := s.setsAndCards(q.Context(), q.who.User, address.Owner{})
	if err != nil {
		return err
	}
	if sets == nil || !sets.MayAct() {
		return timeline.ErrForbidden
	}
	form.UUID, form.ReturnTo = newUUID(), "/"
	form.To = append(ownPlaces(q.words, cards.Users[q.who.User]), s.joinedGroups.destinations(q.Context(), q.who, sets)...)
	form.PreviewsOff = !s.rivers.Site().LinkPreviews
	form.Languages, form.Files.FilesHint = s.addresses.Languages.InUse(q.Context()), s.filesHint()
	m := page.SharedModel{Shell: s.shell(q, title), Form: &form}
	w.Header().Set("Cache-Control", "no-store")
	return s.page(w, q, http.StatusOK, page.Shared(m))
}

// sharedText returns the text of a post about a page: the title, the address, and the selected
// text in quotation marks, cut so that the post is short enough. Without an address the text has no
// quotation marks, because it is no quotation: a phone shares the text of another program in this way.
func sharedText(words catalogue.Language, d timeline.ShareDraft) string {
	var lines []string
	for _, line := range []string{d.Title, d.URL} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	head := strings.Join(lines, "\n")
	if d.Quote == "" || d.Quote == d.URL || d.Quote == d.Title {
		return head
	}
	const around = 10 // the quotation marks, and the lines between
	quote := text.Cut(d.Quote, text.MaxText-around-utf8.RuneCountInString(head))
	if d.URL != "" {
		quote = words.PostQuote(quote)
	}
	if head == "" {
		return quote
	}
	return head + "\n\n" + quote
}
