package importer

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"
)

// findSite sets home if the file is an export of this very site. A site without people that is
// restored takes over the id of the site in the export, so that it exports the same bytes.
func (t *batchTx) findSite(ctx context.Context) error {
	const own = `select convert_from(value, 'UTF8'), not exists (select from users) from site where key = 'site_id'`
	const adopt = `update site set value = convert_to($1, 'UTF8') where key = 'site_id'`
	if t.site == "" {
		return nil
	}
	var id string
	var empty bool
	if err := t.tx.QueryRow(ctx, own).Scan(&id, &empty); err != nil {
		return err
	}
	if t.home = id == t.site; t.home || !t.restore || !empty || t.lines[0].kind != kindExport {
		return nil
	}
	t.home = true
	_, err := t.tx.Exec(ctx, adopt, t.site)
	return err
}

// queueHome queues queries that look for posts, comments and files of the batch by their ids. An
// export of this very site names posts, comments and files that no import made, and that may still
// exist here.
func (t *batchTx) queueHome(b *pgx.Batch, m lookupKeys) {
	const posts = `select id::text, id, user_id, published_at from posts where id = any($1)`
	const comments = `select id::text, id, user_id, created_at, post_id from all_comments where id = any($1)`
	const files = `select id::text, comment_id is not null from attachments where id = any($1)`
	b.Queue(posts, numbers(m.posts)).Query(t.collectPosts)
	b.Queue(comments, numbers(m.comments)).Query(t.collectComments)
	ids := numbers(append(m.others[kindFile], m.others[kindCommentFile]...))
	b.Queue(files, ids).Query(func(rows pgx.Rows) error {
		var id string
		var ofComment bool
		_, err := pgx.ForEachRow(rows, []any{&id, &ofComment}, func() error {
			k := kindFile
			if ofComment {
				k = kindCommentFile
			}
			t.importedKeys[sourceKey{k, id}] = true
			return nil
		})
		return err
	})
}

// numbers returns the ids that are numbers, as numbers.
func numbers(ids []string) []int64 {
	all := make([]int64, 0, len(ids))
	for _, id := range ids {
		if n, err := strconv.ParseInt(id, 10, 64); err == nil && strconv.FormatInt(n, 10) == id {
			all = append(all, n)
		}
	}
	return all
}
