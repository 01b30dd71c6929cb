package dataset

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// tables lists the tables to write, each with the columns to write. The order is such that rows refer
// only to rows of earlier tables.
var tables = []struct {
	Name    string
	Columns []string
}{
	{"users", []string{"id", "name", "display_name", "created_at"}},
	{"groups", []string{"id", "name", "display_name", "created_at"}},
	{"names", []string{"name", "what", "their_id"}},
	{"group_admins", []string{"group_id", "user_id"}},
	{"timelines", []string{"id", "what", "their_id", "access", "latest_at"}},
	{"subscriptions", []string{"user_id", "timeline_id", "created_at"}},
	{"posts", []string{"id", "user_id", "text", "places", "published_at", "updated_at", "fresh_at", "comments_count", "likes_count", "favs_count"}},
	{"timeline_entries", []string{"timeline_id", "post_id", "fresh_at", "entered_at"}},
	{"all_comments", []string{"id", "post_id", "user_id", "text", "likes_count", "created_at"}},
	{"all_comment_likes", []string{"comment_id", "user_id", "post_id", "created_at"}},
	{"all_likes", []string{"post_id", "user_id", "created_at"}},
	{"all_favs", []string{"post_id", "user_id", "created_at"}},
}

// copyAll copies rows, by table, into an empty primary. Then it sets the sequences of ids, makes the
// words for searches, and collects the statistics of the tables.
//
// For the time of copying it drops the indexes that no constraint needs, and does not check references:
// with both, a million posts would take minutes. The tests of the communities check their rows.
func copyAll(ctx context.Context, pool *pgxpool.Pool, rows func(table string) pgx.CopyFromSource) error {
	const trusting = `
		select set_config('session_replication_role', 'replica', true), set_config('maintenance_work_mem', '512MB', true)`
	const identities = `
		select setval(pg_get_serial_sequence('users', 'id'), (select max(id) from users)),
			setval(pg_get_serial_sequence('groups', 'id'), (select max(id) from groups)),
			setval(pg_get_serial_sequence('timelines', 'id'), (select max(id) from timelines))`
	const postWords = `
		insert into post_words (post_id, words) select id, to_tsvector(search_config(lang), text) from posts`
	const commentWords = `
		update all_comments c set words = to_tsvector(search_config(p.lang), c.text) from posts p where p.id = c.post_id`
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, trusting); err != nil {
			return err
		}
		indexes, err := dropIndexes(ctx, tx)
		if err != nil {
			return err
		}
		for _, t := range tables {
			if _, err := tx.CopyFrom(ctx, pgx.Identifier{t.Name}, t.Columns, rows(t.Name)); err != nil {
				return fmt.Errorf("copy %s: %w", t.Name, err)
			}
		}
		for _, query := range slices.Concat([]string{identities, postWords, commentWords}, indexes) {
			if _, err := tx.Exec(ctx, query); err != nil {
				return fmt.Errorf("%s: %w", query, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	// By the time a community is this large, autovacuum would have done the same.
	_, err = pool.Exec(ctx, `vacuum (analyze)`)
	return err
}

// dropIndexes drops the indexes of the tables to write, except those of constraints, and returns the
// statements that make the indexes again.
func dropIndexes(ctx context.Context, tx pgx.Tx) (again []string, err error) {
	const find = `
		select i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid)
		from pg_index i
		where i.indrelid = any($1::text[]::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`
	names := []string{"post_words"}
	for _, t := range tables {
		names = append(names, t.Name)
	}
	rows, err := tx.Query(ctx, find, names)
	if err != nil {
		return nil, err
	}
	var name, made string
	var drop string
	_, err = pgx.ForEachRow(rows, []any{&name, &made}, func() error {
		drop += "drop index " + name + ";"
		again = append(again, made)
		return nil
	})
	if err != nil {
		return nil, err
	}
	_, err = tx.Exec(ctx, drop)
	return again, err
}
