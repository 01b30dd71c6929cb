// Package texttest has texts and searches as seeds for fuzz tests of the code that reads them.
package texttest

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Written are texts that people may write, and some that only a program would send.
var Written = []string{
	"", " ", "Hoi, allemaal!", "two\r\nlines\r\n", "a\r\r\nb\rc", "\ufeffbom", "e\u0301cole, I\u0307stanbul", "한국어 \u1100\u1161", "שלום \u202e abc",
	"a\x00b", "a\xffb", strings.Repeat("ж", 3001), "😀👨‍👩‍👧", "\u2028\u2029\u0085\u00a0", "\u3164\uffa0", "\u0340\u0344\u0958\U0001d15e",
	"See https://a.nl/b_(c). #Soup @joost, #канал-2 «http://x.org/y» mail@anna.nl", "@@@### http://", strings.Repeat("@joost ", 40), strings.Repeat("#a ", 40),
}

// Searches are searches that people may write, and some that only a program would send.
var Searches = []string{
	"boats", "red boat", `"red boat" -sail`, "#amstel -#rain", "from:anna boats", "in:comments boats -the", "the", "the and of", "after:2024-05-01 before:2024-06-01", "-boats",
	"boat's", `it''s \ '`, "a:* | b & !c <-> d", "'a' & 'b'", "(((", "!!!a", "foo-bar foo_bar", "a/b.c@d.e", "https://a.nl/b?c=d&e", "http://", "лодки", "Häuser straße", "日本 語", "हिन्दी",
	"a\u0301 e\u0301", "İstanbul ß ŉ ǰ", "\u0130\u0130", "from:@Anna", "liked-by:anna", "commented-by:nobody", "group:rowing", "group:anna", "from:rowing", "in:posts", "after:жж", "before:",
	strings.Repeat("a", 500), strings.Repeat("ж", 500), strings.Repeat("𝔞", 500), strings.Repeat("a ", 250), strings.Repeat("-a ", 20) + "b", "1e5 -1.5 +3 1/2 .5", "\u00ad a\u200bb \ufeff", "<b>x</b>", "&amp; &#39;",
	"a\x01b", "#" + strings.Repeat("a\u0301", 50), "-\"-\"a", "«a „b“", "\"\"\"", "#a:from:b", "::", "x:y:z", "in:comments #a b", "💡 light", "ⅷ ² ①", "\u1100\u1161 가",
}

// CheckReason ends the test unless a refusal is about the field want, and its reason is valid
// UTF-8, not empty, without a full stop, and no longer than a sentence that quotes a whole
// search.
func CheckReason(t *testing.T, field, reason, want string) {
	t.Helper()
	const most = 2200 // bytes: a search in letters of four bytes, and a sentence around it
	if field != want || reason == "" || len(reason) > most || !utf8.ValidString(reason) || strings.HasSuffix(reason, ".") {
		t.Fatalf("field %q, want %q; reason %q", field, want, reason)
	}
}
