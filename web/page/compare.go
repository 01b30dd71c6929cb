package page

import "amstel.dev/amstel/web/catalogue"

// ComparePath is the page that compares what keeps people away.
const ComparePath = "/about/ban-hide-mute-block"

// A way to see less of a person, or to have them see less.
type way struct{ ID, Name, You, They, Know, Where string }

// ways are all of them.
func ways(words catalogue.Language) []way {
	return []way{
		{"ban", words.CompareBan(), words.CompareBanYou(), words.CompareBanThey(), words.CompareBanKnow(), words.CompareBanWhere()},
		{"hide", words.CompareHide(), words.CompareHideYou(), words.CompareHideThey(), words.CompareHideKnow(), words.CompareHideWhere()},
		{"mute", words.CompareMute(), words.CompareMuteYou(), words.CompareMuteThey(), words.CompareMuteKnow(), words.CompareMuteWhere()},
		{"block", words.CompareBlock(), words.CompareBlockYou(), words.CompareBlockThey(), words.CompareBlockKnow(), words.CompareBlockWhere()},
	}
}
