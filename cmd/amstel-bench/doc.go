// Command amstel-bench measures what the project promises of its speed. It starts a
// PostgreSQL of its own, fills it with a community, serves that community as the server
// does, and writes each thing measured as a line of JSON.
//
// The command models is a laboratory beside that: it measures each source of rivers on one's
// own data, and says which to choose there (package models).
//
// Package dataset has the communities and loads them. Package client has all that asks
// a site from outside, most of it in processes of their own. Package measure has a file
// for each measurement, and says what each of them is. Package report has what the
// numbers are made into.
package main
