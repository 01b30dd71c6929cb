package timeline

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A SiteChange is a change of one of the [SiteSettings]. No change is ever deleted.
type SiteChange struct {
	At      time.Time
	By      UserID // 0: the operator of the server
	Setting string // the key of the setting
	Was     string // the value before the change, in words as in [SiteSetting]
	Value   string // the value since
}

// recordSiteChanges adds a row for each setting whose value the actor changes.
func (s *Store) recordSiteChanges(ctx context.Context, tx *txn, actor UserID, was, now SiteSettings) error {
	const insert = `insert into site_changes (at, by_id, setting, was, value) values ($1, nullif($2::bigint, 0), $3, $4, $5)`
	var b pgx.Batch
	before := was.List()
	for i, one := range now.List() {
		if one.Value != before[i].Value {
			b.Queue(insert, s.db.Now(), actor, one.Key, before[i].Value, one.Value)
		}
	}
	return tx.SendBatch(ctx, &b).Close()
}

// SiteChanges returns up to count changes of settings, the newest first, to an administrator of the site. The error is
// [ErrForbidden] for any other viewer.
func (s *Store) SiteChanges(ctx context.Context, viewer UserID, count int) (all []SiteChange, err error) {
	defer primary.Wrap(&err, "changes of the site settings")
	const query = `select at, coalesce(by_id, 0), setting, was, value from site_changes order by id desc limit $1`
	err = s.viewAs(ctx, viewer, (*Sets).checkSiteAdmin, func(q primary.Querier, _ *Sets) error {
		rows, err := q.Query(ctx, query, count)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, pgx.RowToStructByPos[SiteChange])
		for i := range all {
			all[i].At = all[i].At.UTC()
		}
		return err
	})
	return all, err
}

// SiteRules returns the rules of the site, and when they were changed last; an empty text if the site has none. Any viewer may
// know them.
func (s *Store) SiteRules(ctx context.Context) (rules string, since time.Time, err error) {
	defer primary.Wrap(&err, "rules of the site")
	const query = `
		select coalesce(s.value->>'rules', ''), coalesce((select max(at) from site_changes where setting = 'rules'), 'epoch')
		from site_settings s`
	err = s.db.Pool.QueryRow(ctx, query).Scan(&rules, &since)
	return rules, since.UTC(), err
}
