package page

import (
	"testing"

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

func TestMoments(t *testing.T) {
	t.Parallel()
	moment := at("2016-06-29 22:00:30")
	for want, got := range map[string]string{
		"2016-06-29T22:00:30.000Z":              machineTime(moment),
		"29 Jun 2016, 22:00":                    catalogue.English.Moment(moment),
		"Wednesday, 29 June 2016, 22:00:30 UTC": catalogue.English.WholeMoment(moment),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
