// Package dataset has the communities that measurements are made on, and loads them
// into a primary: a [Community] is written as lines of the import format, [Extremes] are
// copied into the tables.
package dataset
