package timeline

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

func (s *site) uuid() string {
	s.t.Helper()
	return one[string](s, `select uuid::text from log_head`)
}

func TestSiteSettings(t *testing.T) {
	t.Parallel()
	s := newSite(t, "admin", "bert")
	ctx := t.Context()
	_, err := s.db.Pool.Exec(ctx, `update users set admin = true where id = $1`, s.user("admin"))
	s.must(err)
	read := func(want SiteSettings) {
		t.Helper()
		got, err := s.SiteSettings(ctx)
		s.must(err)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("settings (-want +got):\n%s", diff)
		}
		sn, err := s.Snapshot(ctx)
		s.must(err)
		defer sn.Close()
		log, err := sn.Log(ctx, 0, "", "")
		s.must(err)
		if log.Site != got {
			t.Errorf("the log has %+v", log.Site)
		}
	}
	read(DefaultSite())

	uuid := s.uuid()
	set, err := s.SetSiteSettings(ctx, s.user("admin"), SiteEdit{"best_of.like": "0.5", "most_faved.half_life_hours": "1.5", "bump": "freefeed"})
	s.must(err)
	want := DefaultSite()
	want.BestOf.Like, want.MostFaved.HalfLife, want.Bump = 0.5, 90*time.Minute, BumpFreeFeed
	if set != want {
		t.Errorf("it answered %+v", set)
	}
	read(want)
	if s.uuid() != uuid {
		t.Error("settings that sort nothing anew made nodes start over")
	}
	_, err = s.db.Pool.Exec(ctx, `update site_settings set value = value || '{"of_tomorrow": 1}'`)
	s.must(err)

	want.Lift = false
	_, err = s.SetSiteSettings(ctx, s.user("admin"), SiteEdit{"lift": "off"})
	s.must(err)
	read(want)
	flat := s.uuid()
	if flat == uuid {
		t.Errorf("lift was turned off, and nodes keep the rivers of %s", uuid)
	}
	_, err = s.SetSiteSettings(ctx, s.user("admin"), SiteEdit{"lift": "false"})
	s.must(err)
	if s.uuid() != flat {
		t.Error("setting what is set made nodes start over")
	}
	want.Lift = true
	_, err = s.ArrangeSite(ctx, SiteEdit{"lift": "on"})
	s.must(err)
	read(want)
	if s.uuid() == flat {
		t.Errorf("lift was turned on, and nodes keep the rivers of %s", flat)
	}
	if !one[bool](s, `select value ? 'of_tomorrow' from site_settings`) {
		t.Error("what another version set is gone")
	}
}

func TestSiteSettingsThatCantBe(t *testing.T) {
	t.Parallel()
	s := newSite(t, "admin", "bert")
	ctx := t.Context()
	_, err := s.db.Pool.Exec(ctx, `update users set admin = true where id = $1`, s.user("admin"))
	s.must(err)
	before := s.fingerprint(ctx)
	for key, bad := range map[string][]string{
		"lift":                    {"perhaps", "2"},
		"bump":                    {"", "Comment", "never"},
		"best_of.like":            {"", "-1", "NaN", "Inf", "1e9", "one", "0.0001"},
		"best_of.half_life_hours": {"0", "-3", "NaN", "1e300"},
		"most_faved.fav":          {"0"}, // a weight of 0 would count nothing
		"most_faved":              {"1"},
		"quotas.token":            {"", "-1", "0.5", "1.5", "NaN", "1e10", "many"},
		"newcomers.days":          {"", "-1", "1.5", "91"},
		"newcomers.posts":         {"0", "many"},
		"newcomers.links":         {"", "refused"},
		"refused":                 {"good\n*", strings.Repeat("x", 101), "a\x00"},
		"name":                    {"", " ", "\u3164", strings.Repeat("x", 41), "two\nlines"},
		"about":                   {strings.Repeat("x", 3001), "a\x00"},
		"rules":                   {strings.Repeat("x", 3001)},
		"nonsense":                {"1"},
	} {
		for _, value := range bad {
			_, err := s.SetSiteSettings(ctx, s.user("admin"), SiteEdit{"best_of.comment": "3", key: value})
			invalid, is := errors.AsType[*InvalidError](err)
			if !is || strings.Contains(invalid.Reason, "%!") {
				t.Errorf("%s = %q: %v", key, value, err)
			}
		}
	}
	if _, err := s.SetSiteSettings(ctx, s.user("admin"), nil); err == nil {
		t.Error("nothing to change is no change")
	}
	for user, want := range map[UserID]error{0: ErrUnauthorized, s.user("bert"): ErrForbidden} {
		if _, err := s.SetSiteSettings(ctx, user, SiteEdit{"lift": "off"}); !errors.Is(err, want) {
			t.Errorf("user %d: %v", user, err)
		}
	}
	if s.fingerprint(ctx) != before {
		t.Error("a setting that was refused changed something")
	}
	for _, one := range DefaultSite().List() {
		if one.Value == "" && one.Kind != "lines" || one.About == "" {
			t.Errorf("%s says nothing", one.Key)
		}
		if _, err := s.SetSiteSettings(ctx, s.user("admin"), SiteEdit{one.Key: one.Value}); err != nil {
			t.Errorf("as it stands %s can't be set: %v", one.Key, err)
		}
	}
}

// TestSiteSettings_StoredForm: the object in the primary and in the API has these keys, and each
// default is within its bounds.
func TestSiteSettings_StoredForm(t *testing.T) {
	t.Parallel()
	settings := DefaultSite()
	if err := settings.validate(); err != nil {
		t.Errorf("the defaults are refused: %v", err)
	}
	text, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"about":"","best_of":{"comment":1,"fav":2,"half_life_hours":24,"like":1},"bump":"comment","intakes":20,"lift":true,"link_previews":true,` +
		`"most_faved":{"comment":0,"fav":1,"half_life_hours":24,"like":0},"name":"Amstel","newcomers":{"days":0,"links":"held","posts":30},"presence":false,"quotas":{"address":10000,"person":20000,"token":5000},"ready":true,"registration":"open","rules":""}`
	if string(text) != want {
		t.Errorf("the settings are stored as %s, not %s", text, want)
	}
	for stored, wantErr := range map[string]bool{
		`{"lift": null, "bump": "never", "best_of": {"like": -1, "half_life_hours": 0}, "of_tomorrow": [1]}`: false,
		`{"lift": "on"}`:             true,
		`{"bump": 1}`:                true,
		`{"best_of": [1]}`:           true,
		`{"best_of.like": 3}`:        false,
		`{"best_of": {"like":true}}`: true,
	} {
		var got SiteSettings
		if err := json.Unmarshal([]byte(stored), &got); (err != nil) != wantErr {
			t.Errorf("%s: error %v, want one: %v", stored, err, wantErr)
		} else if err == nil && got != settings {
			t.Errorf("%s is read as %+v, not as the defaults", stored, got)
		}
	}
}
