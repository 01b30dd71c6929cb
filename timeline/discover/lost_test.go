package discover

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// TestEveryMethodAnswersUnavailableWhenItsConnectionIsLost calls every method of Store
// with the connection cut at each of the messages that the method sends.
func TestEveryMethodAnswersUnavailableWhenItsConnectionIsLost(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	pool, cut := pgtest.CutPool(t)
	store := timeline.New(pool, timeline.Options{})
	d, ctx := New(store), t.Context()
	anna, err := store.SignUp(ctx, timeline.NewUser{Name: "anna", Email: "anna@example.org", NoPassword: true})
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]func() error{
		"Find": func() error { _, _, err := d.Find(ctx, anna, "an", 10); return err },
		"Directory": func() error {
			_, err := d.Directory(ctx, anna, timeline.WhatGroup, "an", BySize, nil, 0, 10)
			return err
		},
		"Describe": func() error {
			_, err := d.Describe(ctx, anna, timeline.WhatUser, []int64{int64(anna)}, nil)
			return err
		},
		"Standings":     func() error { _, err := d.Standings(ctx, timeline.WhatGroup); return err },
		"Complete":      func() error { _, _, err := d.Complete(ctx, anna, "an", 10); return err },
		"CompleteTag":   func() error { _, err := d.CompleteTag(ctx, anna, "an", 10); return err },
		"Suggest":       func() error { _, err := d.Suggest(ctx, anna, 10); return err },
		"Calendar":      func() error { _, err := d.Calendar(ctx, anna, anna, time.Time{}, time.Time{}); return err },
		"SavedSearches": func() error { _, err := d.SavedSearches(ctx, anna); return err },
		"SaveSearch":    func() error { _, err := d.SaveSearch(ctx, anna, fmt.Sprint(time.Now().UnixNano()), "soup"); return err },
		"RenameSearch":  func() error { return d.RenameSearch(ctx, anna, 1, "soup") },
		"DropSearch":    func() error { return d.DropSearch(ctx, anna, 1) },
	}
	methods := reflect.TypeFor[*Store]()
	for i := range methods.NumMethod() {
		name := methods.Method(i).Name
		call, is := calls[name]
		if !is {
			t.Errorf("%s is not tried", name)
			continue
		}
		cut.Everywhere(t, name, timeline.ErrUnavailable, func(arm func()) error {
			arm()
			return call()
		})
	}
}
