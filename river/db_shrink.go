package river

import (
	"context"
	"fmt"
)

const (
	// journalLimit is the size to which SQLite truncates the journal after a checkpoint. A turn
	// that writes very much makes the journal longer.
	journalLimit = 64 << 20
	// vacuumPages is the number of free pages that a turn returns to the disk.
	vacuumPages = 500
)

// shrink returns some free pages to the disk, and records how many bytes the other
// pages take.
func (r *riverDB) shrink(ctx context.Context) error {
	var free, pages, size int64
	if err := r.db.QueryRowContext(ctx, `select freelist_count, page_count, page_size from pragma_freelist_count, pragma_page_count, pragma_page_size`).Scan(&free, &pages, &size); err != nil {
		return err
	}
	r.used = (pages - free) * size
	if free == 0 {
		return nil
	}
	// The pragma returns a row for each page that it frees. Exec would read only one row, and so
	// free only one page.
	rows, err := r.db.QueryContext(ctx, fmt.Sprintf(`pragma incremental_vacuum(%d)`, vacuumPages))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // its error is rows.Err's
	for rows.Next() {
	}
	return rows.Err()
}
