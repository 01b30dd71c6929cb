package importer

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"amstel.dev/amstel/timeline/text"
)

// Detecting the languages of posts takes longer than everything else in an import. So it runs while
// the primary works: a languageDetector works ahead on the batches that the reader has read. When the
// turn of a batch comes, detectLanguages detects the languages that are still missing, with all
// processors.

// language returns the language of a post, which the first call detects in its text.
func (l *line) language() string {
	l.detectOnce.Do(func() { l.lang = text.Detect(l.text) })
	return l.lang
}

// A languageDetector detects the languages of posts ahead of the import.
type languageDetector struct {
	todo chan []*line
	idle atomic.Bool // the last batch had no new posts, so it is likely that the next one needs no languages
}

func newLanguageDetector() *languageDetector { return &languageDetector{todo: make(chan []*line, 2)} }

// run detects the languages of the posts among the lines that it receives from todo, until todo is
// closed.
func (t *languageDetector) run(ctx context.Context) {
	for lines := range t.todo {
		for _, l := range lines {
			if ctx.Err() == nil && !t.idle.Load() && l.kind == kindPost && !l.exported {
				l.language()
			}
		}
	}
}

// detectLanguages detects the languages of the batch's new posts that the languageDetector has not
// come to.
func (t *batchTx) detectLanguages() {
	var todo []*line
	for _, l := range t.lines {
		if p := t.posts[l.id]; l.kind == kindPost && !l.exported && p.line == l && !p.gone && t.members[l.user].lang == "" {
			todo = append(todo, l)
		}
	}
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for i := range workers {
		wg.Go(func() {
			for j := i; j < len(todo); j += workers {
				todo[j].language()
			}
		})
	}
	wg.Wait()
}
