package importer_test

import (
	"bytes"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
)

// good has valid lines. Tests add a bad line to them.
const good = `{"type":"user","name":"anna","display_name":"Anna","status":"public","at":"2015-05-28T08:00:00Z"}
{"type":"user","name":"boris","display_name":"Boris","status":"private","at":"2015-05-28T08:00:00Z"}
{"type":"group","name":"bridges","display_name":"Bridges","status":"public","admins":["anna"],"at":"2015-05-28T08:00:00Z"}
{"type":"post","id":"p1","author":"anna","to":["anna"],"text":"Hello","at":"2015-05-28T08:30:00Z"}
{"type":"comment","id":"c1","post":"p1","author":"boris","text":"Hi","at":"2015-05-28T08:31:00Z"}
`

const at = `"at":"2015-05-28T09:00:00Z"`

func TestBadLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, line, want string }{
		{"not JSON", `hello`, "bad JSON"},
		{"cut off", `{"type":"like","user":"anna"`, "bad JSON: it ends too early"},
		{"empty", ``, "bad JSON: it ends too early"},
		{"two objects", `{"type":"like","user":"boris","post":"p1",` + at + `}{}`, "bad JSON: more after the object"},
		{"a list", `["like"]`, "not a JSON object"},
		{"null", `null`, "not a JSON object"},
		{"invalid UTF-8", `{"type":"comment","id":"c2","post":"p1","author":"anna","text":"caf` + "\xe9" + `",` + at + `}`, "invalid UTF-8"},
		{"half a surrogate pair", `{"type":"comment","id":"c2","post":"p1","author":"anna","text":"\ud83d",` + at + `}`, "half of a surrogate pair"},
		{"a zero character", `{"type":"comment","id":"c2","post":"p1","author":"anna","text":"a\u0000b",` + at + `}`, `"text" has a zero character`},

		{"no type", `{"user":"boris","post":"p1",` + at + `}`, `"type" is missing`},
		{"unknown type", `{"type":"poke","user":"boris",` + at + `}`, `unknown type "poke"`},
		{"unknown key", `{"type":"like","user":"boris","post":"p1","mood":"good",` + at + `}`, `unknown key "mood"`},
		{"unknown key with a number", `{"type":"like","user":"boris","post":"p1","mood":7,` + at + `}`, `unknown key "mood"`},
		{"key of another type", `{"type":"like","user":"boris","post":"p1","text":"x",` + at + `}`, `unknown key "text" in a like`},
		{"list of another type", `{"type":"like","user":"boris","post":"p1","to":["anna"],` + at + `}`, `unknown key "to" in a like`},
		{"key in capitals", `{"type":"like","User":"boris","post":"p1",` + at + `}`, `unknown key "User"`},
		{"key twice", `{"type":"like","user":"anna","user":"boris","post":"p1",` + at + `}`, `key "user" comes twice`},
		{"key missing", `{"type":"like","user":"boris",` + at + `}`, `"post" is missing`},
		{"number for a text", `{"type":"like","user":"boris","post":1,` + at + `}`, `"post" is not a text`},
		{"null for a text", `{"type":"like","user":null,"post":"p1",` + at + `}`, `"user" is not a text`},
		{"object for a text", `{"type":"like","user":{},"post":"p1",` + at + `}`, `"user" is not a text`},
		{"list for a text", `{"type":"like","user":["boris"],"post":"p1",` + at + `}`, `"user" is not a text`},
		{"text for a list", `{"type":"post","id":"p2","author":"anna","to":"anna","text":"x",` + at + `}`, `"to" is not a list of texts`},
		{"list of numbers", `{"type":"post","id":"p2","author":"anna","to":[1],"text":"x",` + at + `}`, `"to" is not a list of texts`},

		{"empty text", `{"type":"comment","id":"c2","post":"p1","author":"anna","text":"",` + at + `}`, `"text" is empty`},
		{"nothing but space", `{"type":"post","id":"p2","author":"anna","to":["anna"],"text":" \n\t",` + at + `}`, `"text" is empty`},
		{"long text", `{"type":"post","id":"p2","author":"anna","to":["anna"],"text":"` + strings.Repeat("ж", 3001) + `",` + at + `}`, `"text" has 3001 characters, more than 3000`},
		{"long name to show", `{"type":"user","name":"chloe","display_name":"` + strings.Repeat("x", 51) + `","status":"public",` + at + `}`, `"display_name" has 51 characters`},
		{"line break in a name", `{"type":"user","name":"chloe","display_name":"a\nb","status":"public",` + at + `}`, `"display_name" has line breaks`},
		{"short name", `{"type":"user","name":"me","display_name":"Me","status":"public",` + at + `}`, `bad name "me"`},
		{"name in capitals", `{"type":"user","name":"Chloe","display_name":"Chloe","status":"public",` + at + `}`, `bad name "Chloe"`},
		{"reserved name", `{"type":"group","name":"settings","display_name":"Settings","status":"public","admins":[],` + at + `}`, `bad name "settings": it is reserved`},
		{"bad status", `{"type":"user","name":"chloe","display_name":"Chloe","status":"deleted",` + at + `}`, `bad status "deleted"`},
		{"empty id", `{"type":"post","id":"","author":"anna","to":["anna"],"text":"x",` + at + `}`, `bad id ""`},
		{"no destination", `{"type":"post","id":"p2","author":"anna","to":[],"text":"x",` + at + `}`, `"to" is empty`},

		{"no time", `{"type":"like","user":"boris","post":"p1","at":""}`, `bad time ""`},
		{"a date", `{"type":"like","user":"boris","post":"p1","at":"2015-05-28"}`, `bad time "2015-05-28"`},
		{"thirteenth month", `{"type":"like","user":"boris","post":"p1","at":"2015-13-28T00:00:00Z"}`, `bad time`},
		{"another zone", `{"type":"like","user":"boris","post":"p1","at":"2015-05-28T08:00:00+02:00"}`, `UTC is wanted`},
		{"far future", `{"type":"like","user":"boris","post":"p1","at":"9999-05-28T08:00:00Z"}`, `out of the range`},

		{"a like by an unknown person", `{"type":"like","user":"zoe","post":"p1",` + at + `}`, `no user "zoe" comes before it`},
		{"no post", `{"type":"like","user":"anna","post":"p9",` + at + `}`, `no post "p9" comes before it`},
		{"no post to comment on", `{"type":"comment","id":"c2","post":"c1","author":"anna","text":"x",` + at + `}`, `no post "c1" comes before it`},
		{"no comment", `{"type":"comment_like","user":"anna","comment":"p1",` + at + `}`, `no comment "p1" comes before it`},
		{"no target", `{"type":"subscription","user":"anna","target":"zoe",` + at + `}`, `no user or group "zoe" comes before it`},
		{"a ban of an unknown name", `{"type":"ban","user":"anna","target":"zoe",` + at + `}`, `no user "zoe" comes before it`},
		{"a group to ban", `{"type":"ban","user":"anna","target":"bridges",` + at + `}`, `"bridges" is a group, a user is wanted`},
		{"a group that likes", `{"type":"like","user":"bridges","post":"p1",` + at + `}`, `"bridges" is a group, a user is wanted`},
		{"no administrator", `{"type":"group","name":"walks","display_name":"W","status":"public","admins":["zoe"],` + at + `}`, `no user "zoe" comes before it`},
		{"a group without administrators", `{"type":"group","name":"walks","display_name":"W","status":"public","admins":[],` + at + `}`, `"admins" is empty`},
		{"a group that administers", `{"type":"group","name":"walks","display_name":"W","status":"public","admins":["bridges"],` + at + `}`, `"bridges" is a group`},
		{"itself administers", `{"type":"group","name":"walks","display_name":"W","status":"public","admins":["walks"],` + at + `}`, `is a group, a user is wanted`},
		{"no author", `{"type":"post","id":"p2","author":"zoe","to":["zoe"],"text":"x",` + at + `}`, `no user "zoe" comes before it`},
		{"nowhere", `{"type":"post","id":"p2","author":"anna","to":["anna","walks"],"text":"x",` + at + `}`, `no user or group "walks" comes before it`},
		{"another's feed", `{"type":"post","id":"p2","author":"anna","to":["boris"],"text":"x",` + at + `}`, `"anna" can't post to the feed of "boris"`},
		{"a direct to an unknown name", `{"type":"post","id":"p2","author":"anna","to":["direct:zoe"],"text":"x",` + at + `}`, `no user "zoe" comes before it`},
		{"a direct to a group", `{"type":"post","id":"p2","author":"anna","to":["direct:bridges"],"text":"x",` + at + `}`, `"bridges" is a group`},
		{"a direct to oneself", `{"type":"post","id":"p2","author":"anna","to":["direct:anna"],"text":"x",` + at + `}`, `a direct message of "anna" to its own author`},
		{"another's private sub-feed", `{"type":"post","id":"p2","author":"anna","to":["private:boris"],"text":"x",` + at + `}`, `"anna" can't post to "private:boris"`},
		{"a private sub-feed of a group", `{"type":"post","id":"p2","author":"anna","to":["private:bridges"],"text":"x",` + at + `}`, `"anna" can't post to "private:bridges"`},
		{"another's own eyes", `{"type":"post","id":"p2","author":"anna","to":["fyeo:boris"],"text":"x",` + at + `}`, `"anna" can't post to "fyeo:boris"`},
		{"own eyes and all eyes", `{"type":"post","id":"p2","author":"anna","to":["fyeo:anna","anna"],"text":"x",` + at + `}`, `for the eyes of "anna" alone is in other places, too`},
		{"a private sub-feed of an unknown name", `{"type":"post","id":"p2","author":"anna","to":["private:zoe"],"text":"x",` + at + `}`, `no user or group "zoe" comes before it`},
		{"a subscription to the own feed", `{"type":"subscription","user":"anna","target":"anna",` + at + `}`, `"user" and "target" of a subscription are both "anna"`},
		{"a ban of oneself", `{"type":"ban","user":"anna","target":"anna",` + at + `}`, `"user" and "target" of a ban are both "anna"`},

		{"a post again with other words", `{"type":"post","id":"p1","author":"anna","to":["anna"],"text":"Bye","at":"2015-05-28T08:30:00Z"}`, `post "p1" is on line 4 already, with other content`},
		{"a comment again by another", `{"type":"comment","id":"c1","post":"p1","author":"anna","text":"Hi","at":"2015-05-28T08:31:00Z"}`, `comment "c1" is on line 5 already, with other content`},
		{"a user again with another status", `{"type":"user","name":"anna","display_name":"Anna","status":"private","at":"2015-05-28T08:00:00Z"}`, `user "anna" is on line 1 already, with other content`},
		{"a group of a user's name", `{"type":"group","name":"anna","display_name":"Anna","status":"public","admins":["anna"],` + at + `}`, `group "anna" is on line 1 already, with other content`},
		{"a line without an end", `{"type":"comment","id":"c2","post":"p1","author":"anna","text":"` + strings.Repeat("x", 2<<20) + `",` + at + `}`, "longer than 1048576 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			// The bad line is in the batch of the good lines, and in the next batch.
			for _, batch := range []int{100, 5} {
				bad := refuseFile(t, pool, []byte(good+tt.line+"\n"), batch)
				if bad.Line != 6 || !strings.Contains(bad.Reason, tt.want) {
					t.Fatalf("got %q, want line 6 and %q", bad, tt.want)
				}
				var people, posts int
				if err := pool.QueryRow(t.Context(), `select (select count(*) from names), (select count(*) from posts)`).Scan(&people, &posts); err != nil {
					t.Fatal(err)
				}
				if kept := people > 0 || posts > 0; kept != (batch == 5) {
					t.Errorf("batches of %d: %d names and %d posts are there", batch, people, posts)
				}
			}
			checkPrimary(t, pool)
		})
	}
}

// TestOrderOfLines: a line must come before the lines that refer to it, even within one batch, and even
// if an earlier run has imported it.
func TestOrderOfLines(t *testing.T) {
	t.Parallel()
	lines := strings.SplitAfter(good, "\n")
	for _, tt := range []struct {
		name  string
		order []int
		line  int
	}{
		{"a post before its author", []int{3, 0, 1, 2}, 1},
		{"a group before its administrator", []int{1, 2, 0}, 2},
		{"a comment before its post", []int{0, 1, 4, 3}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var file bytes.Buffer
			for _, i := range tt.order {
				file.WriteString(lines[i])
			}
			for _, batch := range []int{1, 100} {
				if bad := refuseFile(t, pgtest.New(t), file.Bytes(), batch); bad.Line != tt.line {
					t.Errorf("batches of %d: %v, want line %d", batch, bad, tt.line)
				}
			}
		})
	}
}

// TestRepeatedLines: it is not an error if a line is there twice.
func TestRepeatedLines(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	once, twice := pgtest.New(t), pgtest.New(t)
	more := good + `{"type":"like","user":"boris","post":"p1",` + at + "}\n" + `{"type":"ban","user":"anna","target":"boris",` + at + "}\n"
	importFile(t, once, []byte(more), 0)
	for _, batch := range []int{100, 3} {
		report := importFile(t, twice, []byte(more+more), batch)
		if report.New()+report.Bans.There+report.Likes.There+report.Posts.There+report.Comments.There+report.Users.There+report.Groups.There != 14 {
			t.Errorf("batches of %d: %v", batch, &report)
		}
		same(t, dump(t, once), dump(t, twice))
	}
}
