package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Lines writes the history of the archive as lines of an import. It returns the format, "mokum",
// "freefeed" or "mastodon", and counts of the objects that it left out. The format is the source
// of the lines, so that a post in the archives of two people is imported once. It returns
// [ErrUnknown] if no page has a known format.
func (a *Archive) Lines(out io.Writer, opts Options) (format string, skipped Skipped, err error) {
	h := newHistory(a.skipped)
	files, err := a.fileIndex()
	if err != nil {
		return "", a.skipped, err
	}
	for _, name := range a.pages {
		data, err := a.page(name)
		if err != nil {
			return "", a.skipped, err
		}
		if data == nil {
			a.skipped.add("file", "longer than a page can be")
			continue
		}
		if !h.read(name, data, files) {
			a.skipped.add("file", "no page of a known format")
		}
	}
	if h.site == "" {
		return "", a.skipped, fmt.Errorf("%w: none of its %d JSON files is a page of Mokum, FreeFeed or Mastodon", ErrUnknown, len(a.pages))
	}
	h.finishFreeFeed(files)
	return h.site, a.skipped, h.write(out, opts)
}

// page returns the content of a page, or nil if the page is too long.
func (a *Archive) page(name string) ([]byte, error) {
	file, err := a.Root.Open(name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, a.limits.Page+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read %q: %w", name, err)
	}
	if int64(len(data)) > a.limits.Page {
		return nil, nil
	}
	return data, nil
}

// An index has the paths of the archive's files other than pages, by "/" and the path, and by the
// name alone. A name that several files share has the path "?".
type index map[string]string

// fileIndex returns the index of the archive's files.
func (a *Archive) fileIndex() (index, error) {
	found := index{}
	err := fs.WalkDir(a.Root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || strings.EqualFold(path.Ext(name), ".json") {
			return err
		}
		found["/"+name] = name
		if base := path.Base(name); found[base] == "" {
			found[base] = name
		} else {
			found[base] = "?"
		}
		return nil
	})
	return found, err
}

// at returns the path of the file with an address on the other site, or "" if the archive does not
// have the file. It looks for the path of the address, and then for its last part alone.
func (i index) at(address string) string {
	address, _, _ = strings.Cut(address, "?")
	if _, rest, absolute := strings.Cut(address, "://"); absolute {
		_, rest, _ = strings.Cut(rest, "/")
		address = rest
	}
	address = strings.TrimPrefix(address, "/")
	if found := i["/"+address]; found != "" {
		return found
	}
	if found := i[path.Base(address)]; found != "?" && address != "" {
		return found
	}
	return ""
}

// read reads a page into the history, and reports whether its format is known.
func (h *history) read(name string, data []byte, files index) bool {
	var keys map[string]json.RawMessage
	if !utf8.Valid(data) || !decode(data, &keys) {
		return false
	}
	has := func(wanted ...string) bool {
		for _, key := range wanted {
			if _, there := keys[key]; !there {
				return false
			}
		}
		return true
	}
	switch base := path.Base(name); {
	case has("orderedItems"):
		return h.readMastodon(base, path.Dir(name), data, files)
	case base == "actor.json" && has("preferredUsername"):
		return h.readActor(data)
	case has("users", "entries"), has("users", "comments", "groups"), has("users", "subscriptions", "group_subscriptions"), has("users", "subscribers", "banned_subscribers"):
		return h.readMokum(data, files)
	case has("posts", "users"):
		return h.readFreeFeed(data)
	default:
		return h.readFreeFeedPart(base, keys)
	}
}

// An id is an id of an archive: a number, or a text.
type id string

// UnmarshalJSON implements [json.Unmarshaler].
func (i *id) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*i = id(text)
		return nil
	}
	number, err := strconv.ParseInt(string(data), 10, 64)
	if err != nil {
		return errors.New("not an id")
	}
	*i = id(strconv.FormatInt(number, 10))
	return nil
}

// A flag is a boolean, which may be sent as a text or a number.
type flag bool

// UnmarshalJSON implements [json.Unmarshaler].
func (f *flag) UnmarshalJSON(data []byte) error {
	switch strings.Trim(string(data), `"`) {
	case "true", "1":
		*f = true
	case "false", "0", "null", "":
		*f = false
	default:
		return errors.New("neither true nor false")
	}
	return nil
}

// whenOf reads a time in one of the forms of archives: RFC 3339, a date, or milliseconds.
func whenOf(text string) (at time.Time, ok bool) {
	for _, form := range []string{time.RFC3339, "2006-01-02", "2006-01-02 15:04:05Z07:00"} {
		if at, err := time.Parse(form, text); err == nil {
			return at.UTC(), inRange(at)
		}
	}
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		at = time.UnixMilli(ms).UTC()
		return at, inRange(at)
	}
	return at, false
}

// inRange reports whether a time is plausible in a history.
func inRange(at time.Time) bool { return at.Year() >= 1990 && at.Before(time.Now().Add(48*time.Hour)) }
