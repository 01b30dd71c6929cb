// Command amstel is the whole server in one binary. Each of its commands is a role that a process
// can have. The cli struct lists all roles with their settings, and each role has a file of its
// own.
//
// Only this package reads flags and the environment, and passes the values on to other packages.
package main
