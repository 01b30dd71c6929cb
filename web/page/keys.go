package page

import "amstel.dev/amstel/web/catalogue"

// KeysPath is the page that lists the keys.
const KeysPath = "/about/keys"

// A shortcut is an action of some keys. Keys that are pressed one after another are listed one
// after another; a word between keys means that one of them is enough.
type shortcut struct {
	Keys []string
	Or   bool
	Does string
}

// shortcuts returns all shortcuts outside text fields; keys.ts carries them out.
func shortcuts(words catalogue.Language) []shortcut {
	return []shortcut{
		{Keys: []string{"j"}, Does: words.KeysNext()},
		{Keys: []string{"k"}, Does: words.KeysBefore()},
		{Keys: []string{"o", words.KeysEnter()}, Or: true, Does: words.KeysOpen()},
		{Keys: []string{"l"}, Does: words.KeysLike()},
		{Keys: []string{"c"}, Does: words.KeysComment()},
		{Keys: []string{"r"}, Does: words.KeysReply()},
		{Keys: []string{"/"}, Does: words.KeysSearch()},
		{Keys: []string{"g", "h"}, Does: words.NavHome()},
		{Keys: []string{"g", "d"}, Does: words.NavDiscussions()},
		{Keys: []string{"g", "m"}, Does: words.NavDirects()},
		{Keys: []string{"g", "n"}, Does: words.LayoutNotifications()},
		{Keys: []string{"?"}, Does: words.KeysSheet()},
	}
}

// writingKeys returns the shortcuts in a text field. These can't be switched off.
func writingKeys(words catalogue.Language) []shortcut {
	return []shortcut{
		{Keys: []string{words.KeysCtrl(), words.KeysEnter()}, Does: words.KeysSend()},
		{Keys: []string{words.KeysEsc()}, Does: words.KeysClose()},
	}
}
