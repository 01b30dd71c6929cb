// Package dataset has the communities with which measurements are made, and loads them into a primary.
// A [Community] is written as lines of the import format, and imported. [Extremes], and
// [Grown] and [Firehose] communities, are copied into the tables.
package dataset
