// Package primary is what timeline and the packages under it read and write the
// primary with: a [DB] with its transactions, [DB.Write] and [DB.View]; the changes
// that a write notes for the change log, [Tx.Note]; the errors that callers can act
// on, and [Wrap], which gives PostgreSQL's answers their names; and a few functions
// that read rows.
//
// The package knows no table. What a change is, and how a node follows the log,
// belongs to timeline; primary imports nothing of the project above it.
package primary
