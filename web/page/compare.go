package page

import "amstel.dev/amstel/web/catalogue"

// ComparePath is the page that compares banning, hiding, muting and blocking.
const ComparePath = "/about/ban-hide-mute-block"

// A way is a way to see less of a person, or to have the person see less.
type way struct{ ID, Name, You, They, Know, Where string }

// ways returns all ways.
func ways(words catalogue.Language) []way {
	return []way{
		{"ban", words.CompareBan(), words.CompareBanYou(), words.CompareBanThey(), words.CompareBanKnow(), words.CompareBanWhere()},
		{"hide", words.CompareHide(), words.CompareHideYou(), words.CompareHideThey(), words.CompareHideKnow(), words.CompareHideWhere()},
		{"mute", words.CompareMute(), words.CompareMuteYou(), words.CompareMuteThey(), words.CompareMuteKnow(), words.CompareMuteWhere()},
		{"block", words.CompareBlock(), words.CompareBlockYou(), words.CompareBlockThey(), words.CompareBlockKnow(), words.CompareBlockWhere()},
	}
}
