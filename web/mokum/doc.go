// Package mokum has the JSON shapes of pages, entries, comments, people and groups: the shapes of
// Mokum's API, which existing programs read.
//
// The package makes them of the entries of a river ([EntryOf], [CommentOf]) and of cards
// ([UserOf], [GroupOf]). It reads nothing and decides nothing: package rights decides which
// actions a viewer is offered, and package page makes texts with links.
package mokum
