package timeline

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A SessionInfo describes a session of a person.
type SessionInfo struct {
	ID        int64
	Browser   string // for example "Firefox"; empty: unknown
	System    string // for example "Android"; empty: unknown
	CreatedAt time.Time
	SeenAt    time.Time // the last use, to about an hour
	Hash      []byte    // the hash of the secret
}

// Sessions returns a person's sessions that have not ended, the last used first.
func (s *Store) Sessions(ctx context.Context, user UserID) (_ []SessionInfo, err error) {
	defer primary.Wrap(&err, "sessions of user %d", user)
	const query = `
		select id, agent, created_at, seen_at, token_hash, remember from sessions
		where user_id = $1 order by seen_at desc, id desc limit 200`
	rows, err := s.db.Pool.Query(ctx, query, user)
	if err != nil {
		return nil, err
	}
	var all []SessionInfo
	var one SessionInfo
	var agent string
	var remember bool
	_, err = pgx.ForEachRow(rows, []any{&one.ID, &agent, &one.CreatedAt, &one.SeenAt, &one.Hash, &remember}, func() error {
		if s.db.Now().After(expiry(one.SeenAt, remember)) {
			return nil
		}
		found := one
		found.Browser, found.System = DeviceOf(agent)
		all = append(all, found)
		return nil
	})
	return all, err
}

// EndSessionByID ends one of the person's sessions. It returns [ErrNotFound] if the person has
// no session of this id.
func (s *Store) EndSessionByID(ctx context.Context, user UserID, id int64) (err error) {
	defer primary.Wrap(&err, "end session %d of user %d", id, user)
	const query = `delete from sessions where user_id = $1 and id = $2 returning user_id, token_hash`
	return s.write(ctx, func(tx *txn) error {
		if err := tx.endSessions(ctx, query, user, id); err != nil {
			return err
		}
		if len(tx.Noted()) == 0 {
			return ErrNotFound
		}
		return nil
	})
}

// EndOtherSessions ends all of the person's sessions except the session with the hash.
func (s *Store) EndOtherSessions(ctx context.Context, user UserID, hash []byte) (err error) {
	defer primary.Wrap(&err, "end other sessions of user %d", user)
	const query = `delete from sessions where user_id = $1 and token_hash <> $2 returning user_id, token_hash`
	return s.write(ctx, func(tx *txn) error { return tx.endSessions(ctx, query, user, hash) })
}

// A deviceWord is the name of a browser or a system, with a text that appears in its
// User-Agents.
type deviceWord struct{ name, sign string }

// The words of devices, in the order of the search. Many User-Agents name several browsers, for
// example Edge's also names Chrome and Safari; so Edge comes before these.
var (
	browserWords = []deviceWord{
		{"Edge", "Edg"}, {"Opera", "OPR"}, {"Opera", "Opera"}, {"Firefox", "Firefox"}, {"Firefox", "FxiOS"}, {"Chrome", "Chrome"}, {"Chrome", "CriOS"}, {"Safari", "Safari"},
	}
	systemWords = []deviceWord{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"ChromeOS", "CrOS"}, {"ChromeOS", "ChromeOS"}, {"Mac", "Mac"}, {"Linux", "Linux"},
	}
)

// DeviceOf returns the names of the browser and of the system in a User-Agent; each may be empty.
func DeviceOf(agent string) (browser, system string) {
	browser, system, _ = strings.Cut(deviceOf(agent), "/")
	return browser, system
}

// deviceOf returns the part of a User-Agent that is kept: the names of the browser and of the
// system, for example "Firefox/Android". Either name may be empty. deviceOf returns a text of this
// form unchanged.
func deviceOf(agent string) string {
	find := func(words []deviceWord, in string) string {
		for _, word := range words {
			if strings.Contains(in, word.sign) {
				return word.name
			}
		}
		return ""
	}
	browser := find(browserWords, agent)
	system := find(systemWords, agent)
	if browser == "" && system == "" {
		return ""
	}
	return browser + "/" + system
}
