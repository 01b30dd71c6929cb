package page

import (
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/web/catalogue"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		linebreaks bool
		want       string
	}{
		{"nothing is no paragraph", " \n\n", true, ""},
		{"one line is one paragraph", "hoi", true, "<p>hoi</p>"},
		{"lines are broken", "a\nb", true, "<p>a<br>b</p>"},
		{"or not", "a\nb", false, "<p>a\nb</p>"},
		{"empty lines part paragraphs, however many", "\n\na\n \n\nb\n", true, "<p>a</p><p>b</p>"},
		{"carriage returns are nothing", "a\r\nb\r\n\r\nc", true, "<p>a<br>b</p><p>c</p>"},
		{"spaces before a line stay", "a\n  b", true, "<p>a<br>  b</p>"},
		{"stars are a list", "see:\n* one `two`\n* three\nend", true, "<p>see:</p><ul><li>one <code>two</code></li><li>three</li></ul><p>end</p>"},
		{"a single star is none", "* a footnote", true, "<p>* a footnote</p>"},
		{"a dash is none: it begins speech", "- Hi\n- Bye", true, "<p>- Hi<br>- Bye</p>"},
		{"quotes", "> so\n> he said\nindeed", true, "<blockquote><p>so<br>he said</p></blockquote><p>indeed</p>"},
		{"code between lines", "```\nif a < b {\n\n}\n```\nx", true, "<pre><code>if a &lt; b {\n\n}</code></pre><p>x</p>"},
		{"code that does not end", "```\nx", true, "<p>```<br>x</p>"},
		{"a single backtick", "it`s `` 5", true, "<p>it`s `` 5</p>"},
		{"no link in code", "`http://a.nl @joost`", true, "<p><code>http://a.nl @joost</code></p>"},
		{"addresses without http", "see www.a.nl/x?y, or (WWW.b.nl)", true,
			`<p>see <a href="https://www.a.nl/x?y" target="_blank" rel="nofollow noopener">www.a.nl/x?y</a>, or (<a href="https://WWW.b.nl" target="_blank" rel="nofollow noopener">WWW.b.nl</a>)</p>`},
		{"e-mail addresses", "to ann@example.org.", true, `<p>to <a href="mailto:ann@example.org" target="_blank" rel="nofollow noopener">ann@example.org</a>.</p>`},
		{"links fit between words", "(@joost, see http://a.nl.)", true,
			`<p>(<a href="/joost">@joost</a>, see <a href="http://a.nl" target="_blank" rel="nofollow noopener">http://a.nl</a>.)</p>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, render(t, markedText(tt.text, tt.linebreaks, nil))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestLongTextsAreCut cuts texts between lines, or between words, and leaves short ones and
// such with code whole.
func TestLongTextsAreCut(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("word ", 20) + "\n" // 101 characters
	for _, tt := range []struct {
		name, text string
		beginning  int // in bytes; 0: whole
	}{
		{"a short text", "hoi", 0},
		{"a text a little longer than is shown", strings.Repeat(line, 10), 0},
		{"a long text", strings.Repeat(line, 20), 7*101 - 1},
		{"many short lines", strings.Repeat("a\n", 30), 19},
		{"a few more lines than are shown", strings.Repeat("a\n", 15), 0},
		{"one long line", strings.Repeat("word ", 400), 1104},
		{"a long word", strings.Repeat("x", 3000), 0},
		{"code", "```\n" + strings.Repeat(line, 20) + "```", 0},
	} {
		beginning, rest := cutLong(tt.text)
		whole := strings.TrimSpace(tt.text)
		if tt.beginning == 0 && (beginning != whole || rest != "") || tt.beginning != 0 && len(beginning) != tt.beginning {
			t.Errorf("%s: %d of %d bytes are shown, want %d", tt.name, len(beginning), len(whole), tt.beginning)
		}
		if rest != "" && len(beginning)+1+len(rest) != len(whole) {
			t.Errorf("%s: %d and %d of %d bytes", tt.name, len(beginning), len(rest), len(whole))
		}
	}
	long := post(1, joost, strings.Repeat("a line\n", 30))
	if found := all(article(t, model(0, long)), ".bem-post__text details.text-more"); len(found) != 1 || has(found[0], "open") {
		t.Errorf("%d parts of a long text are collapsed", len(found))
	}
	long.Hits = []string{"line"}
	if found := all(article(t, model(0, long)), ".bem-post__text details.text-more"); len(found) != 1 || !has(found[0], "open") {
		t.Error("the rest is collapsed though a search found words")
	}
	single(&long)
	if found := all(article(t, model(0, long)), "details.text-more"); len(found) != 0 {
		t.Error("the post's own page collapses its text")
	}
}

func TestMoments(t *testing.T) {
	t.Parallel()
	moment := at("2016-06-29 22:00:30")
	in := func(zone string) time.Time { return inZone(WithLook(t.Context(), Look{Zone: zone}), moment) }
	for want, got := range map[string]string{
		"2016-06-29T22:00:30Z":        machineTime(moment),
		"29 Jun 2016, 22:00 UTC":      catalogue.English.Moment(moment),
		"30 июн. 2016, 01:00 MSK":     catalogue.Russian.Moment(in("Europe/Moscow")),
		"29 Jun 2016, 18:00 EDT":      catalogue.English.Moment(in("America/New_York")),
		"30 Jun 2016, 03:30 IST":      catalogue.English.Moment(in("Asia/Kolkata")),
		"30 Jun 2016, 03:45 UTC+5:45": catalogue.English.Moment(in("Asia/Kathmandu")),
		"29 Jun 2016, 19:00 UTC-3":    catalogue.English.Moment(in("America/Sao_Paulo")),
		"29 Jun 2016, 19:30 NDT":      catalogue.English.Moment(in("America/St_Johns")),
		"29 Jun 2016, 12:30 UTC-9:30": catalogue.English.Moment(in("Pacific/Marquesas")),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
