package archive

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"amstel.dev/amstel/timeline/importer"
	"amstel.dev/amstel/timeline/text"
)

// unknownTime is the creation time of accounts for which the archive has none. It is the beginning
// of FriendFeed, the model of these sites, so it is before all posts.
var unknownTime = time.Date(2007, time.October, 1, 0, 0, 0, 0, time.UTC)

// Options say which accounts of this site the accounts of an archive are.
type Options struct {
	// Names are the names that accounts get here, by their names in the archive. Other accounts keep
	// their names.
	Names map[string]string
	// Find returns the account that has a name here.
	Find func(name string) (importer.Account, error)
	// Admins are the names of people here. They become the administrators of groups whose
	// administrators are not in the archive. If Admins is empty, the first person who wrote in a
	// group administers the group.
	Admins []string
}

// A writer writes a history as lines.
type writer struct {
	*history
	Options
	out    io.Writer
	names  map[string]string // the names of accounts here, by key
	open   map[string]bool   // accounts whose feeds more people can read here than on the other site, by key
	closed map[string]bool   // accounts that were made here, and whose feeds are not public here, by key
	taken  map[string]bool   // the ids of the posts that were written
	err    error             // the first error
}

// write writes the lines of a history.
func (h *history) write(out io.Writer, opts Options) error {
	w := &writer{
		history: h, Options: opts, out: out, names: map[string]string{}, open: map[string]bool{}, closed: map[string]bool{}, taken: map[string]bool{},
	}
	w.writeAccounts()
	w.writeSubscriptions()
	w.writePosts()
	w.writeComments()
	w.writeLikes()
	w.writeFiles()
	return w.err
}

// A line is a line of the import.
type line map[string]any

// put writes a line, and reports whether package importer takes it.
func (w *writer) put(kind string, l line) bool {
	if w.err != nil {
		return false
	}
	l["type"] = kind
	encoded, err := json.Marshal(l)
	if err != nil {
		w.err = err
		return false
	}
	if err := importer.CheckLine(encoded); err != nil {
		w.skipped.add(strings.ReplaceAll(kind, "_", " "), "against a rule of this site")
		return false
	}
	_, w.err = w.out.Write(append(encoded, '\n'))
	return w.err == nil
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// writeAccounts finds the name that each account gets here, and writes the people, then the groups.
func (w *writer) writeAccounts() {
	used := map[string]bool{}
	for _, group := range []bool{false, true} {
		for _, key := range slices.Sorted(maps.Keys(w.accounts)) {
			a := w.accounts[key]
			if a.group != group {
				continue
			}
			kind := "user"
			if group {
				kind = "group"
			}
			name := cmp.Or(w.Names[a.name], a.name)
			if text.CheckName(name) != nil {
				w.skipped.add(kind, "its name can't be used here; --name OLD=NEW gives it another")
				continue
			}
			if used[name] {
				w.skipped.add(kind, "another account of the archive has its name")
				continue
			}
			here, err := w.Find(name)
			if err != nil {
				w.err = cmp.Or(w.err, err)
				return
			}
			if a.at.IsZero() {
				a.at = unknownTime
			}
			l := line{"name": name, "display_name": displayed(a.display, name), "status": a.status, "at": stamp(a.at)}
			w.names[key] = name
			if group {
				if l["admins"] = w.adminsOf(key, a); len(l["admins"].([]string)) == 0 {
					w.skipped.add(kind, "the archive tells no administrator, and there is none here")
					delete(w.names, key)
					continue
				}
			}
			if !w.put(kind, l) {
				delete(w.names, key)
				continue
			}
			used[name] = true
			if here.Status == "" {
				continue
			}
			w.open[key] = openness(statusHere(here.Status)) > openness(a.status)
			// An account with exactly the creation time in the archive came here by an import.
			w.closed[key] = openness(statusHere(here.Status)) < openness("public") && !here.CreatedAt.Equal(a.at)
		}
	}
}

// displayed returns a display name in the form that lines allow, or name if nothing is left of it.
func displayed(display, name string) string {
	display = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, norm.NFC.String(strings.ToValidUTF8(display, "")))
	const most = 50
	if runes := []rune(strings.TrimSpace(display)); len(runes) > most {
		display = string(runes[:most])
	}
	return cmp.Or(strings.TrimSpace(display), name)
}

// adminsOf returns the names here of a group's administrators: of those in the archive, else those of
// [Options.Admins], else the first person who wrote in the group.
func (w *writer) adminsOf(key string, a *account) (names []string) {
	for _, admin := range a.admins {
		if name := w.names[admin]; name != "" {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		return names
	}
	if len(w.Admins) > 0 {
		return w.Admins
	}
	for _, id := range w.postsInOrder() {
		p := w.posts[id]
		if name := w.names[p.author]; name != "" && slices.Contains(p.to, place{"feed", key}) {
			return []string{name}
		}
	}
	return nil
}

// writeSubscriptions writes the subscriptions of the archive's owner and to the owner. It leaves out
// subscriptions to feeds that were made here and are not public: an archive may be forged, and must
// not open such a feed.
func (w *writer) writeSubscriptions() {
	pairs := slices.SortedFunc(maps.Keys(w.subscriptions), func(a, b [2]string) int {
		return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1]))
	})
	for _, pair := range pairs {
		user, target := w.names[pair[0]], w.names[pair[1]]
		at := w.accounts[pair[1]].at
		if from := w.accounts[pair[0]]; from != nil && from.at.After(at) {
			at = from.at
		}
		switch {
		case user == "" || target == "":
			w.skipped.add("subscription", "its account is not taken")
		case w.closed[pair[1]]:
			w.skipped.add("subscription", "of a feed that was made here, and that is not public")
		case user != target:
			w.put("subscription", line{"user": user, "target": target, "at": stamp(at)})
		}
	}
}

// postsInOrder returns the ids of posts, the oldest first.
func (w *writer) postsInOrder() []string {
	return slices.SortedFunc(maps.Keys(w.posts), func(a, b string) int {
		return cmp.Or(w.posts[a].at.Compare(w.posts[b].at), strings.Compare(a, b))
	})
}

func (w *writer) writePosts() {
	for _, id := range w.postsInOrder() {
		p := w.posts[id]
		author := w.names[p.author]
		if author == "" {
			w.skipped.add("post", "its author is not taken")
			continue
		}
		to := w.placesOf(p)
		if len(to) == 0 {
			continue // placesOf counted it
		}
		written, why := writable(p.text, p.files)
		if why != "" {
			w.skipped.add("post", why)
			continue
		}
		w.taken[id] = w.put("post", line{"id": id, "author": author, "to": to, "text": written, "at": stamp(p.at)})
		if w.taken[id] {
			w.skipped.addN("like", "by people whom the archive does not name", p.moreLike)
		}
	}
}

// writable returns a text in the form of a line, or the reason why no line can have the text. A
// text may be missing beside files, whose names then take its place.
func writable(written string, files []file) (_, why string) {
	written = strings.ReplaceAll(strings.ToValidUTF8(written, "\uFFFD"), "\x00", "")
	if strings.TrimSpace(written) == "" {
		var names []string
		for _, f := range files {
			names = append(names, f.name)
		}
		written = strings.TrimSpace(strings.Join(names, ", "))
	}
	switch n := utf8.RuneCountInString(norm.NFC.String(written)); {
	case written == "":
		return "", "it has no text"
	case n > text.MaxText:
		return "", fmt.Sprintf("it has more than %d characters", text.MaxText)
	}
	return written, ""
}

// placesOf returns the places of a post here, in the form of lines. It leaves out places where more
// people could read the post than on the other site. If no place is left, it counts the post as
// skipped.
func (w *writer) placesOf(p *post) (to []string) {
	why := "the archive does not tell who could read it"
	for _, at := range p.to {
		owner, name := w.accounts[at.of], w.names[at.of]
		switch {
		case owner == nil || name == "":
			why = "its group or recipient is not taken"
		case at.kind == "direct" && at.of != p.author:
			to = append(to, "direct:"+name)
		case at.of == p.author && (at.kind == "private" || at.kind == "fyeo"):
			to = append(to, at.kind+":"+name)
		case at.kind != "feed" || !owner.group && at.of != p.author:
			why = "it is in a place that this site does not have"
		case w.open[at.of]:
			why = "more people can read the feed here than could there"
		case p.closed && owner.status == "public":
		default:
			to = append(to, name)
		}
	}
	to = slices.Compact(slices.Sorted(slices.Values(to)))
	isDirect := func(to string) bool { return strings.HasPrefix(to, "direct:") }
	isOwn := func(to string) bool { return strings.HasPrefix(to, "fyeo:") }
	// A direct, and a post for its author's eyes, can't be in other places too; keep the narrower
	// places.
	if slices.ContainsFunc(to, isDirect) || slices.ContainsFunc(to, isOwn) {
		keep := isOwn
		if !slices.ContainsFunc(to, isOwn) {
			keep = isDirect
		}
		to = slices.DeleteFunc(to, func(to string) bool { return !keep(to) })
	}
	if len(to) == 0 {
		w.skipped.add("post", why)
	}
	return to
}

func (w *writer) writeComments() {
	found := map[string]int{}
	for _, id := range slices.SortedFunc(maps.Keys(w.comments), func(a, b string) int {
		return cmp.Or(w.comments[a].at.Compare(w.comments[b].at), cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	}) {
		c := w.comments[id]
		found[c.post]++
		author := w.names[c.author]
		written, why := writable(c.text, c.files)
		switch {
		case !w.taken[c.post]:
			w.skipped.add("comment", "its post is not taken")
		case author == "":
			w.skipped.add("comment", "its author is not taken")
		case why != "":
			w.skipped.add("comment", why)
		case w.put("comment", line{"id": id, "post": c.post, "author": author, "text": written, "at": stamp(c.at)}):
			continue
		}
		delete(w.comments, id)
	}
	for id, p := range w.posts {
		if w.taken[id] {
			w.skipped.addN("comment", "folded away: the archive has not the whole post", p.comments-found[id])
		}
	}
}

// writeLikes writes the likes. An archive does not have the times of likes, so they get the time of
// their post, a millisecond apart in their order.
func (w *writer) writeLikes() {
	for _, id := range w.postsInOrder() {
		p := w.posts[id]
		if !w.taken[id] {
			w.skipped.addN("like", "its post is not taken", len(p.likes))
			continue
		}
		for i, liker := range p.likes {
			if user := w.names[liker]; user == "" {
				w.skipped.add("like", "its person is not taken")
			} else {
				w.put("like", line{"user": user, "post": id, "at": stamp(p.at.Add(time.Duration(i) * time.Millisecond))})
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(w.comments)) {
		c := w.comments[id]
		for _, liker := range c.likes {
			if user := w.names[liker]; user != "" {
				w.put("comment_like", line{"user": user, "comment": id, "at": stamp(c.at)})
			}
		}
	}
}

func (w *writer) writeFiles() {
	put := func(kind, of, id string, files []file, at time.Time) {
		for i, f := range files {
			if f.path == "" {
				w.skipped.add("file", "the archive does not have it")
				continue
			}
			alt := strings.Map(func(c rune) rune {
				if unicode.IsControl(c) {
					return ' '
				}
				return c
			}, text.Cut(strings.ToValidUTF8(f.alt, ""), 1000))
			w.put(kind, line{"id": cmp.Or(f.id, fmt.Sprintf("%s %d", id, i)), of: id, "path": f.path, "alt": alt, "at": stamp(at)})
		}
	}
	for _, id := range w.postsInOrder() {
		if w.taken[id] {
			put("file", "post", id, w.posts[id].files, w.posts[id].at)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(w.comments)) {
		put("comment_file", "comment", id, w.comments[id].files, w.comments[id].at)
	}
}

// decode decodes a part of a page, and reports whether the part has the right types.
func decode(raw []byte, to any) bool {
	return json.NewDecoder(bytes.NewReader(raw)).Decode(to) == nil
}
