package inbox

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
)

// documentsRead is how many documents one statement reads.
const documentsRead = 4

// keepsDocuments reports whether a source keeps documents; the others keep rows.
func keepsDocuments(source string) bool {
	return source == timeline.SourceTimed || source == timeline.SourceSized
}

// An entryJSON is an entry of a document.
type entryJSON struct {
	At   int64           `json:"at"`
	Data json.RawMessage `json:"data,omitempty"`
}

// readDocuments is [readItems] for the sources that keep documents. It reads the documents in the
// order of their highest places, until it has want entries that are above all documents not read.
//
// Example: the first document spans 90 to 60, the second 75 to 40. After the first document is read,
// its entries above 75 are certain to be the next ones. An entry at 70 is not, because the second
// document may have an entry at 75.
func readDocuments(ctx context.Context, q primary.Querier, h header, below timeline.Cursor, want int) (items []item, low timeline.Cursor, err error) {
	const query = `
		select number, top_at, entries from inbox_documents
		where inbox_id = $1 and low_at <= $2 and (top_at, number) < ($3, $4)
		order by top_at desc, number desc limit $5`
	lastTop, lastNumber := int64(math.MaxInt64), int64(math.MaxInt64)
	for {
		rows, err := q.Query(ctx, query, h.id, below.FreshAt, lastTop, lastNumber, documentsRead)
		if err != nil {
			return nil, low, err
		}
		n := 0
		var entries map[string]entryJSON
		_, err = pgx.ForEachRow(rows, []any{&lastNumber, &lastTop, &entries}, func() error {
			n++
			for id, e := range entries {
				post, err := strconv.ParseInt(id, 10, 64)
				if err != nil {
					return fmt.Errorf("inbox %d, document %d: %w", h.id, lastNumber, err)
				}
				at := timeline.Cursor{FreshAt: e.At, Post: timeline.PostID(post)}
				if at.Below(below) && h.low.Below(at) {
					items = append(items, item{at: at, data: e.Data})
				}
			}
			entries = nil
			return nil
		})
		if err != nil {
			return nil, low, err
		}
		slices.SortFunc(items, func(a, b item) int { return a.at.Compare(b.at) })
		if n < documentsRead {
			if len(items) > want {
				return items[:want], items[want-1].at, nil
			}
			return items, above(h.low), nil
		}
		if len(items) >= want && items[want-1].at.FreshAt > lastTop {
			return items[:want], items[want-1].at, nil
		}
	}
}

// A put is a new entry of an inbox.
type put struct {
	in   *state
	at   int64
	data []byte
}

// findInDocuments adds to old the entries that inboxes of documents have of a post, by inbox.
func findInDocuments(ctx context.Context, q primary.Querier, ids []int64, post timeline.PostID, old map[int64]held) error {
	const query = `
		select inbox_id, number, (entries -> $2 ->> 'at')::bigint, entries -> $2 -> 'data'
		from inbox_documents where inbox_id = any($1) and entries ? $2`
	rows, err := q.Query(ctx, query, ids, strconv.FormatInt(int64(post), 10))
	if err != nil {
		return err
	}
	var id int64
	var was held
	_, err = pgx.ForEachRow(rows, []any{&id, &was.number, &was.at, &was.data}, func() error {
		old[id] = was
		was.data = nil
		return nil
	})
	return err
}

// queueDocumentRemovals queues the removal of a post from documents.
func queueDocumentRemovals(b *pgx.Batch, post timeline.PostID, ids, numbers []int64) {
	const query = `
		update inbox_documents d set entries = entries - $3
		from unnest($1::bigint[], $2::bigint[]) k(inbox_id, number)
		where d.inbox_id = k.inbox_id and d.number = k.number`
	b.Queue(query, ids, numbers, strconv.FormatInt(int64(post), 10))
}

// queueDocumentPuts queues entries for documents. The first entry of a document makes the
// document.
func queueDocumentPuts(b *pgx.Batch, posts []timeline.PostID, puts []put, numbers []int64) {
	const query = `
		insert into inbox_documents as d (inbox_id, number, top_at, low_at, entries)
		select k.inbox_id, k.number, max(k.at), min(k.at),
			jsonb_object_agg(k.post_id::text, jsonb_build_object('at', k.at) ||
				case when k.data is null then '{}'::jsonb else jsonb_build_object('data', k.data) end)
		from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::jsonb[]) k(inbox_id, number, post_id, at, data)
		group by 1, 2
		on conflict (inbox_id, number) do update set entries = d.entries || excluded.entries,
			top_at = greatest(d.top_at, excluded.top_at), low_at = least(d.low_at, excluded.low_at)`
	var ids, ats []int64
	var data [][]byte
	for _, p := range puts {
		ids, ats, data = append(ids, p.in.id), append(ats, p.at), append(data, p.data)
	}
	b.Queue(query, ids, numbers, posts, ats, data)
}

// documentFor returns the number of the document into which a new entry of an inbox goes, and counts
// the entry. With the source timed, this is the document of the period in which the entry stands.
// With the source sized, it is the open document, and a new one if that is full.
func documentFor(st *state, at int64) int64 {
	if st.source == timeline.SourceTimed {
		return floorDiv(at, st.size)
	}
	if int64(st.opened) >= st.size {
		st.counter++
		st.opened = 0
	}
	st.opened++
	return st.counter
}

// floorDiv returns a / b, rounded down, also for a negative a.
func floorDiv(a, b int64) int64 {
	n := a / b
	if a%b < 0 {
		n--
	}
	return n
}

// dropDocuments drops the lowest documents of an inbox that has more than twice as many entries as it
// must keep. It drops whole documents, so some more entries than that may stay.
func dropDocuments(ctx context.Context, q primary.Querier, st *state) error {
	const list = `
		select number, top_at, (select count(*) from jsonb_object_keys(entries))
		from inbox_documents where inbox_id = $1 order by top_at desc, number desc`
	const drop = `delete from inbox_documents where inbox_id = $1 and number = any($2)`
	if st.entries <= 2*st.depth {
		return nil
	}
	rows, err := q.Query(ctx, list, st.id)
	if err != nil {
		return err
	}
	var number, top, n int64
	var gone []int64
	kept := 0
	_, err = pgx.ForEachRow(rows, []any{&number, &top, &n}, func() error {
		if kept < st.depth {
			kept += int(n)
			return nil
		}
		gone = append(gone, number)
		st.raise(timeline.Cursor{FreshAt: top, Post: math.MaxInt64})
		return nil
	})
	if err != nil || len(gone) == 0 {
		return err
	}
	st.entries = kept
	_, err = q.Exec(ctx, drop, st.id, gone)
	return err
}
