// Package static holds the files that pages refer to: the stylesheet, the icons
// and the page's client. They are embedded in the program. Their names have a hash of their content,
// so browsers may keep them for ever.
//
// The files are the same for every client and need no rights. Uploaded files belong
// elsewhere.
package static
