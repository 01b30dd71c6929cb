// Package archive turns archives of other sites into the lines of an import: the pages of a Mokum
// backup, the backup of a FreeFeed account, and the archive that Mastodon offers to its people.
//
// An archive is a folder, a zip or tar file, or a single page. All its pages are read, in any
// order and however often they repeat each other, into one history: people, groups, posts,
// comments, likes. The history is written as lines in the order that package importer wants.
// Content that lines can't express is counted, by kind and reason.
//
// No post gets more readers than before. A post that was not public goes to no place that is
// public, here or on the other site; a post whose readers the archive does not tell is not taken.
// But an archive says whatever its maker wrote, about other people, too: an import believes the
// archive.
package archive
