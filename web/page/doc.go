// Package page renders the pages of the site as typed components (templ), and has the
// small rules of rendering: how a text becomes links ([Segments]), how a moment is
// written, which colour a person without a picture has.
//
// It renders models as HTML. It reads no database, no clock and no request; package web
// fills the models and answers. If a page needs a new value each time, such as the _uuid
// of a form, its model has a function for the value.
//
// The package keeps one promise: what people wrote reaches a page only through templ's
// escaping or through writeSegment and writeNamed. Pages have no inline script and no
// inline style, and work without JavaScript.
//
// Forms post to the handlers of the API (docs/wire.md) with form bodies: user[...],
// post[...], comment[...], group[...], token[...], password[...]; _method is PATCH, PUT
// or DELETE; return_to is the path to which the answer redirects. An entry that is
// rendered without ReturnTo has no return_to in its forms: the handler then redirects to
// the Referer.
package page
