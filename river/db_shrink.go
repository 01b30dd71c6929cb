package river

import (
	"context"
	"fmt"
)

const (
	// journalLimit is what is left of the river DB's journal once it was written
	// back: a turn that writes very much makes it longer.
	journalLimit = 64 << 20
	// vacuumPages is how many pages a turn gives back to the disk.
	vacuumPages = 500
)

// shrink gives some of the pages that nothing is in back to the disk, and notes how
// many bytes the others take.
func (r *riverDB) shrink(ctx context.Context) error {
	var free, pages, size int64
	if err := r.db.QueryRowContext(ctx, `select freelist_count, page_count, page_size from pragma_freelist_count, pragma_page_count, pragma_page_size`).Scan(&free, &pages, &size); err != nil {
		return err
	}
	r.used = (pages - free) * size
	if free == 0 {
		return nil
	}
	// Each row is a page: to execute it would step once, and give back one.
	rows, err := r.db.QueryContext(ctx, fmt.Sprintf(`pragma incremental_vacuum(%d)`, vacuumPages))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // its error is rows.Err's
	for rows.Next() {
	}
	return rows.Err()
}
