package timeline

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// The rules of which comments make their post fresh; see [SiteSettings].
const (
	BumpComment  = "comment"
	BumpFreeFeed = "freefeed"
)

// Who may sign up; see [SiteSettings].
const (
	RegistrationOpen     = "open"
	RegistrationApproval = "approval"
	RegistrationLink     = "link"
	RegistrationClosed   = "closed"
)

// The bounds of a ranking's weights and half-life. A weight below the least would be
// rounded to nothing, since points are counted in thousandths.
const (
	leastWeight   = 0.001
	maxWeight     = 1000
	shortHalfLife = time.Minute
	maxHalfLife   = 10 * 365 * 24 * time.Hour
)

// SiteSettings are the settings that administrators make for the whole site. Every node follows
// them. [SiteSettings.fields] has the key, default, bounds and description of each setting.
type SiteSettings struct {
	// Name is the name of the site, which is on top of every page.
	Name string
	// About says what the site is, above the words about the program; it may be empty.
	About string
	// Rules are the rules to which new people agree; empty: there are none. See [Store.SiteRules].
	Rules string
	// Lift puts a post that a friend's like or comment brought into a home at the time of the
	// like or comment, if that time is later than the post's own place; see [OrderLifted].
	Lift bool
	// Bump selects the comments that make their post fresh: each comment (BumpComment), or, as
	// FreeFeed had it (BumpFreeFeed), comments on a post that is younger than a day or had more
	// than two comments in the last day. The rule is applied when a comment is written; a change
	// of the rule does not move posts with older comments.
	Bump string
	// Registration says who may sign up: everyone (RegistrationOpen), those whom an administrator accepts
	// (RegistrationApproval, see [Applicant]), people with a [SignUpLink] (RegistrationLink), or no one
	// (RegistrationClosed). The operator of the server adds accounts in any case, and the first person may always sign up.
	Registration string
	// Presence shows on a post's own page how many readers have the page open.
	Presence bool
	// LinkPreviews has the server fetch the first page that a post links to, and show the page's
	// description of itself below the post; see [Preview].
	LinkPreviews bool
	// Ready has the primary keep the times at which people come, and nodes build the homes of
	// regular readers shortly before these times; see [Store.RecordVisits].
	Ready bool
	// Intakes is how many intakes a person may have; 0: there are none on the site. See
	// [Intake].
	Intakes int
	// BestOf and MostFaved are the weights of the rankings of those names; order=top
	// of a page uses BestOf.
	BestOf, MostFaved Weights
	// Newcomers are the limits for people whose accounts are new.
	Newcomers NewcomerSettings
	// Refused are the words and hosts that no post, comment, name or description may have. They are not public.
	Refused text.FilterLines
	// Quotas are how many requests may be made in an hour.
	Quotas Quotas
	// Source says where rivers find their posts.
	Source SourceSettings
}

// DefaultName is the name of a site to which administrators gave none.
const DefaultName = "Amstel"

// DefaultSite returns the default settings.
func DefaultSite() SiteSettings {
	var s SiteSettings
	for _, f := range s.fields() {
		f.set(f.initial)
	}
	return s
}

// A SiteSetting is a setting in words, for forms and the command line.
type SiteSetting struct {
	Key, Value string
	Kind       string   // of the input: "flag", "choice", "number", "line" or "lines"
	Longest    int      // of a line or lines: the largest number of characters
	Choices    []string // the values that a choice may have
	About      string   // what the setting does
	Operator   bool     // the setting is for the command line, and not on the page of settings
}

// A SiteEdit has new values of settings, in words, by the keys of the settings.
type SiteEdit map[string]string

// fields returns all settings, with pointers into s.
func (s *SiteSettings) fields() []siteField {
	prose := func(key string, value *string, about string) siteField {
		return siteField{key: key, initial: "", value: value, about: about, lines: true, longest: text.MaxText,
			clean: func(typed string) (string, error) { return text.Clean(key, typed) }}
	}
	fields := []siteField{
		{key: "name", initial: DefaultName, value: &s.Name, longest: maxSiteName, clean: cleanSiteName,
			about: "The name of the site, on top of every page. A change makes every server build its pages again."},
		prose("about", &s.About, "What the site is, and who runs it, at the top of the page about the site."),
		prose("rules", &s.Rules, "The rules of the site. New people agree to them when they sign up."),
		{key: "lift", initial: true, value: &s.Lift,
			about: "Put a post that a friend's like or comment brought into a home at the time of that like or comment, not at the post's own time. A change makes every server build its pages again."},
		{key: "bump", initial: BumpComment, value: &s.Bump, choices: []string{BumpComment, BumpFreeFeed},
			about: "Which comments bring their post to the top: all (comment), or only those on a post that is younger than a day or had more than two comments in the last day (freefeed)."},
		{key: "registration", initial: RegistrationOpen, value: &s.Registration, choices: []string{RegistrationOpen, RegistrationApproval, RegistrationLink, RegistrationClosed},
			about: "Who may sign up: everyone (open), people whom an administrator accepts (approval), people to whom a member gave a sign-up link (link), or no one (closed). When it is closed, operators still add accounts on the command line."},
		{key: "presence", initial: false, value: &s.Presence,
			about: "Show on a post's own page how many people have it open. Each server counts its own readers."},
		{key: "link_previews", initial: true, value: &s.LinkPreviews,
			about: "Fetch the first page that a post links to, and show its title and picture below the post. Off: nothing is fetched, and no preview is shown. A change makes every server build its pages again."},
		{key: "ready", initial: true, value: &s.Ready,
			about: "Keep for four weeks the quarters of an hour in which people come, and build the homes of regular readers shortly before. People can refuse it for themselves. Off: no times are kept, and those that were are deleted within an hour."},
		{key: "intakes", initial: float64(defaultIntakes), value: &s.Intakes, whole: true, orZero: true, least: 1, most: maxIntakes,
			bounds: fmt.Sprintf("is a whole number from 0 to %d", maxIntakes),
			about:  fmt.Sprintf("How many feeds of other sites a person may import, from 0 to %d. 0: nothing is imported, and feeds that people have added wait.", maxIntakes)},
	}
	for _, ranking := range []struct {
		key, posts string
		weights    *Weights
		initial    Weights
	}{
		{"best_of", "the best posts", &s.BestOf, Weights{Like: 1, Comment: 1, Fav: 2, HalfLife: 24 * time.Hour}},
		{"most_faved", "the most favourited posts", &s.MostFaved, Weights{Fav: 1, HalfLife: 24 * time.Hour}},
	} {
		weight := func(key, counted string, value *float64, initial float64) siteField {
			return siteField{
				key: ranking.key + "." + key, initial: initial, value: value,
				about: fmt.Sprintf("How many points a %s gives a post in the ranking of %s, from 0 to %d.", counted, ranking.posts, maxWeight),
				least: leastWeight, most: maxWeight, orZero: true,
				bounds: fmt.Sprintf("is a number from 0 to %d, with up to three decimals", maxWeight),
			}
		}
		fields = append(fields,
			weight("like", "like", &ranking.weights.Like, ranking.initial.Like),
			weight("comment", "comment", &ranking.weights.Comment, ranking.initial.Comment),
			weight("fav", "favourite", &ranking.weights.Fav, ranking.initial.Fav),
			siteField{
				key: ranking.key + ".half_life_hours", initial: ranking.initial.HalfLife.Hours(), value: &ranking.weights.HalfLife,
				about: "How many hours older a post may be to keep its rank with about twice the points, under Rising in the ranking of " + ranking.posts + ". The other periods ignore age.",
				least: shortHalfLife.Hours(), most: maxHalfLife.Hours(),
				bounds: fmt.Sprintf("is a number of hours, up to %.0f", maxHalfLife.Hours()),
			})
	}
	fields = append(fields, s.Newcomers.fields()...)
	fields = append(fields, siteField{key: "refused", initial: "", value: &s.Refused, private: true, lines: true, longest: text.MaxText,
		about: "Words and hosts that no post, comment, name or description may have, one a line; watch* stands for all words that begin so."})
	return append(append(fields, s.Quotas.fields()...), s.Source.fields()...)
}

// validate returns an [InvalidError] if a setting is out of its bounds, or if a
// ranking would count nothing.
func (s *SiteSettings) validate() error {
	for _, f := range s.fields() {
		if err := f.check(f.get()); err != nil {
			return err
		}
	}
	for _, ranking := range []struct {
		key string
		Weights
	}{{"best_of", s.BestOf}, {"most_faved", s.MostFaved}} {
		if ranking.Like == 0 && ranking.Comment == 0 && ranking.Fav == 0 {
			return &InvalidError{Field: ranking.key, Reason: "would count nothing: one of like, comment and fav must be above 0", Code: "counts_nothing"}
		}
	}
	return nil
}

// List returns all settings, in words.
func (s SiteSettings) List() []SiteSetting {
	var list []SiteSetting
	for _, f := range s.fields() {
		one := SiteSetting{Key: f.key, About: f.about, Choices: f.choices, Operator: f.operator}
		switch v := f.get().(type) {
		case bool:
			one.Kind, one.Value = "flag", "off"
			if v {
				one.Value = "on"
			}
		case string:
			one.Kind, one.Value, one.Longest = "choice", v, f.longest
			switch {
			case f.lines:
				one.Kind = "lines"
			case f.clean != nil:
				one.Kind = "line"
			}
		case float64:
			one.Kind, one.Value = "number", strconv.FormatFloat(v, 'f', -1, 64)
		}
		list = append(list, one)
	}
	return list
}

// ForPage returns the settings for the page of settings, in words. It leaves out the settings for
// operators.
func (s SiteSettings) ForPage() []SiteSetting {
	return slices.DeleteFunc(s.List(), func(one SiteSetting) bool { return one.Operator })
}

// apply changes the settings that the edit names. It returns an [InvalidError], with the
// settings half changed, if the edit is empty, names an unknown setting, or makes the settings
// invalid.
func (s *SiteSettings) apply(edit SiteEdit) error {
	if len(edit) == 0 {
		return &InvalidError{Field: "site", Reason: "has no setting to change"}
	}
	known := make(map[string]bool)
	for _, f := range s.fields() {
		known[f.key] = true
		text, given := edit[f.key]
		if !given {
			continue
		}
		value, err := f.parse(strings.TrimSpace(text))
		if err != nil {
			return err
		}
		f.set(value)
	}
	for key := range edit {
		if !known[key] {
			return &InvalidError{Field: "site", Reason: fmt.Sprintf("has no setting %.40q", key)}
		}
	}
	return s.validate()
}

// object returns the settings as the object that the primary stores and the API returns. A dot in a
// key stands for an object within the object: best_of.like is {"best_of": {"like": 1}}. With
// operator, the settings for operators of the server and those that are not public are included.
func (s *SiteSettings) object(operator bool) map[string]any {
	object := make(map[string]any)
	for _, f := range s.fields() {
		if (f.operator || f.private) && !operator {
			continue
		}
		group, name, grouped := strings.Cut(f.key, ".")
		if !grouped {
			object[f.key] = f.get()
			continue
		}
		if object[group] == nil {
			object[group] = make(map[string]any)
		}
		object[group].(map[string]any)[name] = f.get()
	}
	return object
}

// MarshalJSON returns the settings in the form of the API: an object without the settings for
// operators.
func (s SiteSettings) MarshalJSON() ([]byte, error) { return json.Marshal(s.object(false)) }

// UnmarshalJSON reads the object that MarshalJSON writes. A missing setting, or one out of its
// bounds, gets its default. UnmarshalJSON ignores unknown keys, which another version of the
// program wrote. A value of a wrong type is an error.
func (s *SiteSettings) UnmarshalJSON(text []byte) error {
	if last := lastSite.Load(); last != nil && last.text == string(text) {
		*s = last.settings
		return nil
	}
	if err := s.parse(text); err != nil {
		return err
	}
	lastSite.Store(&siteText{text: string(text), settings: *s})
	return nil
}

// A siteText holds settings together with the text that they were parsed from.
type siteText struct {
	text     string
	settings SiteSettings
}

// lastSite has the text that UnmarshalJSON parsed last. Each turn of a node reads the settings,
// which seldom change; without lastSite, parsing them took a twelfth of a busy node's CPU time.
var lastSite atomic.Pointer[siteText]

// parse is UnmarshalJSON without lastSite.
func (s *SiteSettings) parse(text []byte) error {
	*s = DefaultSite()
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return fmt.Errorf("site settings: %w", err)
	}
	for _, f := range s.fields() {
		within, name := object, f.key
		if group, rest, grouped := strings.Cut(f.key, "."); grouped {
			within, name = nil, rest
			if err := json.Unmarshal(object[group], &within); len(object[group]) > 0 && err != nil {
				return fmt.Errorf("site setting %s: %w", group, err)
			}
		}
		raw, given := within[name]
		if !given {
			continue
		}
		var value any
		if err := json.Unmarshal(raw, &value); err != nil {
			return fmt.Errorf("site setting %s: %w", f.key, err)
		}
		switch {
		case value == nil: // null is as good as missing
		case reflect.TypeOf(value) != reflect.TypeOf(f.initial):
			return fmt.Errorf("site setting %s is a %T, not a %T", f.key, value, f.initial)
		case f.check(value) == nil:
			f.set(value)
		}
	}
	return nil
}

// SiteSettings returns the settings of the site. Any viewer may know them.
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

// SetSiteSettings changes the settings that the edit names, and returns all settings after the
// change. It changes nothing if any part of the edit is wrong. The error is an [InvalidError] for a
// bad edit, [ErrUnauthorized] for an actor without an account or with a suspended one, and
// [ErrForbidden] for an actor who is no administrator of the site.
func (s *Store) SetSiteSettings(ctx context.Context, actor UserID, edit SiteEdit) (_ SiteSettings, err error) {
	defer primary.Wrap(&err, "set the site settings")
	return s.arrange(ctx, actor, edit, func(tx *txn) error {
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

// ArrangeSite changes settings as SetSiteSettings does, for an operator at the command
// line. The operator needs no account.
func (s *Store) ArrangeSite(ctx context.Context, edit SiteEdit) (_ SiteSettings, err error) {
	defer primary.Wrap(&err, "arrange the site")
	return s.arrange(ctx, 0, edit, func(*txn) error { return nil })
}

// arrange changes settings in a transaction that begins with allowed, which returns an error if
// the actor may not change settings. Actor 0 is the operator of the server.
func (s *Store) arrange(ctx context.Context, actor UserID, edit SiteEdit, allowed func(*txn) error) (SiteSettings, error) {
	// The update keeps unknown keys: another version of the program wrote them.
	const lock = `select value from site_settings for update`
	const update = `update site_settings set value = value || $1`
	const renew = `update log_head set uuid = gen_random_uuid()`
	var settings SiteSettings
	var renews bool
	err := s.write(ctx, func(tx *txn) error {
		if err := allowed(tx); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, lock).Scan(&settings); err != nil {
			return err
		}
		was := settings
		if err := settings.apply(edit); err != nil {
			return err
		}
		// The name of the site, and a link to its rules, are on every page.
		renews = settings.Lift != was.Lift || settings.LinkPreviews != was.LinkPreviews || settings.Name != was.Name || (settings.Rules == "") != (was.Rules == "")
		if err := s.recordSiteChanges(ctx, tx, actor, was, settings); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, update, settings.object(true)); err != nil || !renews {
			return err
		}
		// A new uuid makes each node drop all of its rivers: their order or their entries
		// changed, and no row of the change log can say so.
		_, err := tx.Exec(ctx, renew)
		return err
	})
	if err != nil {
		return SiteSettings{}, err
	}
	if renews {
		s.bells.ring()
	}
	return settings, nil
}
