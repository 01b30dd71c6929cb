package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
)

// showGroups shows the directory of groups, those with the most members first.
func (s *Server) showGroups(w http.ResponseWriter, q *request) error {
	m := page.DirectoryModel{Shell: s.shell(q, q.words.FindGroupsTitle()), Text: q.URL.Query().Get("q")}
	m.NoIndex = false
	number, err := readPageNumber(q.URL.Query())
	if err != nil {
		return err
	}
	sizes, err := s.members.get(q.Context())
	if err != nil {
		return err
	}
	groups, err := s.discover.Directory(q.Context(), q.who.User, m.Text, sizes, (number-1)*groupsCount, groupsCount+1)
	if err != nil {
		wrong, bad := q.badQuery(err)
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
			if card := c.Groups[g.ID]; card != nil {
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

// readPageNumber reads the number of a page, 1 or more.
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
