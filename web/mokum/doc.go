// Package mokum has the JSON shapes of pages, entries, comments, people and groups: those
// of Mokum's API, which existing programs read.
//
// The package makes them of what a river shows ([EntryOf], [CommentOf]) and of cards
// ([UserOf], [GroupOf]). It reads nothing and decides nothing: what a viewer is offered
// to do comes from package rights, texts with links from package page.
package mokum
