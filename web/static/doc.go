// Package static holds the files that pages refer to: the stylesheet, the icons
// and the page's client. They are embedded, named by a hash of what is in them,
// and so may be kept by browsers for ever.
//
// The files are the same for every client and need no rights. What people
// upload belongs elsewhere.
package static
