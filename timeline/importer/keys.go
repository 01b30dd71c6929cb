package importer

import "slices"

// A valueType is the type of the value of a key.
type valueType uint8

const (
	textValue   valueType = iota
	listValue             // a list of texts
	flagValue             // true or false
	numberValue           // an integer
)

// String returns the type in words that can follow "is not".
func (t valueType) String() string {
	return [...]string{"a text", "a list of texts", "true or false", "a whole number"}[t]
}

// typeOf returns the type of the value of a key, which is the same in all types of lines.
func typeOf(key string) valueType {
	switch key {
	case "admins", "to", "members", "notices_off", "renditions":
		return listValue
	case "version", "frames":
		return numberValue
	case "admin", "barred", "email_confirmed", "own_posts", "visit_times", "newcomer", "nsfw", "comments_disabled", "linebreaks", "lang_given", "link_preview", "bumps",
		"forward_only", "posts", "comments", "likes":
		return flagValue
	}
	return textValue
}

// keysOf returns the keys that a line of a kind must have, besides type.
func keysOf(k kind) []string {
	switch k {
	case kindUser:
		return []string{"name", "display_name", "status", "at"}
	case kindGroup:
		return []string{"name", "display_name", "status", "admins", "at"}
	case kindSubscription, kindBan:
		return []string{"user", "target", "at"}
	case kindPost:
		return []string{"id", "author", "to", "text", "at"}
	case kindComment:
		return []string{"id", "post", "author", "text", "at"}
	case kindLike, kindFavourite, kindHiddenPost:
		return []string{"user", "post", "at"}
	case kindFile:
		return []string{"id", "post", "path", "alt", "at"}
	case kindCommentFile:
		return []string{"id", "comment", "path", "alt", "at"}
	case kindCommentLike:
		return []string{"user", "comment", "at"}
	case kindExport:
		return []string{"version", "site", "scope"}
	case kindSetting:
		return []string{"name", "value"}
	case kindName:
		return []string{"name", "target"}
	case kindRequest:
		return []string{"id", "user", "target", "forward_only", "at"}
	case kindInvitation:
		return []string{"id", "user", "target", "from", "at"}
	case kindExclusion:
		return []string{"user", "target"}
	case kindHiddenUser:
		return []string{"user", "target", "posts", "comments"}
	case kindMute:
		return []string{"user", "target", "likes", "comments"}
	case kindList:
		return []string{"user", "name", "members"}
	case kindSearch:
		return []string{"user", "name", "query"}
	case kindIntake:
		return []string{"user", "target", "title", "address", "state", "at"}
	case kindEarlierText:
		return []string{"post", "to", "text", "written_at", "at"}
	default: // kindCommentEarlierText
		return []string{"comment", "to", "text", "written_at", "at"}
	}
}

// optionalKeysOf returns the keys that a line of a kind may have, besides type and the keys of
// [keysOf].
func optionalKeysOf(k kind) []string {
	switch k {
	case kindUser:
		return []string{
			"description", "lang", "page_language", "theme", "density", "time_zone", "directs_from", "own_posts", "visit_times", "newcomer",
			"notices_off", "avatar", "avatar_large", "cover", "cover_large", "email", "email_confirmed", "password_hash", "admin", "suspended_at", "erase_at", "barred", "rules_agreed_at",
		}
	case kindGroup:
		return []string{"description", "nsfw", "posting", "joining", "avatar", "avatar_large", "cover", "cover_large"}
	case kindSubscription:
		return []string{"since"}
	case kindPost:
		return []string{"comments_disabled", "nsfw", "linebreaks", "lang", "lang_given", "platform", "link_preview", "updated_at"}
	case kindComment:
		return []string{"platform", "updated_at", "bumps"}
	case kindFile, kindCommentFile:
		return []string{"file_name", "kind", "media_type", "frames", "renditions"}
	case kindExport:
		return []string{"user", "url"}
	case kindIntake:
		return []string{"url"}
	}
	return nil
}

// mayHave reports whether lines of a kind may have a key, besides type.
func mayHave(k kind, key string) bool {
	return slices.Contains(keysOf(k), key) || slices.Contains(optionalKeysOf(k), key)
}

// knownKey reports whether lines of any kind may have a key.
func knownKey(key string) bool {
	for k := range kinds {
		if mayHave(k, key) {
			return true
		}
	}
	return key == "type"
}
