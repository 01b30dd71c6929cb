package discover

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/query"
	"amstel.dev/amstel/timeline/text"
)

// The largest number of searches that a person can save, and the largest length of their names.
const (
	maxSavedSearches   = 50
	maxSavedSearchName = 50 // characters
)

// A SavedSearch is a search that a person has saved under a name.
type SavedSearch struct {
	ID    int64
	Name  string
	Query string // in the form of [query.Search.String]
}

// SavedSearches returns the saved searches of a person, sorted by name.
func (s *Store) SavedSearches(ctx context.Context, user timeline.UserID) (_ []SavedSearch, err error) {
	defer primary.Wrap(&err, "searches of user %d", user)
	const query = `select id, name, query from saved_searches where user_id = $1 order by lower(name), id`
	rows, err := s.db().Pool.Query(ctx, query, user)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[SavedSearch])
}

// SaveSearch saves a search under a name, or, if the name is empty, under the text of the search.
// The error is [timeline.ErrTaken] if the actor has a search of the same name, in upper or lower
// case, and a [text.InvalidError] for a bad search, a bad name, or too many searches.
func (s *Store) SaveSearch(ctx context.Context, actor timeline.UserID, name, text string) (_ SavedSearch, err error) {
	defer primary.Wrap(&err, "keep a search of user %d", actor)
	const insert = `insert into saved_searches (user_id, name, query) values ($1, $2, $3) on conflict do nothing returning id`
	const all = `select count(*) from (select from saved_searches where user_id = $1 limit $2) s`
	search, err := query.Parse(text)
	if err != nil {
		return SavedSearch{}, err
	}
	saved := SavedSearch{Query: search.String()}
	if name == "" {
		name = saved.Query
		if runes := []rune(name); len(runes) > maxSavedSearchName {
			name = string(runes[:maxSavedSearchName-1]) + "…"
		}
	}
	if saved.Name, err = cleanSearchName(name); err != nil {
		return SavedSearch{}, err
	}
	err = s.db().Write(ctx, func(tx *primary.Tx) error {
		if err := primary.LockActor(ctx, tx, actor); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, insert, actor, saved.Name, saved.Query).Scan(&saved.ID)
		if errors.Is(err, pgx.ErrNoRows) {
			return &timeline.TakenError{Field: "name"}
		}
		if err != nil {
			return err
		}
		return primary.CheckRoom(ctx, tx, all, actor, maxSavedSearches, "you keep")
	})
	if err != nil {
		return SavedSearch{}, err
	}
	return saved, nil
}

func cleanSearchName(name string) (string, error) {
	name, err := text.CleanLine("name", name, maxSavedSearchName)
	if err == nil && name == "" {
		return "", &timeline.InvalidError{Field: "name", Reason: "is empty", Code: "empty"}
	}
	return name, err
}

// RenameSearch changes the name of a saved search of the actor's. The errors are those of
// [Store.SaveSearch], and [timeline.ErrNotFound] if the actor has no search with the id.
func (s *Store) RenameSearch(ctx context.Context, actor timeline.UserID, id int64, name string) (err error) {
	defer primary.Wrap(&err, "rename search %d of user %d", id, actor)
	const update = `update saved_searches set name = $3 where id = $2 and user_id = $1`
	name, err = cleanSearchName(name)
	if err != nil {
		return err
	}
	return s.onSearch(ctx, update, actor, id, name)
}

// DropSearch deletes a saved search of the actor's. It returns [timeline.ErrNotFound] if the actor
// has no search with the id.
func (s *Store) DropSearch(ctx context.Context, actor timeline.UserID, id int64) (err error) {
	defer primary.Wrap(&err, "drop search %d of user %d", id, actor)
	const remove = `delete from saved_searches where id = $2 and user_id = $1`
	return s.onSearch(ctx, remove, actor, id)
}

// onSearch runs a query that changes or deletes a saved search of the actor's. It returns
// [timeline.ErrNotFound] if the actor has no search with the id.
func (s *Store) onSearch(ctx context.Context, query string, actor timeline.UserID, id int64, more ...any) error {
	return s.db().Write(ctx, func(tx *primary.Tx) error {
		tag, err := tx.Exec(ctx, query, append([]any{actor, id}, more...)...)
		if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok && pgErr.Code == "23505" {
			return &timeline.TakenError{Field: "name"}
		}
		if err == nil && tag.RowsAffected() == 0 {
			return timeline.ErrNotFound
		}
		return err
	})
}
