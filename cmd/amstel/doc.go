// Command amstel is the whole server in one binary: each of its commands is a
// role that a process can have. The cli struct has them all, with their
// settings; each has a file of its own.
//
// Only this package reads flags and the environment. What it learns it hands
// down: the packages it puts together are told, and don't look.
package main
