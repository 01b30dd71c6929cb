// Package exporter writes exports as zip files, which package importer reads again. An export has
// all that a site has, or all that belongs to one person; see [Options].
//
// The zip file has
//
//	data.jsonl    the lines, in the format of package importer
//	files/…       the files that lines name, under names made from their bytes
//	apart.jsonl   in a person's export: their own comments, likes and favourites of posts that they may not read now
//	index.html    in a person's export: pages to read in a browser, without a connection
//	posts/….html  in a person's export: the posts of each month
//
// An export is one state of the primary: all of it is read in one transaction, however long the
// export takes, and whatever people write meanwhile. The same state gives the same bytes: lines have
// a fixed order, no line has the time of the export, and the times in the zip file are fixed. So two
// exports can be compared. And an import into an empty site can be checked: the site then exports the
// same bytes.
//
// A person's export has of other people only what the site shows to the person at the moment of the
// export. The visibility rule, [timeline.Sets.MayRead], decides about posts. The export has no texts
// or marks of people across a ban, only the places of a post that the person may know of, and only
// the person's own favourites, hides, bans and earlier texts. The person's own comments belong to
// the person, even below a post that they may not read any more; the export has nothing else of such
// a post.
//
// An export takes memory for some thousand posts and comments, plus some hundred bytes for each
// file.
package exporter
