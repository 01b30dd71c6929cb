package page

import "amstel.dev/amstel/web/catalogue"

// ComparePath is the page that compares banning, hiding, muting and blocking.
const ComparePath = "/about/ban-hide-mute-block"

// A restriction is a way to see less of a person, or to show less to the person.
type restriction struct{ ID, Name, You, They, Know, Where string }

// restrictions returns all restrictions.
func restrictions(words catalogue.Language) []restriction {
	return []restriction{
		{"ban", words.CompareBan(), words.CompareBanYou(), words.CompareBanThey(), words.CompareBanKnow(), words.CompareBanWhere()},
		{"hide", words.CompareHide(), words.CompareHideYou(), words.CompareHideThey(), words.CompareHideKnow(), words.CompareHideWhere()},
		{"mute", words.CompareMute(), words.CompareMuteYou(), words.CompareMuteThey(), words.CompareMuteKnow(), words.CompareMuteWhere()},
		{"block", words.CompareBlock(), words.CompareBlockYou(), words.CompareBlockThey(), words.CompareBlockKnow(), words.CompareBlockWhere()},
	}
}
