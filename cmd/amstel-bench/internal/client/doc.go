// Package client has the clients of a measured site: open pages on sockets, a loop that
// serves ten thousand sockets, visitors, members and strangers.
//
// Most clients run in processes of their own, so that the memory and the goroutines of the
// server's process are only those of the server. [Start] starts such a process, which calls
// [Serve] on its standard streams. The bench sends it orders, and it answers each; orders and
// answers are JSON objects.
package client
