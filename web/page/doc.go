// Package page renders the pages of the site as typed components (templ), and has the
// small rules of rendering: how a text becomes links ([Segments]), how a moment is
// written, which colour a person without a picture has.
//
// It renders models as HTML. It reads no database, no clock and no request; package web
// fills the models and answers. If a page needs a new value each time, such as the _uuid
// of a form, its model has a function for the value.
//
// The package keeps one promise: the texts of people reach a page only through templ's
// escaping or through writeSegment and writeNamed. Pages have no inline script and no
// inline style, and work without JavaScript.
//
// Forms post to the handlers of the API (docs/wire.md) with form bodies: user[...],
// post[...], comment[...], group[...], token[...], password[...]; _method is PATCH, PUT
// or DELETE; return_to is the path to which the answer redirects. An entry has no forms of its own, except
// that for a comment on the post's own page: its buttons belong to one form of the page, and the form
// for a comment is made from a template. So an entry's HTML is the same on every page.
package page
