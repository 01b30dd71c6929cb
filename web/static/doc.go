// Package static holds the files that pages refer to: the stylesheet, the icon
// and the page's client. They are embedded, named by a hash of what is in them,
// and so may be kept by browsers for ever.
//
// What is here is the same for everybody and needs no rights. What people
// upload belongs elsewhere.
package static
