package page

import (
	"strings"
	"testing"

	"amstel.dev/amstel/web/catalogue"

	"amstel.dev/amstel/timeline"
)

// sampleNotices returns a page of notices. If s is not empty, all texts in it are s.
func sampleNotices(shell Shell, by *timeline.UserCard, s string) NoticesModel {
	when := at("2026-11-19 07:00:00")
	or := func(text string) string {
		if s != "" {
			return s
		}
		return text
	}
	return NoticesModel{Shell: shell, Unread: 2, Upto: or("31"), Older: "/notifications?before=12", Notices: []Notice{
		{By: by, Did: or("commented on your post"), About: or("Small thing I like about this place."), Quote: true, Href: "/anneke/29#c31", Comment: or("Me too."), At: when, New: true},
		{Did: or("likes your comment"), About: or("Me too."), Quote: true, Href: "/anneke/29#c30", At: when, New: true},
		{By: by, Did: or("asks to join Cooks of Noord."), About: "Answer", Href: RequestsPath, At: when},
		{By: by, Did: or("subscribed to you."), At: when},
	}}
}

// sampleNoticeSettings returns the page of the notice settings.
func sampleNoticeSettings(shell Shell, problems Problems) NoticeSettingsModel {
	m := NoticeSettingsModel{Shell: shell, Problems: problems}
	for i, kind := range timeline.NoticeKinds() {
		m.Kinds = append(m.Kinds, NoticeChoice{Kind: kind, Wanted: i%2 == 0})
	}
	return m
}

func TestEveryKindOfNoticeHasALabel(t *testing.T) {
	t.Parallel()
	for _, kind := range timeline.NoticeKinds() {
		if label := (NoticeChoice{Kind: kind}).label(catalogue.English); label == string(kind) {
			t.Errorf("%s has none", kind)
		}
	}
}

func TestOnlyUnreadNoticesAreMarked(t *testing.T) {
	t.Parallel()
	source := render(t, Notices(sampleNotices(sampleShell(anneke, "Notifications", NoticesPath), sampleCards().Users[vera], "")))
	if n := strings.Count(source, "is-unread"); n != 2 {
		t.Errorf("%d are marked, not 2", n)
	}
	if !strings.Contains(source, "Someone") || !strings.Contains(source, `name="upto" value="31"`) {
		t.Error("an unnamed person has no word, or the form does not say which notice is the last")
	}
}
