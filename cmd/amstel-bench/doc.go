// Command amstel-bench measures whether the project keeps its promises of speed. It starts a private
// PostgreSQL, fills it with a community, serves the community as the server does, and writes each
// measurement as a line of JSON.
//
// The command compare compares the results of two runs.
//
// The command models is a laboratory: it measures each source of rivers on the data of a site, and
// recommends a source for them (package models).
//
// Package dataset makes communities and loads them. Package client has the clients of a site, most of
// which run in processes of their own. Package measure has a file for each measurement, and describes
// them. Package report turns the numbers into records.
package main
