// Package client has the clients of a measured site: open pages on sockets, a loop that
// has ten thousand sockets, visitors, members and strangers.
//
// Most of them are processes of their own, so that the memory and the goroutines of the
// server's process are the server's: [Start] starts such a process, which calls [Serve]
// on its standard streams. The two talk in objects of JSON.
package client
