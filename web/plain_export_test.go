package web_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"amstel.dev/amstel/internal/plainrule"
	"amstel.dev/amstel/internal/world"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/exporter"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
)

// ownWordsApart is the file of an export with a person's own words below posts that the person may no
// longer read.
const ownWordsApart = "apart.jsonl"

// compareExport reads the file with all that is a person's: it has nothing that the plain rule refuses
// the person, except what they wrote themselves: earlier texts, and, in a file apart, words below posts
// that they may no longer read. Each post of theirs is in it.
func (p *plainSite) compareExport(v int64) {
	p.t.Helper()
	if v == 0 {
		return
	}
	english, _ := catalogue.Find("en")
	options := exporter.Options{User: timeline.UserID(v), Pages: page.Export{Language: english}}
	var file bytes.Buffer
	if _, err := exporter.Write(p.t.Context(), p.pool, &file, options); err != nil {
		p.t.Fatalf("export of %s: %v", p.name(v), err)
	}
	z, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		p.t.Fatalf("export of %s: %v", p.name(v), err)
	}
	var all strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			p.t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			p.t.Fatal(err)
		}
		all.Write(text)
		leaked := slices.DeleteFunc(p.leaks(v, string(text)), func(secret string) bool {
			return p.wroteBefore(v, secret) || f.Name == ownWordsApart && p.commented(v, secret)
		})
		if len(leaked) > 0 {
			p.t.Errorf("%s of the export of %s has %v, which the person may not see", f.Name, p.name(v), leaked)
		}
		if f.Name == "data.jsonl" {
			p.compareExportedNames(v, text)
		}
	}
	for id, post := range p.site.Posts {
		for _, secret := range world.Secrets(post.Text) {
			if post.Author == v && !strings.Contains(all.String(), secret) {
				p.t.Errorf("the export of %s lacks %s of their own post %d", p.name(v), secret, id)
			}
		}
	}
	p.seen["exports"]++
}

// compareExportedNames holds that the lines of posts and of what hangs on them name no person across a ban.
func (p *plainSite) compareExportedNames(v int64, lines []byte) {
	p.t.Helper()
	apart := make(map[string]bool)
	for id, person := range p.site.People {
		if p.site.Apart(v, id) {
			apart[person.Name] = true
		}
	}
	for line := range bytes.Lines(lines) {
		var l struct {
			Type, Author, User string
			To                 []string
		}
		if err := json.Unmarshal(line, &l); err != nil {
			p.t.Fatalf("export of %s: %v in %s", p.name(v), err, line)
		}
		if !slices.Contains([]string{"post", "comment", "like", "comment_like", "favourite", "earlier_text", "comment_earlier_text"}, l.Type) {
			continue
		}
		for _, name := range append(l.To, l.Author, l.User) {
			if _, account, prefixed := strings.Cut(name, ":"); prefixed {
				name = account
			}
			if apart[name] {
				p.t.Errorf("the export of %s names %s, who is across a ban: %s", p.name(v), name, line)
			}
		}
		p.seen["exported lines"]++
	}
}

// commented reports whether a secret is in a comment of a person's.
func (p *plainSite) commented(v int64, secret string) bool {
	for _, post := range p.site.Posts {
		for _, c := range post.Comments {
			if c.Author == v && strings.Contains(c.Text, secret) {
				return true
			}
		}
	}
	return false
}

// wroteBefore reports whether a secret is in an earlier text of a post or a comment of a person's.
func (p *plainSite) wroteBefore(v int64, secret string) bool {
	in := func(earlier []plainrule.Earlier) bool {
		return slices.ContainsFunc(earlier, func(e plainrule.Earlier) bool { return strings.Contains(e.Text, secret) })
	}
	for _, post := range p.site.Posts {
		if post.Author == v && in(post.Earlier) {
			return true
		}
		for _, c := range post.Comments {
			if c.Author == v && in(c.Earlier) {
				return true
			}
		}
	}
	return false
}
