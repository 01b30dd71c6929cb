package timeline

import (
	"slices"
	"testing"
)

func TestSearchLooksForWordsThatOtherLanguagesLeaveOut(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	s.says("anna", "en", "a hard day with a boat")
	for _, q := range []string{"die hard", `"die hard"`, "want boat", "boat day man"} {
		if got := s.finds("", q); len(got) > 0 {
			t.Errorf("%q finds %q, which does not have all of it", q, "a hard day with a boat")
		}
	}
}

func TestSearchReadsATextByItsOwnLanguage(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert")
	english := s.says("anna", "en", "a hard day, and they die #dice")
	german := s.says("anna", "de", "Die harten Häuser #dice")
	dutch := s.says("anna", "nl", "de harde boten")
	s.replies("anna", english, "a boat, want of oars")
	s.replies("anna", german, "die Boote, ein boat")
	s.replies("anna", dutch, "want de boten")
	s.must(s.Like(t.Context(), s.user("bert"), german))
	s.must(s.Like(t.Context(), s.user("bert"), dutch))
	for _, tt := range []struct {
		query string
		want  []PostID
	}{
		{"die", []PostID{english}}, // in every German text
		{"die häuser", []PostID{german}},
		{`"die harten Häuser"`, []PostID{german}},
		{"haus", []PostID{german}},
		{"die hard", []PostID{english, dutch}}, // and in every Dutch one
		{"liked-by:bert die hard", []PostID{dutch}},
		{"liked-by:bert in:comments boten", []PostID{dutch}},
		{"liked-by:bert in:comments die boten", []PostID{dutch}},
		{"liked-by:bert in:comments want boat", []PostID{}}, // as a Dutch one would be found
		{"liked-by:bert want hart", []PostID{}},
		{"want hart", []PostID{}},
		{"#dice -die", []PostID{german}}, // a word that the language ignores excludes nothing
		{"#dice -haus", []PostID{english}},
		{"#dice -the", []PostID{english, german}},
		{"#dice die haus", []PostID{german}},
		{"from:anna -die -haus", []PostID{dutch}},
		{"in:comments want", []PostID{english}},
		{"in:comments want boat", []PostID{english}},
		{"in:comments want boten", []PostID{dutch}},
		{"in:comments boot", []PostID{german, dutch}},
		{"in:comments boot #dice from:anna", []PostID{german}},
		{"in:comments die boot -want", []PostID{german, dutch}},
	} {
		got := s.finds("", tt.query)
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q finds %v, want %v", tt.query, got, tt.want)
		}
	}
}

// A text with decomposed letters (as in file names of a Mac) is found by composed ones,
// and the other way around.
func TestSearchFindsLettersWrittenInParts(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	post := s.says("anna", "ru", "кофе и\u0306од, Mu\u0308sli", "user")
	s.replies("anna", post, "cafe\u0301")
	for _, query := range []string{"йод", "и\u0306од", "müsli", "mu\u0308sli", "in:comments café", "in:comments cafe\u0301"} {
		if got := s.finds("", query); !slices.Equal(got, []PostID{post}) {
			t.Errorf("%q finds %v", query, got)
		}
	}
}
