package feedtest

import (
	"os"
	"strings"
	"testing"
)

// A witness is a test that counts its failures instead of failing.
type witness struct {
	testing.TB
	errors int
}

func (w *witness) Errorf(string, ...any) { w.errors++ }

const good = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><id>tag:a,2026:x</id><title>t</title><updated>2026-01-01T00:00:00Z</updated>` +
	`<entry><id>tag:a,2026:1</id><title>e</title><updated>2026-01-01T00:00:00Z</updated><author><name>n</name></author><content type="html">&lt;p&gt;</content></entry></feed>`

func TestCheck(t *testing.T) {
	t.Parallel()
	Check(t, map[string]string{"a good feed": good})
	if _, able := run(t, ".", "xmllint", "--version"); !able && os.Getenv("CI") == "" {
		t.Skip("no xmllint")
	}
	for name, bad := range map[string]string{
		"without a title": strings.Replace(good, "<title>e</title>", "", 1),
		"two ids":         strings.Replace(good, "<id>tag:a,2026:1</id>", "<id>tag:a,2026:1</id><id>tag:a,2026:1</id>", 1),
		"no time":         strings.Replace(good, "<updated>2026-01-01T00:00:00Z</updated><author>", "<updated>yesterday</updated><author>", 1),
	} {
		w := &witness{TB: t}
		if Check(w, map[string]string{name: bad}); w.errors == 0 {
			t.Errorf("%s: the feed is valid", name)
		}
	}
}
