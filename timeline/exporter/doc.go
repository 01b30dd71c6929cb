// Package exporter writes exports: all that a site has ([All]), or all that belongs to one person, as a zip
// file that package importer reads again.
//
// The zip file has
//
//	data.jsonl    the lines, in the format of package importer
//	files/…       the files that lines name, under names made from their bytes
//	apart.jsonl   of a person: own comments, likes and favourites below posts that the person may not read now
//	index.html    of a person: pages to read in a browser, without a connection
//	posts/….html  of a person: the posts of each month
//
// An export is one state of the primary: all of it is read in one transaction, however long that takes and
// whatever people write meanwhile. The same state gives the same bytes: lines have a fixed order and no time of
// their own, and the times in the zip file are fixed. So two exports can be compared, and an import into an empty
// site can be checked: it exports the same bytes.
//
// What a person's export shows of others goes by the one visibility rule, [timeline.Sets.MayRead], as of the
// moment of the export, and by what else the site shows the person: nobody across a ban, only the places of a post that the
// person may know of, only their own favourites, hides, bans and earlier texts. What the person wrote themself is
// theirs, also below a post that the person may not read any more; nothing else of such a post is shown.
//
// Memory is bounded by some thousand posts and comments, plus some hundred bytes for each file.
package exporter
