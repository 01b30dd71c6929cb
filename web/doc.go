// Package web is Amstel over HTTP: the pages, the JSON of them in Mokum's
// shapes, the API, and who is asking.
//
// routes.go is the whole URL space; a handler is an action with a file of its
// own. What pages look like is package page's, what runs on them package
// client's; what is true is package timeline's, and everything that lists posts
// is read as a river ([Rivers]): no handler here decides who sees what.
//
// A name leads to one account for ever, but that may be called otherwise by now,
// or gone: names.go says whom a path is of, and leads on from old names. What a
// viewer is offered to do comes from package page's rights.go, for pages and JSON.
//
// A handler may fail: it returns an error, and error.go is the one table from
// errors to status, code and sentence. A body is JSON or a form, read by one
// reader (input.go); an answer is JSON, or, where HTML is preferred, a page or
// a redirect (reply.go).
//
// It keeps three laws. What a request changed is in its answer, and in every
// page of this node that is begun after it (tier 0); where it takes a right away,
// the answer waits, however long, until nothing of that is shown any more.
// Whatever authenticates by cookie is refused from another origin. And a page of a
// river holds nothing that depends on when it was rendered, so that the pages
// everybody shares can be kept as bytes (hot.go).
package web
