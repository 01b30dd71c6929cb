// Command amstel-bench measures what the project promises of its speed. It starts a PostgreSQL
// of its own, fills it with a community, serves the community as the server does, and writes
// each measurement as a line of JSON.
//
// The command models is a laboratory: it measures each source of rivers on one's own data, and
// recommends one (package models).
//
// Package dataset has the communities and loads them. Package client has the clients of a site,
// most of them in processes of their own. Package measure has a file for each measurement and
// describes each. Package report turns the numbers into records.
package main
