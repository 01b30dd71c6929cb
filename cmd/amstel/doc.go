// Command amstel is the whole server in one binary. Each command is a role of a process. The cli
// struct lists all roles with their settings; each role has a file of its own.
//
// Only this package reads flags and the environment, and passes the values on to other packages.
package main
