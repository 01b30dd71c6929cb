// Package page is what people see: the pages of the site as typed components
// (templ), and the small rules that belong to showing: what a viewer is offered
// to do with an entry ([CanLike] and its like), how a text becomes links
// ([Segments]), how a moment is written, which colour somebody without a picture
// has.
//
// It takes models and makes HTML of them. It asks no database, reads no clock
// and knows no request; package web fills the models and answers. Where a page
// needs something new each time (the _uuid of a form), it is handed a function.
//
// It keeps one law: whatever people wrote reaches a page through templ's
// escaping or through writeSegment and writeNamed, and nowhere else. Pages carry no inline
// script and no inline style, and are whole without JavaScript.
//
// Forms post to the API's own handlers (docs/wire.md) with form bodies:
// user[...], post[...], comment[...], group[...], token[...], password[...];
// _method says PATCH, PUT or DELETE; return_to is the own path to go back to.
// An entry that is rendered without ReturnTo has no return_to in its forms: the
// handler then goes back to the Referer.
package page
