// Package primary has the tools with which timeline and the packages under it read and write the
// primary: a [DB] with its transactions, [DB.Write] and [DB.View]; the changes that a write notes
// for the change log, [Tx.Note]; the errors that callers can act on, and [Wrap], which turns the
// errors of PostgreSQL into these; and a few functions that read rows.
//
// The package knows no table. Package timeline defines the meaning of a change, and how a node
// follows the log. The package imports only timeline/text of the project.
package primary
