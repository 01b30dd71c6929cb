package importer

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// An Account is a person or group of this site.
type Account struct {
	Status    string // empty: there is no such account
	CreatedAt time.Time
}

// FindAccount returns the person or group that has the name on this site, or an Account without a
// status if there is none.
func FindAccount(ctx context.Context, pool *pgxpool.Pool, name string) (a Account, err error) {
	const query = `
		select coalesce(u.status, g.status), coalesce(u.created_at, g.created_at) from names n
		left join users u on n.what = 'user' and u.id = n.their_id
		left join groups g on n.what = 'group' and g.id = n.their_id
		where n.name = $1`
	err = pool.QueryRow(ctx, query, name).Scan(&a.Status, &a.CreatedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, nil
	}
	return a, err
}

// SiteAdmins returns the names of the people who administer the site.
func SiteAdmins(ctx context.Context, pool *pgxpool.Pool) ([]string, error) {
	const query = `select name from users where admin and suspended_at is null and status <> 'deleted' order by id`
	rows, err := pool.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
