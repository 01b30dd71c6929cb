package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/mokum"
	"amstel.dev/amstel/web/page"
	"amstel.dev/amstel/web/webfeed"
)

// A feedAddressJSON is a private address of a web feed. Only the answer to its creation has the URLs, which have
// the secret.
type feedAddressJSON struct {
	ID        int64  `json:"id"`
	Page      string `json:"page"`
	CreatedAt string `json:"created_at"`
	SeenAt    string `json:"seen_at,omitempty"`
}

func feedAddressOf(a timeline.FeedAddress) feedAddressJSON {
	shown := feedAddressJSON{ID: a.ID, Page: a.Page, CreatedAt: mokum.Stamp(a.CreatedAt)}
	if a.SeenAt != nil {
		shown.SeenAt = mokum.Stamp(*a.SeenAt)
	}
	return shown
}

// listFeedAddresses serves the visitor's private addresses.
func (s *Server) listFeedAddresses(w http.ResponseWriter, q *request) error {
	found, err := s.store.FeedAddresses(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	list := make([]feedAddressJSON, 0, len(found))
	for _, a := range found {
		list = append(list, feedAddressOf(a))
	}
	s.json(w, q, http.StatusOK, map[string]any{"feed_addresses": list})
	return nil
}

// createFeedAddress creates a private address, and answers with its secret, which no later answer has.
func (s *Server) createFeedAddress(w http.ResponseWriter, q *request) error {
	made, secret, err := s.newFeedAddress(q)
	if err != nil {
		return s.refuseSettings(w, q, page.FeedForm, err, nil)
	}
	w.Header().Set("Cache-Control", "no-store")
	if q.html {
		s.setSaved(w, q, page.FeedForm, secret)
		return s.done(w, q, page.FeedsPath, nil)
	}
	links := s.privateFeeds(secret)
	s.json(w, q, http.StatusOK, map[string]any{
		"feed_address": feedAddressOf(made), "atom_url": links[0].Href, "rss_url": links[1].Href, "json_url": links[2].Href,
	})
	return nil
}

// privateFeeds returns the addresses of a secret, one for each format.
func (s *Server) privateFeeds(secret string) (links []page.FeedLink) {
	for _, format := range webfeed.Formats {
		links = append(links, page.FeedLink{Type: format.Type, Name: format.Name, Href: s.public + page.PrivateFeeds + secret + format.Ending})
	}
	return links
}

// newFeedAddress creates a private address for the page that the request names, if the actor can open the page.
func (s *Server) newFeedAddress(q *request) (made timeline.FeedAddress, secret string, err error) {
	in, err := q.body.in("feed_address")
	if err != nil {
		return made, "", err
	}
	asked, err := in.text("page")
	if err != nil {
		return made, "", err
	}
	where, err := s.findOwnPage(q, asked)
	if err != nil {
		return made, "", err
	}
	view, err := s.rivers.Visit(q.Context(), where.Key, address.FirstPage.At)
	if err == nil && where.Key.What == river.KindPost && len(view.Entries) == 0 {
		err = timeline.ErrNotFound
	}
	if err != nil {
		return made, "", err
	}
	made = timeline.FeedAddress{Page: where.Top(), Kind: string(where.Key.What), TheirID: where.Key.TheirID, CreatedAt: s.now()}
	made.ID, secret, err = s.store.NewFeedAddress(q.Context(), q.who.User, made)
	return made, secret, err
}

// findOwnPage returns the page of a path and query. It returns a [timeline.InvalidError] if no page that lists
// posts has the path.
func (s *Server) findOwnPage(q *request, asked string) (address.Address, error) {
	wrong := &timeline.InvalidError{Field: "page", Reason: "is not the address of a page that lists posts, as /filter/directs"}
	path, own := ownPath(asked)
	at, err := url.Parse(path)
	if !own || err != nil {
		return address.Address{}, wrong
	}
	where, err := s.addresses.River(q.Context(), q.who.User, strings.TrimSuffix(at.Path, formEnding(at.Path)), at.Query())
	if errors.Is(err, timeline.ErrNotFound) {
		return address.Address{}, wrong
	}
	return where, err
}

// revokeFeedAddress ends a private address of the actor's.
func (s *Server) revokeFeedAddress(w http.ResponseWriter, q *request) error {
	id, err := q.id("id")
	if err != nil {
		return err
	}
	if err := s.store.RevokeFeedAddress(q.Context(), q.who.User, id); err != nil {
		return err
	}
	return s.done(w, q, page.FeedsPath, map[string]any{"result": "revoked"})
}

// feedSettings fills in the private addresses, and the pages for which the visitor can make one.
func (s *Server) feedSettings(q *request, m *page.SettingsModel) error {
	found, err := s.store.FeedAddresses(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	lists, err := s.store.Lists(q.Context(), q.who.User)
	if err != nil {
		return err
	}
	own := page.NamePath(q.who.Name)
	m.FeedChoices = []page.FeedChoice{
		{Path: "/", Title: q.words.KindHome()}, {Path: page.DiscussionsPath, Title: q.words.KindDiscussions()}, {Path: page.DirectsPath, Title: q.words.KindDirects()},
		{Path: page.FavsPath, Title: q.words.KindFavs()}, {Path: page.MentionsPath, Title: q.words.KindMentions()}, {Path: page.FYEOPath, Title: q.words.KindFyeo()},
		{Path: own + "/private", Title: q.words.KindTitlePrivate(q.who.DisplayName)},
	}
	for _, l := range lists {
		m.FeedChoices = append(m.FeedChoices, page.FeedChoice{Path: page.ListPath(l.Name), Title: q.words.KindTitleList(l.Name)})
	}
	m.FeedPage = "/"
	if path, is := ownPath(q.URL.Query().Get("page")); is {
		m.FeedPage = path
		if !slices.ContainsFunc(m.FeedChoices, func(c page.FeedChoice) bool { return c.Path == path }) {
			m.FeedChoices = append(m.FeedChoices, page.FeedChoice{Path: path, Title: path})
		}
	}
	for _, a := range found {
		title := a.Page
		if at := slices.IndexFunc(m.FeedChoices, func(c page.FeedChoice) bool { return c.Path == a.Page }); at >= 0 {
			title = m.FeedChoices[at].Title
		}
		m.FeedAddresses = append(m.FeedAddresses, page.FeedAddress{FeedAddress: a, Title: title})
	}
	return nil
}
