// Package webfeed writes web feeds: a list of posts or comments for programs with which people read many sites.
// The caller makes one [Feed]; the package writes it in three formats:
//
//	atom.go      Atom 1.0, RFC 4287, with the pages of RFC 5005 and the threads of RFC 4685
//	rss.go       RSS 2.0.11 (https://www.rssboard.org/rss-specification), with Atom's links, Dublin Core's
//	             creator and Media RSS, as the RSS Best Practices Profile asks
//	jsonfeed.go  JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/)
//
// The types follow the formats, so that encoding/xml and encoding/json escape everything that
// people wrote. Two feeds of the same content are the same bytes: a feed has no time of its making.
package webfeed
