// Package primary has the tools to read and write the primary, for timeline and the packages
// below it: a [DB] with its transactions, [DB.Write] and [DB.View]; the changes that a write
// notes for the change log, [Tx.Note]; the errors on which callers can act, and [Wrap], which
// turns errors of PostgreSQL into them; and a few functions to read rows.
//
// The package knows no table. Package timeline defines the meaning of a change, and how a node
// follows the log. The package imports only timeline/text of the project.
package primary
