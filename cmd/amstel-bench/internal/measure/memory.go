package measure

import (
	"context"
	"errors"
	"fmt"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/dataset"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// memoryBar is how much memory 10,000 living rivers may take with 1,000 open pages, in MB.
const memoryBar = 400.0

// memory measures the memory that very many living rivers of a hundred entries take, and the memory that open
// pages take besides: a tenth of the rivers are open, each on a socket.
func (r *run) memory(ctx context.Context) error {
	pool, err := r.Fresh(ctx, "amstel_memory")
	if err != nil {
		return err
	}
	defer pool.Close()
	f := dataset.FirehoseOf(r.Rivers)
	r.notice("Loading a community of %d readers.", f.Readers)
	if err := f.Load(ctx, pool); err != nil {
		return err
	}
	store := timeline.New(pool, timeline.Options{})
	return r.Serve(ctx, store, func(ctx context.Context, site Site) error {
		var pages []client.Page
		for i := range max(1, f.Readers/openShare) {
			token, err := store.NewToken(ctx, timeline.UserID(i*openShare+1), timeline.TokenSpec{Name: "bench", Scopes: timeline.AllScopes})
			if err != nil {
				return err
			}
			pages = append(pages, client.Page{Path: client.HomePath, Token: token})
		}
		sockets, err := client.StartSockets(ctx, r.Clients)
		if err != nil {
			return err
		}
		err = r.memoryOf(ctx, site, sockets, pages, f.Readers)
		return errors.Join(err, sockets.Stop(err == nil))
	})
}

// memoryOf makes the rivers, opens the pages, and reports what both take.
func (r *run) memoryOf(ctx context.Context, site Site, sockets *client.Sockets, pages []client.Page, readers int) error {
	if _, err := site.Rivers.Visit(ctx, everything(0), river.At{}); err != nil { // prepares statements
		return err
	}
	before, none := report.ReadMemory(), site.Rivers.Stats()
	r.notice("Visiting %d homes.", readers)
	if err := visitAll(ctx, site.Rivers, readers); err != nil {
		return err
	}
	living, lives := report.ReadMemory(), site.Rivers.Stats()
	r.notice("Opening %d of them.", len(pages))
	if err := sockets.Open(site.Address, 0, false, pages...); err != nil {
		return err
	}
	open := report.ReadMemory()
	const megabyte = 1 << 20
	megabytes := func(bytes int64) float64 { return float64(bytes) / megabyte }
	record := report.Record{
		Name: "memory", Unit: "MB", N: lives.Living[river.KindHome], Value: megabytes(open.Own - before.Own),
		Of: fmt.Sprintf("the heap and the stacks of %d living homes with %d entries of %d posts, and of %d open pages",
			lives.Living[river.KindHome], lives.Entries-none.Entries, lives.Posts, len(pages)),
		Parts: map[string]float64{
			"rivers": report.Round(megabytes(living.Own - before.Own)), "pages": report.Round(megabytes(open.Own - living.Own)),
			"resident": report.Round(megabytes(open.Resident - before.Resident)),
		},
		Beside: &report.Beside{Name: "the rivers by the node's own estimate, MB", Value: report.Round(megabytes(lives.Memory - none.Memory))},
	}
	record.Ratio = report.Ratio(record.Parts["rivers"], record.Beside.Value)
	bar := memoryBar * float64(readers) / 10_000
	record.Expect(fmt.Sprintf("<= %.0f MB", bar), record.Value <= bar)
	return r.report(record)
}
