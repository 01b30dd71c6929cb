package timeline

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/timeline/internal/primary"
)

// The rules of which comments make their post fresh; see [SiteSettings].
const (
	BumpComment   = "comment"
	BumpFreeFeed  = "freefeed"
	maxWeight     = 1000
	maxHalfLife   = 10 * 365 * 24 * time.Hour
	shortHalfLife = time.Minute
)

// SiteSettings are what administrators set for the whole site, and every node
// goes by. What nothing was said of is as in [DefaultSite].
type SiteSettings struct {
	// Lift puts what only somebody's like or comment brings into a home where it
	// came in, if that is later than its place in time; see [OrderLifted].
	Lift bool
	// Bump says which comments make their post fresh: each (BumpComment), or, as
	// FreeFeed had it (BumpFreeFeed), those on a post that is younger than a day,
	// or had more than two comments in the last day. It is asked when a comment is
	// written; those there keep what they did.
	Bump string
	// Presence says to whoever has a post's page open how many have.
	Presence bool
	// BestOf and MostFaved are what the rankings of those names go by; order=top of
	// a page goes by BestOf.
	BestOf, MostFaved Weights
}

// DefaultSite are the settings of a site of which nothing was set.
func DefaultSite() SiteSettings {
	return SiteSettings{
		Bump:      BumpComment,
		BestOf:    Weights{Like: 1, Comment: 1, Fav: 2, HalfLife: 24 * time.Hour},
		MostFaved: Weights{Fav: 1, HalfLife: 24 * time.Hour},
	}
}

// A SiteSetting is one of the settings by itself, in words.
type SiteSetting struct {
	Key, Value string
	Kind       string   // of input: "flag", "choice" or "number"
	Choices    []string // of a choice
	About      string   // what it does
}

// A SiteEdit gives settings new values, in words, by their keys.
type SiteEdit map[string]string

// a sitePart is one setting and where it is kept.
type sitePart struct {
	key, about string
	choices    []string
	value      any // *bool, *string, *float64 or *time.Duration, that in hours
}

// parts are all settings there are.
func (s *SiteSettings) parts() []sitePart {
	parts := []sitePart{
		{key: "lift", value: &s.Lift, about: "Put what a friend's like or comment brings into a home where it came in, not where it stands in time. Every server starts its pages over."},
		{key: "bump", value: &s.Bump, choices: []string{BumpComment, BumpFreeFeed},
			about: "Which comments make their post fresh: each (comment), or those on a post younger than a day or with more than two comments in the last day (freefeed)."},
		{key: "presence", value: &s.Presence, about: "Say on a post's own page how many have it open just now. Each server counts its own readers."},
	}
	for _, w := range []struct {
		key, about string
		of         *Weights
	}{{"best_of", "the best posts", &s.BestOf}, {"most_faved", "the most faved posts", &s.MostFaved}} {
		parts = append(parts,
			sitePart{key: w.key + ".like", value: &w.of.Like, about: "What a like counts among " + w.about + ", 0 to 1000."},
			sitePart{key: w.key + ".comment", value: &w.of.Comment, about: "What a comment counts among " + w.about + ", 0 to 1000."},
			sitePart{key: w.key + ".fav", value: &w.of.Fav, about: "What a favourite counts among " + w.about + ", 0 to 1000."},
			sitePart{key: w.key + ".half_life_hours", value: &w.of.HalfLife, about: "How many hours of age about twice the points make up for under Rising, among " + w.about + ". The other periods ignore age."})
	}
	return parts
}

// List are all settings, in words.
func (s SiteSettings) List() []SiteSetting {
	var list []SiteSetting
	for _, p := range s.parts() {
		one := SiteSetting{Key: p.key, About: p.about, Kind: "number", Choices: p.choices}
		switch v := p.value.(type) {
		case *bool:
			one.Kind, one.Value = "flag", map[bool]string{true: "on", false: "off"}[*v]
		case *string:
			one.Kind, one.Value = "choice", *v
		case *float64:
			one.Value = strconv.FormatFloat(*v, 'f', -1, 64)
		case *time.Duration:
			one.Value = strconv.FormatFloat(v.Hours(), 'f', -1, 64)
		}
		list = append(list, one)
	}
	return list
}

// apply makes an edit of the settings, or an [InvalidError].
func (s *SiteSettings) apply(edit SiteEdit) error {
	if len(edit) == 0 {
		return &InvalidError{Field: "site", Reason: "says nothing to change"}
	}
	known := make(map[string]bool)
	for _, p := range s.parts() {
		known[p.key] = true
		text, given := edit[p.key]
		if !given {
			continue
		}
		if err := p.set(strings.TrimSpace(text)); err != nil {
			return err
		}
	}
	for key := range edit {
		if !known[key] {
			return &InvalidError{Field: "site", Reason: fmt.Sprintf("has no setting %.40q", key)}
		}
	}
	for key, w := range map[string]Weights{"best_of": s.BestOf, "most_faved": s.MostFaved} {
		if w.Like == 0 && w.Comment == 0 && w.Fav == 0 {
			return &InvalidError{Field: key, Reason: "would count nothing: one of like, comment and fav must be above 0", Code: "counts_nothing"}
		}
	}
	return nil
}

// set reads a value of the setting's kind.
func (p *sitePart) set(text string) error {
	switch v := p.value.(type) {
	case *bool:
		switch strings.ToLower(text) {
		case "on", "true", "yes", "1":
			*v = true
		case "off", "false", "no", "0", "":
			*v = false
		default:
			return &InvalidError{Field: p.key, Reason: "is on or off", Code: "choice"}
		}
	case *string:
		if !slices.Contains(p.choices, text) {
			return &InvalidError{Field: p.key, Reason: "is one of " + strings.Join(p.choices, ", "), Code: "choice"}
		}
		*v = text
	case *float64:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !fitsWeight(n) {
			return &InvalidError{Field: p.key, Reason: fmt.Sprintf("is a number from 0 to %d, with up to three decimals", maxWeight), Code: "number"}
		}
		*v = n
	case *time.Duration:
		hours, err := strconv.ParseFloat(text, 64)
		if err != nil || !fitsHalfLife(hours) {
			return &InvalidError{Field: p.key, Reason: fmt.Sprintf("is a number of hours, up to %.0f", maxHalfLife.Hours()), Code: "number"}
		}
		*v = inHours(hours)
	}
	return nil
}

// fitsWeight says whether a weight can be counted by: what is below a thousandth
// would count as nothing at all.
func fitsWeight(n float64) bool { return n == 0 || n >= 0.001 && n <= maxWeight }

func fitsHalfLife(hours float64) bool {
	return hours >= shortHalfLife.Hours() && hours <= maxHalfLife.Hours()
}

// inHours is a time in whole milliseconds, so that it is the same again after it
// was written in hours.
func inHours(hours float64) time.Duration {
	return time.Duration(math.Round(hours*float64(time.Hour/time.Millisecond))) * time.Millisecond
}

// tree is the settings as they are kept, and as the API gives them.
func (s SiteSettings) tree() map[string]any {
	tree := make(map[string]any)
	for _, p := range s.parts() {
		at, key := tree, p.key
		if group, rest, is := strings.Cut(p.key, "."); is {
			if tree[group] == nil {
				tree[group] = make(map[string]any)
			}
			at, key = tree[group].(map[string]any), rest
		}
		switch v := p.value.(type) {
		case *bool:
			at[key] = *v
		case *string:
			at[key] = *v
		case *float64:
			at[key] = *v
		case *time.Duration:
			at[key] = v.Hours()
		}
	}
	return tree
}

// MarshalJSON is the settings as an object; those of a ranking are one of their own.
func (s SiteSettings) MarshalJSON() ([]byte, error) { return json.Marshal(s.tree()) }

// UnmarshalJSON reads such an object. What it does not have is as in
// [DefaultSite], and so is what nobody could go by; what it has beyond is another
// version's, and not looked at.
func (s *SiteSettings) UnmarshalJSON(text []byte) error {
	*s = DefaultSite()
	var tree map[string]json.RawMessage
	if err := json.Unmarshal(text, &tree); err != nil {
		return fmt.Errorf("site settings: %w", err)
	}
	for _, p := range s.parts() {
		at, key := tree, p.key
		if group, rest, is := strings.Cut(p.key, "."); is {
			at, key = nil, rest
			if err := json.Unmarshal(tree[group], &at); len(tree[group]) > 0 && err != nil {
				return fmt.Errorf("site setting %s: %w", group, err)
			}
		}
		if raw, given := at[key]; given {
			if err := p.read(raw); err != nil {
				return fmt.Errorf("site setting %s: %w", p.key, err)
			}
		}
	}
	return nil
}

// read reads a value as it is kept, and leaves the setting alone where it can't
// have that.
func (p *sitePart) read(raw json.RawMessage) error {
	switch v := p.value.(type) {
	case *string:
		var text string
		if err := json.Unmarshal(raw, &text); err != nil || !slices.Contains(p.choices, text) {
			return err
		}
		*v = text
	case *float64:
		n := *v
		if err := json.Unmarshal(raw, &n); err != nil || !fitsWeight(n) {
			return err
		}
		*v = n
	case *time.Duration:
		hours := v.Hours()
		if err := json.Unmarshal(raw, &hours); err != nil || !fitsHalfLife(hours) {
			return err
		}
		*v = inHours(hours)
	default:
		return json.Unmarshal(raw, p.value)
	}
	return nil
}

// SiteSettings reads the settings of the site, which are everybody's to know.
func (s *Store) SiteSettings(ctx context.Context) (_ SiteSettings, err error) {
	defer primary.Wrap(&err, "site settings")
	return siteSettings(ctx, s.db.Pool)
}

func siteSettings(ctx context.Context, q primary.Querier) (SiteSettings, error) {
	const query = `select value from site_settings`
	var settings SiteSettings
	if err := q.QueryRow(ctx, query).Scan(&settings); err != nil {
		return DefaultSite(), err
	}
	return settings, nil
}

// SetSiteSettings changes settings for an administrator of the site, and answers
// how all are then. An edit with anything wrong changes nothing.
func (s *Store) SetSiteSettings(ctx context.Context, actor UserID, edit SiteEdit) (_ SiteSettings, err error) {
	defer primary.Wrap(&err, "set the site settings")
	return s.arrange(ctx, edit, func(tx *txn) error {
		sets, err := lockSets(ctx, tx, actor)
		switch {
		case err != nil:
			return err
		case !sets.MayAct():
			return ErrUnauthorized
		case !sets.Admin:
			return ErrForbidden
		}
		return nil
	})
}

// ArrangeSite is SetSiteSettings for who operates the site from its command line.
func (s *Store) ArrangeSite(ctx context.Context, edit SiteEdit) (_ SiteSettings, err error) {
	defer primary.Wrap(&err, "arrange the site")
	return s.arrange(ctx, edit, func(*txn) error { return nil })
}

// arrange changes settings in a transaction in which may is asked first.
func (s *Store) arrange(ctx context.Context, edit SiteEdit, may func(*txn) error) (SiteSettings, error) {
	// Keys that are not ours are another version's: they stay.
	const lock = `select value from site_settings for update`
	const update = `update site_settings set value = value || $1`
	const renew = `update log_head set uuid = gen_random_uuid()`
	var is SiteSettings
	var lifts, lifted bool
	once := func(tx *txn) error {
		if err := may(tx); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, lock).Scan(&is); err != nil {
			return err
		}
		was := is.Lift
		if err := is.apply(edit); err != nil {
			return err
		}
		lifts = is.Lift != was
		if is.Lift && lifts && !lifted {
			return errUnindexed
		}
		if _, err := tx.Exec(ctx, update, is.tree()); err != nil || !lifts {
			return err
		}
		// Every river is sorted anew, as no change row could say.
		_, err := tx.Exec(ctx, renew)
		return err
	}
	err := s.write(ctx, once)
	if err == errUnindexed {
		// The index of what came in takes long to make, and is made beside
		// the writers, so before any page goes by it.
		if err = s.indexLift(ctx); err == nil {
			lifted = true
			err = s.write(ctx, once)
		}
	}
	if err != nil {
		return SiteSettings{}, err
	}
	if lifts {
		s.bells.ring()
		if !is.Lift {
			err = s.unindexLift(ctx)
		}
	}
	return is, err
}
