package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// How many are listed at once.
const (
	findMost     = 50 // people, and groups, by a name
	groupsCount  = 50 // groups a page of the directory
	groupsPages  = 128
	suggestMost  = 8
	pageFieldKey = "page"
)

// showFound shows the people and groups that a name finds.
func (s *Server) showFound(w http.ResponseWriter, q *request) error {
	m := page.FindModel{Shell: s.shell(q, "People and groups"), Text: q.URL.Query().Get("q")}
	if q.html && strings.TrimSpace(m.Text) == "" {
		m.Suggest = s.suggested(q, page.FindPath)
		return s.page(w, q, http.StatusOK, page.Find(m))
	}
	f, err := s.foundBy(q.Context(), q.who.User, m.Text, findMost)
	if err != nil {
		wrong, bad := badQuery(err)
		if !q.html || !bad {
			return err
		}
		m.Text, m.Problem = strings.ToValidUTF8(m.Text, "�"), wrong
		return s.page(w, q, http.StatusUnprocessableEntity, page.Find(m))
	}
	if !q.html {
		return s.jsonFound(w, q, f.cards, map[string]any{"found_users": notNil(f.people), "found_groups": notNil(f.groups)})
	}
	m.Users, m.Groups = shownUsers(f.cards, f.people), shownGroups(f.cards, f.groups)
	m.More = max(len(f.people), len(f.groups)) >= findMost
	return s.page(w, q, http.StatusOK, page.Find(m))
}

// badQuery is what is wrong with what was looked for, if that is what an error
// says.
func badQuery(err error) (reason string, bad bool) {
	for _, wrong := range invalid(err) {
		if wrong.Field == "q" {
			return wrong.Reason, true
		}
	}
	return "", false
}

// jsonFound answers with the cards of people and groups, as the asker sees them.
func (s *Server) jsonFound(w http.ResponseWriter, q *request, c cards, body map[string]any) error {
	sets, _, err := s.regard(q.Context(), q.who.User, owner{})
	if err != nil {
		return err
	}
	body["users"], body["groups"] = c.shapes(sets)
	s.json(w, q, http.StatusOK, body)
	return nil
}

// showGroups shows the directory of groups, those with the most members first.
func (s *Server) showGroups(w http.ResponseWriter, q *request) error {
	m := page.DirectoryModel{Shell: s.shell(q, "Groups"), Text: q.URL.Query().Get("q")}
	m.NoIndex = false
	number, err := readPageNumber(q.URL.Query())
	if err != nil {
		return err
	}
	sizes, err := s.members.get(q.Context())
	if err != nil {
		return err
	}
	groups, err := s.store.Directory(q.Context(), q.who.User, m.Text, sizes, (number-1)*groupsCount, groupsCount+1)
	if err != nil {
		wrong, bad := badQuery(err)
		if !q.html || !bad {
			return err
		}
		m.Text, m.Problem = strings.ToValidUTF8(m.Text, "�"), wrong
		return s.page(w, q, http.StatusUnprocessableEntity, page.Directory(m))
	}
	if len(groups) > groupsCount {
		groups = groups[:groupsCount]
		if number < groupsPages {
			m.Older = groupsAddress(m.Text, number+1)
		}
	}
	if number > 1 {
		m.Newer = groupsAddress(m.Text, number-1)
	}
	var ids []timeline.GroupID
	for _, g := range groups {
		ids = append(ids, g.ID)
	}
	c, err := s.cards(q.Context(), nil, ids)
	if err != nil {
		return err
	}
	if q.html {
		for _, g := range groups {
			if card := c.groups[g.ID]; card != nil {
				m.Groups = append(m.Groups, page.GroupListed{Card: card, Members: g.Members})
			}
		}
		return s.page(w, q, http.StatusOK, page.Directory(m))
	}
	type listed struct {
		ID      timeline.GroupID `json:"id"`
		Members int              `json:"members"`
	}
	all := make([]listed, 0, len(groups))
	for _, g := range groups {
		all = append(all, listed(g))
	}
	body := map[string]any{"found_groups": all}
	for key, address := range map[string]string{"older_url": m.Older, "newer_url": m.Newer} {
		if address != "" {
			body[key] = strings.Replace(address, page.GroupsPath, page.GroupsPath+".json", 1)
		}
	}
	return s.jsonFound(w, q, c, body)
}

// readPageNumber reads which page is asked for, from 1 on.
func readPageNumber(query url.Values) (int, error) {
	text := query.Get(pageFieldKey)
	if text == "" {
		return 1, nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > groupsPages {
		return 0, &timeline.InvalidError{Field: pageFieldKey, Reason: "is not a number from 1 to 128"}
	}
	return number, nil
}

func groupsAddress(text string, number int) string {
	query := url.Values{}
	if text != "" {
		query.Set("q", text)
	}
	if number > 1 {
		query.Set(pageFieldKey, strconv.Itoa(number))
	}
	if len(query) == 0 {
		return page.GroupsPath
	}
	return page.GroupsPath + "?" + query.Encode()
}

// suggest finds whom the asker may want to follow, with their cards.
func (s *Server) suggest(q *request) (timeline.Suggestions, cards, error) {
	some, err := s.store.Suggest(q.Context(), q.who.User, suggestMost)
	if err != nil {
		return some, cards{}, err
	}
	var people []timeline.UserID
	var groups []timeline.GroupID
	for _, p := range some.People {
		people = append(people, p.ID)
	}
	for _, g := range some.Groups {
		groups = append(groups, g.ID)
	}
	c, err := s.cards(q.Context(), people, groups)
	return some, c, err
}

// suggestionJSON is whom, or what, to follow, and how many friends do.
type suggestionJSON[ID ~int64] struct {
	ID      ID  `json:"id"`
	Friends int `json:"friends"`
}

func suggestionsOf[ID ~int64](some []timeline.Suggestion[ID]) []suggestionJSON[ID] {
	all := make([]suggestionJSON[ID], 0, len(some))
	for one := range slices.Values(some) {
		all = append(all, suggestionJSON[ID](one))
	}
	return all
}

// listSuggestions answers with whom the asker may want to follow.
func (s *Server) listSuggestions(w http.ResponseWriter, q *request) error {
	some, c, err := s.suggest(q)
	if err != nil {
		return err
	}
	return s.jsonFound(w, q, c, map[string]any{"suggested_users": suggestionsOf(some.People), "suggested_groups": suggestionsOf(some.Groups)})
}
