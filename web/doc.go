// Package web is Amstel over HTTP: the pages, the JSON of them in Mokum's
// shapes, the API, and who is asking.
//
// routes.go is the whole URL space, server.go what all actions stand on, and new.go
// puts a site together. Each other file is named after what it serves:
//
//	NOUN_VERB.go   one action or a few on one thing: post_create.go, list_show.go;
//	               NOUN_VERB_form.go is the page on which people do it
//	NOUN_NOUNS.go  what is remembered, or found, for several of these: post_groups.go
//	http_….go      what all actions share: who asks, the body, the answer, errors
//	river_….go     pages of rivers, and what stands above their entries
//	catch_up_….go  where a viewer left off a page
//	session_….go, node_….go
//
// Files use each other downwards: routes.go the actions, the actions what is shared,
// and that server.go. So a Server holds what is remembered in types that know no
// Server (counts, devices, exclusions, identities, members, places, postGroups).
//
// A test sits beside what it tests; scenario_….go tests what many actions do
// together, plain_….go compares all answers with the plain rule.
//
// What pages look like is package page's business, the shapes of JSON are package
// mokum's, what a viewer is offered to do is package rights', what runs on pages is
// package client's; what is true is package timeline's, and everything that lists
// posts is read as a river ([Rivers]): no handler here decides who sees what.
//
// Package address finds the river that an address means, and which part of it, for
// pages, their JSON and package realtime alike. What stands above the entries and no
// river holds (counts, languages, a calendar, people that a search may mean) is read
// beside it, and never kept longer than counts are.
//
// A handler may fail: it returns an error. http_error.go is the one table from
// errors to status, code and sentence, and http_fail.go answers with these. A body is
// JSON or a form, read by one reader (http_input.go); an answer is JSON, or, where
// HTML is preferred, a page or a redirect (http_reply.go).
//
// Each entry tells who is signed in why it is there, in words, with what undoes
// each reason (package page, why.go). In pages that is a menu of forms, which
// name the post so that the answer can say what became of it. A page as JSON has
// it where why=1 asks for it, as it makes it a quarter longer: an entry's
//
//	"why": [{"kind": "user_likes", "id": 7, "text": "Bert liked it.", "undo":
//		{"method": "POST", "path": "/api/v1/users/bert/mute", "body": {"likes": true}}}]
//
// where the kind is one of "reason", or says what the page is ("post", "search",
// "list"), and a reason that nothing undoes has no "undo".
//
// Where somebody left off a page is kept by visits of its top (catch_up_visit.go),
// and written a moment later, beside the requests (catch_up_places.go): a GET
// changes nothing that it waits for. A node that crashes loses what was seen in
// its last minute, and somebody may see a post as new twice. Programs look again
// and again, so reading JSON, or by a token, is no visit: they say what they
// showed (POST /api/v1/catch_up).
//
// It keeps three laws. What a request changed is in its answer, and in every
// page of this node that is begun after it (tier 0); where it takes a right away,
// the answer waits, however long, until nothing of that is shown any more.
// Whatever authenticates by cookie is refused from another origin. And a page of a
// river holds nothing that depends on when it was rendered, so that the pages
// everybody shares can be kept as bytes (river_hot.go).
package web
