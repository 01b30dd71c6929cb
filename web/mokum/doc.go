// Package mokum has the shapes of JSON in which pages, entries, comments, people and
// groups are answered: those of Mokum's API, as programs written for it read them.
//
// It makes them of what a river shows ([EntryOf], [CommentOf]) and of cards
// ([UserOf], [GroupOf]), reads nothing, and decides nothing: what a viewer is offered
// to do comes from package rights, texts with links from package page.
package mokum
