package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
)

// How much directories show.
const (
	directoryCount = 50 // people or groups a page
	directoryPages = 128
	pageFieldKey   = "page"
	sortFieldKey   = "sort"
)

// A directoryPage is the part of a directory that an address means.
type directoryPage struct {
	text   string
	order  discover.Order
	number int
}

// readDirectoryPage reads the query of a directory's address.
func readDirectoryPage(query url.Values) (directoryPage, error) {
	p := directoryPage{text: query.Get("q"), order: discover.BySize, number: 1}
	switch order := discover.Order(query.Get(sortFieldKey)); order {
	case "":
	case discover.BySize, discover.ByActivity, discover.ByName:
		p.order = order
	default:
		return p, &timeline.InvalidError{Field: sortFieldKey, Reason: "is neither size nor activity nor name"}
	}
	if number := query.Get(pageFieldKey); number != "" {
		var err error
		if p.number, err = strconv.Atoi(number); err != nil || p.number < 1 || p.number > directoryPages {
			return p, &timeline.InvalidError{Field: pageFieldKey, Reason: "is not a number from 1 to 128"}
		}
	}
	return p, nil
}

// address returns the address of the page, below the path of the directory.
func (p directoryPage) address(path string) string {
	query := url.Values{}
	if p.text != "" {
		query.Set("q", p.text)
	}
	if p.order != discover.BySize {
		query.Set(sortFieldKey, string(p.order))
	}
	if p.number > 1 {
		query.Set(pageFieldKey, strconv.Itoa(p.number))
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// showDirectory shows a page of the people or of the groups. Found and size are the names of
// the list and of the sizes in the answer as JSON.
func (s *Server) showDirectory(w http.ResponseWriter, q *request, d directory, m page.DirectoryModel, found, size string) error {
	p, err := readDirectoryPage(q.URL.Query())
	if err != nil {
		return err
	}
	m.Text = p.text
	m.NoIndex = p.order != discover.BySize || p.text != "" || m.NoIndex
	ranked, err := d.standings.get(q.Context())
	if err != nil {
		return err
	}
	listed, err := s.discover.Directory(q.Context(), q.who.User, d.what, p.text, p.order, ranked, (p.number-1)*directoryCount, directoryCount+1)
	if err != nil {
		wrong, bad := q.badQuery(err)
		if !q.html || !bad {
			return err
		}
		m.Text, m.Problem = strings.ToValidUTF8(m.Text, "�"), wrong
		return s.page(w, q, http.StatusUnprocessableEntity, page.Directory(m))
	}
	if len(listed) > directoryCount {
		listed = listed[:directoryCount]
		if p.number < directoryPages {
			m.Older = directoryPage{p.text, p.order, p.number + 1}.address(m.At)
		}
	}
	if p.number > 1 {
		m.Newer = directoryPage{p.text, p.order, p.number - 1}.address(m.At)
	}
	c, err := d.cardsOf(q.Context(), s, listed)
	if err != nil {
		return err
	}
	if q.html {
		sets, _, err := s.setsAndCards(q.Context(), q.who.User, address.Owner{})
		if err != nil {
			return err
		}
		m.Rows, m.Orders = d.rows(listed, c, sets), p.orders(q, m.At)
		return s.page(w, q, http.StatusOK, page.Directory(m))
	}
	all := make([]map[string]any, 0, len(listed))
	for _, l := range listed {
		all = append(all, map[string]any{"id": l.ID, size: l.Members})
	}
	body := map[string]any{found: all}
	for key, address := range map[string]string{"older_url": m.Older, "newer_url": m.Newer} {
		if address != "" {
			body[key] = strings.Replace(address, m.At, m.At+".json", 1)
		}
	}
	return s.jsonFound(w, q, c, body)
}

// orders returns the links to the directory in each order.
func (p directoryPage) orders(q *request, path string) page.Picker {
	picker := page.Picker{Label: q.words.FindOrder()}
	for _, o := range []struct {
		order discover.Order
		text  string
	}{{discover.BySize, q.words.FindOrderSize()}, {discover.ByActivity, q.words.FindOrderActivity()}, {discover.ByName, q.words.FindOrderName()}} {
		picker.Choices = append(picker.Choices, page.PickerLink{Text: o.text, Href: directoryPage{p.text, o.order, 1}.address(path), Current: o.order == p.order})
	}
	return picker
}
