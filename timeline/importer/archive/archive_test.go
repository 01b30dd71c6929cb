package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline/importer"
)

// A saved has the contents of the files of an archive, by path.
type saved map[string]string

// folder writes the files into a folder.
func (s saved) folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range s {
		at := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// zip writes the files into a zip file.
func (s saved) zip(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(s)) {
		f, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(f, s[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, "backup.zip", b.Bytes())
}

// tar writes the files into a compressed tar file.
func (s saved) tar(t *testing.T, more ...*tar.Header) string {
	t.Helper()
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	w := tar.NewWriter(packed)
	for _, name := range slices.Sorted(maps.Keys(s)) {
		err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o600, Size: int64(len(s[name]))})
		if err == nil {
			_, err = io.WriteString(w, s[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, header := range more {
		if err := w.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), packed.Close()); err != nil {
		t.Fatal(err)
	}
	return write(t, "archive.tar.gz", b.Bytes())
}

func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	at := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(at, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return at
}

// noAccount reports for each name that there is no account with it here.
func noAccount(string) (importer.Account, error) { return importer.Account{}, nil }

// linesOf returns the lines of an archive, as short texts, and the numbers of things that were skipped.
func linesOf(t *testing.T, at string, opts Options) (format string, lines []string, skipped Skipped) {
	t.Helper()
	a, err := Open(at, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	if opts.Find == nil {
		opts.Find = noAccount
	}
	var out bytes.Buffer
	format, skipped, err = a.Lines(&out, opts)
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.Lines(out.String()) {
		var l map[string]any
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		short := fmt.Sprint(l["type"])
		delete(l, "type")
		for _, key := range []string{"id", "name", "user", "author", "target", "post", "comment", "to", "text", "path", "alt", "display_name", "status", "admins", "at"} {
			if value, there := l[key]; there {
				short += fmt.Sprintf(" %v", value)
			}
		}
		lines = append(lines, short)
	}
	return format, lines, skipped
}

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

const mokumUsers = `"users":{
	"1":{"id":1,"name":"anna","display_name":"Anna","status":"public","created_at":"2015-05-28","url":"/anna","avatar_url":"//www.gravatar.com/x","is_you":true},
	"2":{"id":2,"name":"boris","display_name":"Boris\nB.","status":"private","description":null,"created_at":"2015-05-29","you_are_subscribed":true},
	"3":{"id":3,"name":"me","display_name":"Short","status":"public","created_at":"2015-05-29"},
	"4":{"id":4,"name":"gone","display_name":"","status":"deleted","created_at":"2015-05-29","subscribed_to_you":true}},
	"groups":{"7":{"id":7,"name":"rowing","display_name":"Rowing","status":"private","url":"/rowing","you_are_subscribed":true,"you_are_admin":true},
	"8":{"id":8,"name":"walks","display_name":"Walks","status":"public"}}`

// mokumPages are pages as backup programs save them, of both eras of the API.
var mokumPages = saved{
	"anna/page-1.json": `{"entries":[
		{"id":31,"url":"/anna/31","user_id":1,"version":3,"text":"Old words","published_at":"2016-06-29T22:00:30.000Z","fresh_at":"2016-06-29T22:05:00.000Z","is_public":true,"reason":{},
			"likes":[2,4],"more_likes":2,"comments":[
				{"id":101,"post_id":31,"user_id":2,"text":"First","created_at":"2016-06-29T22:01:00.000Z"},
				{"id":105,"post_id":31,"user_id":4,"text":"Last","created_at":"2016-06-29T22:05:00.000Z","user_liked":true,"clikes_count":1}],"comments_count":5,"gap_position":1,"attachments":[],"embeds":[]},
		{"id":"32","user_id":"1","text":"","published_at":"2016-06-30T10:00:00.000Z","is_public":true,"reason":{"user":[1],"group":[8]},"likes":[],"more_likes":0,"comments":[],"comments_count":0,
			"attachments":[{"id":9,"attachment_file_name":"boat.jpg","original_url":"/system/attachments/000/000/009/mokum-original-ab.jpg"},{"id":10,"attachment_file_name":"oar.jpg","original_url":"/system/attachments/10/oar.jpg"}]},
		{"id":33,"user_id":1,"text":"In a closed group","published_at":"2016-07-01T10:00:00.000Z","is_public":false,"reason":{"group":[7]},"likes":[],"comments":[],"comments_count":0},
		{"id":34,"user_id":1,"text":"For few","published_at":"2016-07-02T10:00:00.000Z","is_public":false,"status":"private","reason":{"user_private":[1]},"timelines":["user_private"],"likes":[],"comments":[]},
		{"id":35,"user_id":1,"text":"For me","published_at":"2016-07-03T10:00:00.000Z","status":"fyeo","timelines":["user_fyeo"],"reason":{},"likes":[],"comments":[]},
		{"id":36,"user_id":1,"text":"A direct","published_at":"2016-07-04T10:00:00.000Z","is_public":false,"is_direct":"true","reason":{"user_directs_sent":[2]},"likes":[],"comments":[]},
		{"id":37,"user_id":1,"text":"To whom?","published_at":"2016-07-04T10:00:00.000Z","is_direct":true,"reason":{},"likes":[],"comments":[]},
		{"id":38,"user_id":1,"text":"Closed, nobody knows why","published_at":"2016-07-04T10:00:00.000Z","is_public":false,"reason":{},"likes":[],"comments":[]},
		{"id":39,"user_id":3,"text":"By a short name","published_at":"2016-07-05T10:00:00.000Z","reason":{"user_likes":[1]},"likes":[1],"comments":[{"id":201,"post_id":39,"user_id":1,"text":"x","created_at":"2016-07-05T11:00:00.000Z"}],"comments_count":1},
		{"id":40,"user_id":1,"text":"` + strings.Repeat("ж", 3001) + `","published_at":"2016-07-06T10:00:00.000Z","reason":{},"likes":[],"comments":[]},
		{"id":41,"user_id":1,"text":"When?","published_at":"yesterday","reason":{},"likes":[],"comments":[]},
		{"id":[],"user_id":1}, 7, null, {"id":42,"user_id":99,"text":"By whom?","published_at":"2016-07-06T10:00:00Z","reason":{},"likes":[],"comments":[]}],
		"river":{"uuid":"x","is_single_post":false,"current_user_name":"anna"},"older_entries_url":"/anna.json?page=2",` + mokumUsers + `}`,
	"anna/post-31.json": `{"entries":[
		{"id":31,"user_id":1,"version":4,"text":"New words","published_at":"2016-06-29T22:00:30.000Z","is_public":true,"reason":{"user":[1]},"likes":[2,4],"more_likes":0,"user_liked":false,
			"comments":[{"id":101,"post_id":31,"user_id":2,"text":"First","created_at":"2016-06-29T22:01:00.000Z"},{"id":103,"post_id":31,"user_id":1,"text":"Second","created_at":"2016-06-29T22:03:00.000Z"}],"comments_count":5}],
		"river":{"is_single_post":true},` + mokumUsers + `}`,
	"anna/comments-31.json": `{"comments":[{"id":104,"post_id":31,"user_id":2,"text":"Third","created_at":"2016-06-29T22:04:00.000Z"},{"id":106,"user_id":2,"text":"of none","created_at":"2016-06-29T22:04:00.000Z"}],
		"comments_count":5,"gap_position":0,"river":{},` + mokumUsers + `}`,
	"anna/files/mokum-original-ab.jpg": "JPEG",
	"anna/notes.json":                  `["what I saved"]`,
	"anna/broken.json":                 `{"entries":`,
}

var mokumLines = []string{
	"user anna Anna public 2015-05-28T00:00:00.000Z",
	"user boris Boris B. private 2015-05-29T00:00:00.000Z",
	"user gone gone private 2015-05-29T00:00:00.000Z",
	"group rowing Rowing private [anna] 2007-10-01T00:00:00.000Z",
	"group walks Walks public [anna] 2007-10-01T00:00:00.000Z",
	"subscription anna rowing 2015-05-28T00:00:00.000Z",
	"subscription anna boris 2015-05-29T00:00:00.000Z",
	"subscription gone anna 2015-05-29T00:00:00.000Z",
	"post 31 anna [anna] New words 2016-06-29T22:00:30.000Z",
	"post 32 anna [anna walks] boat.jpg, oar.jpg 2016-06-30T10:00:00.000Z",
	"post 33 anna [rowing] In a closed group 2016-07-01T10:00:00.000Z",
	"post 34 anna [private:anna] For few 2016-07-02T10:00:00.000Z",
	"post 35 anna [fyeo:anna] For me 2016-07-03T10:00:00.000Z",
	"post 36 anna [direct:boris] A direct 2016-07-04T10:00:00.000Z",
	"comment 101 boris 31 First 2016-06-29T22:01:00.000Z",
	"comment 103 anna 31 Second 2016-06-29T22:03:00.000Z",
	"comment 104 boris 31 Third 2016-06-29T22:04:00.000Z",
	"comment 105 gone 31 Last 2016-06-29T22:05:00.000Z",
	"like boris 31 2016-06-29T22:00:30.000Z",
	"like gone 31 2016-06-29T22:00:30.001Z",
	"comment_like anna 105 2016-06-29T22:05:00.000Z",
	"file 9 32 anna/files/mokum-original-ab.jpg  2016-06-30T10:00:00.000Z",
}

func TestMokumBackup(t *testing.T) {
	t.Parallel()
	want := Skipped{
		{"user", "its name can't be used here; --name OLD=NEW gives it another"}: 1,
		{"post", "damaged"}: 3, {"post", "without a time that can be"}: 1, {"post", "its author is not taken"}: 2, {"post", "it has more than 3000 characters"}: 1,
		{"post", "the archive does not tell who could read it"}: 2, {"comment", "damaged"}: 1, {"comment", "its post is not taken"}: 1,
		{"comment", "folded away: the archive has not the whole post"}: 1, {"like", "its post is not taken"}: 1, {"like", "by people whom the archive does not name"}: 2,
		{"file", "the archive does not have it"}: 1, {"file", "no page of a known format"}: 2,
	}
	for name, at := range map[string]string{"a folder": mokumPages.folder(t), "a zip file": mokumPages.zip(t), "a tar file": mokumPages.tar(t)} {
		format, lines, skipped := linesOf(t, at, Options{})
		if format != "mokum" {
			t.Errorf("%s is of %q", name, format)
		}
		same(t, name, mokumLines, lines)
		same(t, name+": not taken", want, skipped)
	}
	if text := want.String(); !strings.Contains(text, "posts                3 not taken: damaged\n") {
		t.Error(text)
	}
	single := write(t, "page.json", []byte(mokumPages["anna/post-31.json"]))
	if _, lines, _ := linesOf(t, single, Options{}); !slices.Contains(lines, "post 31 anna [anna] New words 2016-06-29T22:00:30.000Z") {
		t.Errorf("of a single page: %q", lines)
	}
}

// TestOthersHere imports an archive into a site where other people have some of its names. No post gets
// more readers than it had, and no private feed gets a subscriber.
func TestOthersHere(t *testing.T) {
	t.Parallel()
	imported := time.Date(2015, 5, 29, 0, 0, 0, 0, time.UTC)
	here := map[string]importer.Account{
		"anna": {Status: "private", CreatedAt: imported.Add(time.Second)}, "rowing": {Status: "public"}, "bear": {Status: "private", CreatedAt: imported},
	}
	opts := Options{
		Names: map[string]string{"boris": "bear", "me": "shorty"}, Admins: []string{"root"},
		Find: func(name string) (importer.Account, error) { return here[name], nil },
	}
	_, lines, skipped := linesOf(t, mokumPages.folder(t), opts)
	for line, there := range map[string]bool{
		"group walks Walks public [root] 2007-10-01T00:00:00.000Z":         true,
		"group rowing Rowing private [anna] 2007-10-01T00:00:00.000Z":      true,
		"post 31 anna [anna] New words 2016-06-29T22:00:30.000Z":           true,
		"post 33 anna [rowing] In a closed group 2016-07-01T10:00:00.000Z": false,
		"post 36 anna [direct:bear] A direct 2016-07-04T10:00:00.000Z":     true,
		"post 39 shorty [shorty] By a short name 2016-07-05T10:00:00.000Z": true,
		"subscription anna bear 2015-05-29T00:00:00.000Z":                  true,
		"subscription gone anna 2015-05-29T00:00:00.000Z":                  false,
	} {
		if slices.Contains(lines, line) != there {
			t.Errorf("%q: want %v in\n%s", line, there, strings.Join(lines, "\n"))
		}
	}
	if skipped[Reason{"post", "more people can read the feed here than could there"}] != 1 || skipped[Reason{"subscription", "of a feed that was made here, and that is not public"}] != 1 {
		t.Error(skipped)
	}
	// Two accounts can't have the same name.
	opts.Names["gone"] = "anna"
	if _, _, skipped := linesOf(t, mokumPages.folder(t), opts); skipped[Reason{"user", "another account of the archive has its name"}] != 1 {
		t.Error(skipped)
	}
}

func TestFreeFeedBackup(t *testing.T) {
	t.Parallel()
	want := []string{
		"user alpha Alpha public 2015-05-06T00:00:00.000Z",
		"user beta Beta protected 2015-05-06T00:00:00.000Z",
		"group cats Cats private [beta] 2015-05-06T00:00:00.000Z",
		"post p1 alpha [alpha cats] Meow 2016-01-01T00:00:00.000Z",
		"post p2 alpha [direct:beta] Psst 2016-01-01T00:00:01.000Z",
		"comment c1 beta p1 Purr 2016-01-01T00:00:02.000Z",
		"like beta p1 2016-01-01T00:00:00.000Z",
		"file a1 p1 attachments/a1.jpg  2016-01-01T00:00:00.000Z",
	}
	const (
		alpha    = `{"id":"u1","username":"alpha","screenName":"Alpha","type":"user","isPrivate":"0","isProtected":"0","createdAt":"1430870400000"}`
		beta     = `{"id":"u2","username":"beta","screenName":"Beta","type":"user","isPrivate":"0","isProtected":"1","createdAt":"1430870400000"}`
		cats     = `{"id":"g1","username":"cats","screenName":"Cats","type":"group","isPrivate":"1","isProtected":"1","createdAt":"1430870400000","administrators":["u2"]}`
		posts    = `{"id":"p1","body":"Meow","createdAt":"1451606400000","createdBy":"u1","postedTo":["f1","f2"],"likes":["u2"],"comments":["c1","c2"],"attachments":["a1"],"omittedComments":3,"omittedLikes":2}`
		direct   = `{"id":"p2","body":"Psst","createdAt":"1451606401000","createdBy":"u1","postedTo":["f3","f4"],"likes":[],"comments":[],"attachments":[]}`
		unplaced = `{"id":"p3","body":"Where?","createdAt":"1451606401000","createdBy":"u1","postedTo":["f9"],"likes":[],"comments":[],"attachments":[]}`
		comments = `{"id":"c1","body":"Purr","createdAt":"1451606402000","createdBy":"u2","hideType":0},{"id":"c2","body":"Hidden","createdAt":"1451606402000","createdBy":null,"hideType":2}`
		feeds    = `{"id":"f1","name":"Posts","user":"u1"},{"id":"f2","name":"Posts","user":"g1"},{"id":"f3","name":"Directs","user":"u1"},{"id":"f4","name":"Directs","user":"u2"}`
		file     = `{"id":"a1","fileName":"cat.jpg","mediaType":"image","url":"https://media.freefeed.net/attachments/a1.jpg"}`
	)
	keyed := func(list string) string {
		var things []map[string]any
		if err := json.Unmarshal([]byte("["+list+"]"), &things); err != nil {
			t.Fatal(err)
		}
		byID := map[string]any{}
		for _, thing := range things {
			byID[thing["id"].(string)] = thing
		}
		text, err := json.Marshal(byID)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for name, files := range map[string]saved{
		"pages of the API": {
			"1.json":             `{"posts":[` + posts + `,` + unplaced + `],"users":[` + alpha + `,` + beta + `],"subscribers":[` + cats + `],"subscriptions":[` + feeds + `],"comments":[` + comments + `],"attachments":[` + file + `],"admins":[],"isLastPage":false}`,
			"2.json":             `{"posts":` + direct + `,"users":[` + alpha + `],"subscribers":[],"subscriptions":[` + feeds + `],"comments":[],"attachments":[]}`,
			"attachments/a1.jpg": "JPEG",
		},
		"a backup": {
			"users.json": keyed(alpha + "," + beta + "," + cats), "posts.json": keyed(posts + "," + direct + "," + unplaced), "comments.json": keyed(comments),
			"feeds.json": keyed(feeds), "attachments.json": keyed(file), "timeline.json": `{"isLastPage":true}`, "attachments/a1.jpg": "JPEG",
		},
	} {
		format, lines, skipped := linesOf(t, files.zip(t), Options{})
		if format != "freefeed" {
			t.Errorf("%s is of %q", name, format)
		}
		same(t, name, want, lines)
		same(t, name+": not taken", Skipped{
			{"post", "the archive does not tell who could read it"}: 1, {"comment", "hidden or deleted there"}: 1,
			{"comment", "folded away: the archive has not the whole post"}: 4, {"like", "by people whom the archive does not name"}: 2,
		}, skipped)
	}
}

func TestMastodonArchive(t *testing.T) {
	t.Parallel()
	const actor = "https://toot.example/users/Anna"
	note := func(id, published, more string) string {
		return `{"id":"x","type":"Create","actor":"` + actor + `","published":"` + published + `","object":{"id":"` + actor + `/statuses/` + id + `","type":"Note","published":"` + published + `",` + more + `}}`
	}
	const public = `"to":["https://www.w3.org/ns/activitystreams#Public"],"cc":["` + actor + `/followers"]`
	files := saved{
		"actor.json": `{"@context":[],"id":"` + actor + `","type":"Person","preferredUsername":"Anna","name":"Anna A.","published":"2018-01-02T00:00:00Z"}`,
		"outbox.json": `{"@context":"x","id":"outbox.json","type":"OrderedCollection","totalItems":9,"orderedItems":[` + strings.Join([]string{
			note("1", "2019-01-01T10:00:00Z", `"summary":null,"inReplyTo":null,`+public+`,"content":"<p>Hello <span class=\"h-card\"><a href=\"https://toot.example/@bob\" class=\"u-url mention\">@<span>bob</span></a></span> &amp; <a href=\"https://toot.example/tags/all\" class=\"mention hashtag\">#<span>all</span></a></p><p>See<br>`+
				`<a href=\"https://example.org/long\"><span class=\"invisible\">https://</span><span class=\"ellipsis\">example.org/l</span></a></p><script>x</script>","attachment":[{"type":"Document","mediaType":"image/jpeg","url":"/media_attachments/files/1/original/a.jpg","name":"A boat"}]`),
			note("2", "2019-01-01T10:05:00Z", `"inReplyTo":"`+actor+`/statuses/1",`+public+`,"content":"<p>More</p>"`),
			note("3", "2019-01-01T10:06:00Z", `"inReplyTo":"`+actor+`/statuses/2",`+public+`,"content":"<p>Even more</p>"`),
			note("4", "2019-01-02T10:00:00Z", `"inReplyTo":null,"to":["`+actor+`/followers"],"cc":[],"summary":"Food","content":"<p>For followers</p>"`),
			note("5", "2019-01-03T10:00:00Z", `"inReplyTo":null,"to":["https://other.example/users/bob"],"cc":[],"content":"<p>Psst</p>"`),
			note("6", "2019-01-04T10:00:00Z", `"inReplyTo":"https://other.example/1",`+public+`,"content":"<p>An answer</p>"`),
			note("7", "2019-01-05T10:00:00Z", `"inReplyTo":"`+actor+`/statuses/1","to":["`+actor+`/followers"],"cc":[],"content":"<p>Narrower</p>"`),
			`{"id":"y","type":"Announce","actor":"` + actor + `","published":"2019-01-06T10:00:00Z","object":"https://other.example/2"}`,
			`{"id":"z","type":"Create","actor":7}`,
		}, ",") + `]}`,
		"likes.json":     `{"@context":"x","id":"likes.json","orderedItems":["https://other.example/3","https://other.example/4"]}`,
		"bookmarks.json": `{"@context":"x","id":"bookmarks.json","orderedItems":["https://other.example/5"]}`,
		"media_attachments/files/1/original/a.jpg": "JPEG", "avatar.jpg": "JPEG",
	}
	const id = actor + "/statuses/"
	want := []string{
		"user anna Anna A. public 2018-01-02T00:00:00.000Z",
		"post " + id + "1 anna [anna] Hello https://toot.example/@bob & #all\n\nSee\nhttps://example.org/long 2019-01-01T10:00:00.000Z",
		"post " + id + "4 anna [private:anna] Food\n\nFor followers 2019-01-02T10:00:00.000Z",
		"comment " + id + "2 anna " + id + "1 More 2019-01-01T10:05:00.000Z",
		"comment " + id + "3 anna " + id + "1 Even more 2019-01-01T10:06:00.000Z",
		"file " + id + "1 a " + id + "1 media_attachments/files/1/original/a.jpg A boat 2019-01-01T10:00:00.000Z",
	}
	for name, at := range map[string]string{"a tar file": files.tar(t), "a zip file": files.zip(t), "a folder": files.folder(t)} {
		format, lines, skipped := linesOf(t, at, Options{})
		if format != "mastodon" {
			t.Errorf("%s is of %q", name, format)
		}
		same(t, name, want, lines)
		same(t, name+": not taken", Skipped{
			{"post", "a message to people on other sites"}: 1, {"post", "an answer to a post that the archive does not have"}: 1, {"post", "damaged"}: 1,
			{"post", "an answer that fewer people could read than the post it answers"}: 1, {"boost", "of a post on another site"}: 1,
			{"like", "of a post on another site"}: 2, {"bookmark", "of a post on another site"}: 1,
		}, skipped)
	}
}
