package mokum

import (
	"amstel.dev/amstel/timeline"
)

// A Page is a page in Mokum's shape.
type Page struct {
	Entries             []Entry `json:"entries"`
	River               River   `json:"river"`
	Users               Users   `json:"users"`
	Groups              Groups  `json:"groups"`
	OlderEntriesURL     string  `json:"older_entries_url,omitempty"`
	PreciseOlderEntries string  `json:"precise_older_entries_url,omitempty"`
	NewerEntriesURL     string  `json:"newer_entries_url,omitempty"`
}

// A River names the river, and the state in which the page shows it.
type River struct {
	UUID            string `json:"uuid"`
	IsSinglePost    bool   `json:"is_single_post"`
	Signature       string `json:"signature"`
	Descriptor      string `json:"descriptor"`
	What            string `json:"what"`
	CurrentUserName string `json:"current_user_name,omitempty"`
	Timestamp       string `json:"timestamp"`
	Epoch           string `json:"epoch,omitempty"`
	Counter         int64  `json:"counter"`
	Position        int64  `json:"position"`
	Live            bool   `json:"live,omitempty"`
	Behind          bool   `json:"behind,omitempty"`

	LeftOff *LeftOff `json:"left_off,omitempty"` // where the viewer's last visit ended
}

// LeftOff is where the viewer's last visit of a page ended.
type LeftOff struct {
	FreshAt string          `json:"fresh_at"`
	Post    timeline.PostID `json:"post"`
	At      string          `json:"at"` // when the last visit ended
}
