package timeline

import (
	"encoding/json"
	"errors"
	"testing"
	"time"
)

// bounded fails the test unless nodes can work with the settings: all numbers are finite, and neither too
// small nor too large to calculate with.
func (s SiteSettings) bounded(t *testing.T, of string) {
	t.Helper()
	if s.Bump != BumpComment && s.Bump != BumpFreeFeed {
		t.Errorf("%s: comments bump by %q", of, s.Bump)
	}
	for _, w := range []Weights{s.BestOf, s.MostFaved} {
		for _, n := range []float64{w.Like, w.Comment, w.Fav} {
			if !(n >= 0 && n <= maxWeight) {
				t.Errorf("%s: a weight of %v", of, n)
			}
		}
		if w.HalfLife < shortHalfLife || w.HalfLife > maxHalfLife {
			t.Errorf("%s: a half-life of %v", of, w.HalfLife)
		}
		now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		if few, many := w.Score(0, 0, 0, now, Rising), w.Most(now); few != now.UnixMilli() || many < few {
			t.Errorf("%s: who has nothing has %d, who has most %d", of, few, many)
		}
	}
}

// FuzzSiteEdit: an edit makes valid settings, or is refused with a reason and has no effect.
func FuzzSiteEdit(f *testing.F) {
	for _, p := range new(SiteSettings).fields() {
		for _, value := range []string{"", "on", "off", "1", "0", "0.0005", "1e3", "1e999", "-1", "NaN", "+Inf", "0x10p2", "1_000", "freefeed", "comment", "87600", "0.0166", " 24 "} {
			f.Add(p.key, value)
		}
	}
	f.Add("", "")
	f.Add("best_of", "1")
	f.Add("best_of.half_life_hours\x00", "\xff")
	f.Fuzz(func(t *testing.T, key, value string) {
		s := DefaultSite()
		if err := s.apply(SiteEdit{key: value}); err != nil {
			wrong, is := errors.AsType[*InvalidError](err)
			if !is {
				t.Fatalf("%v is no InvalidError", err)
			}
			fine(t, err, wrong.Field)
			return
		}
		s.bounded(t, key+"="+value)
		// A displayed value can be typed again.
		again := s
		for _, one := range s.List() {
			if err := again.apply(SiteEdit{one.Key: one.Value}); err != nil {
				t.Errorf("%s is shown as %q, which is refused: %v", one.Key, one.Value, err)
			}
		}
		text, err := json.Marshal(s.object(true))
		if err != nil {
			t.Fatal(err)
		}
		var kept SiteSettings
		if err := json.Unmarshal(text, &kept); err != nil || kept != s {
			t.Errorf("%s is kept as %+v (%v), not %+v", text, kept, err, s)
		}
		if again != s {
			t.Errorf("typed again as it is shown it is %+v, not %+v", again, s)
		}
	})
}

// FuzzSiteSettings: the stored text of a site's settings, which another version may have
// written, gives an error or valid settings.
func FuzzSiteSettings(f *testing.F) {
	text, err := json.Marshal(DefaultSite())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	for _, seed := range []string{
		"", "null", "{}", "[]", `{"lift":true}`, `{"lift":null}`, `{"bump":"never"}`, `{"best_of":null}`, `{"best_of":{"like":-1}}`, `{"best_of":{"half_life_hours":1e300}}`,
		`{"best_of":{"half_life_hours":0}}`, `{"most_faved":{"fav":1e308}}`, `{"more":{"of":"another version"}}`, `{"best_of":[]}`, `{"best_of":{"like":0,"comment":0,"fav":0}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s SiteSettings
		if err := json.Unmarshal(text, &s); err == nil {
			s.bounded(t, string(text))
		}
	})
}
