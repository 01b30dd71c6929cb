// Package address says which river an address means, and which part of the river: for pages, their
// JSON and the sockets of open pages alike. The package writes the addresses of pages, too.
//
// An address is a path and a query. A [Resolver] finds the owner of the page ([Names]) or its
// language ([Languages]), and makes of path and query the river's key (an [Address]) and the
// wanted part of the river (a [Range]). Access to the river is not decided here, but in packages
// river and timeline.
//
// A name leads to one account for ever, but the account may have another name by now, or be
// deleted. Names remembers both facts, each for as long as it is true.
//
//	address.go    an Address, and how it is written
//	range.go      a Range, read from a query and written to one
//	resolve.go    from a path and a query to both
//	names.go      from a name to its owner
//	languages.go  the languages in which there is something to read
//	day.go        the days, months and years of calendars
package address
