// Package web serves Amstel over HTTP: pages, the same pages as JSON in Mokum's shapes, and the
// API. It finds out which account a request comes from.
//
// routes.go has the whole URL space, server.go the type with all actions as its methods, and
// new.go puts a site together. Each other file is named after the thing it serves:
//
//	NOUN_VERB.go   one action or a few on one thing: post_create.go, list_show.go;
//	               NOUN_VERB_form.go is the page with the form for the action
//	NOUN_NOUNS.go  data cached, or found, for several actions: group_joined.go
//	http_….go      the parts of all actions: identity, body, answer, errors
//	river_….go     pages of rivers, and the parts above their entries
//	catch_up_….go  where a viewer left off a page, and what happened since
//	session_….go, node_….go
//
// Files use each other downwards: routes.go uses the actions, actions use http_….go and
// river_….go, and all use server.go. To keep this order, a Server keeps its state in types that do
// not know a Server: counts, devices, exclusions, identities, leftOffs, joinedGroups, groupAdmins,
// standings.
//
// A test sits beside its subject; scenario_….go tests many actions together, plain_….go compares
// all serves the plain rule.
//
// Package page renders HTML, package mokum has the shapes of JSON, package rights decides which
// actions a viewer is offered, package catalogue has all sentences in each language, and the
// directory client has the scripts of browsers. Package timeline decides the truth. Everything
// that lists posts is read as a river ([Rivers]): no handler here decides which posts a viewer may
// see.
//
// Package address finds the river that an address means, and which part of it, for pages, their
// JSON and package realtime alike. The parts of a page above its entries that no river holds
// (counts, languages, a calendar, people a search may mean) are read from the primary, and
// cached for half a minute at most.
//
// A handler may fail: it returns an error. http_error.go is the one table from errors to status,
// code and sentence, and http_fail.go answers with them. A body is JSON or a form, read by one
// reader (http_input.go); an answer is JSON, or, if the client prefers HTML, a page or a redirect
// (http_reply.go).
//
// Each entry tells a signed-in viewer why the entry is on the page, in words, with the action that
// undoes each reason (package page, why.go). Pages have a menu of forms, which name the post so
// that the answer can say what became of the post. A page as JSON has the reasons if the request
// has why=1, because they make the page a quarter longer: an entry's
//
//	"why": [{"kind": "user_likes", "id": 7, "text": "Bert liked it.", "undo":
//		{"method": "POST", "path": "/api/v1/users/bert/mute", "body": {"likes": true}}}]
//
// The kind is one of "reason", or the kind of the page ("post", "search", "list"). A reason that
// nothing undoes has no "undo".
//
// A visit of the top of a page records where the viewer left off (catch_up_visit.go). The record
// is written to the primary a moment later, beside the requests (catch_up_left_off.go): no GET
// waits for a write. A node that crashes loses the records of its last minute, and a viewer may
// see a post as new twice. Programs read again and again, so reading JSON, or reading with a
// token, is not a visit: programs report the posts that they showed (POST /api/v1/catch_up).
//
// The package keeps three promises:
//
//   - The changes of a request are in its answer, and in every page of this node that is
//     begun after the answer (tier 0). If the request took a right away, the answer
//     waits, however long, until no page shows posts that the right allowed to read.
//   - A write without a token is refused if it comes from another origin.
//   - The bytes of a river's page do not depend on the time of rendering, so that pages
//     that many viewers share can be cached as bytes (river_hot.go).
package web
