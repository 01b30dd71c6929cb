// Package archive turns archives of other sites into the lines of an import: the pages of a Mokum
// backup, the backup of a FreeFeed account, and the archive that Mastodon offers to its people.
//
// An archive is a folder, a zip or tar file, or a single page. All its pages are read into one
// history of people, groups, posts, comments and likes. The order of the pages does not matter, and
// pages may repeat each other. The history is written as lines in the order that package importer
// requires. Content that lines can't express is counted, by kind and reason.
//
// No post gets more readers than it had. A post that was not public goes to no place that is public,
// here or on the other site. A post is not taken if the archive does not say who could read it. But an
// import believes the archive: the person who made the archive could have written into it what they
// wanted, about other people too.
package archive
