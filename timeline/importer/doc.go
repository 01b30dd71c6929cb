// Package importer imports the history of a community into the primary, from a file of
// JSON Lines. Each line is a user, group, subscription, post, comment, like, comment
// like, ban, or a file of a post or comment, and names only what came before it in the file, or exists already. The
// result is what the same actions would have left behind had they happened here at the
// times in the file, except that the change log has no rows of them and no person gets
// notices of history.
//
// These are all types of lines; each has exactly these keys:
//
//	{"type":"user","name":"anna","display_name":"Anna","status":"public","at":"2016-06-29T22:00:30Z"}
//	{"type":"group","name":"rowing","display_name":"Rowing","status":"private","admins":["anna"],"at":"…"}
//	{"type":"subscription","user":"bert","target":"anna","at":"…"}
//	{"type":"ban","user":"anna","target":"carl","at":"…"}
//	{"type":"post","id":"p1","author":"anna","to":["anna","rowing"],"text":"Hello","at":"…"}
//	{"type":"post","id":"p2","author":"anna","to":["direct:bert"],"text":"Hello, Bert","at":"…"}
//	{"type":"post","id":"p3","author":"anna","to":["private:anna"],"text":"For few","at":"…"}
//	{"type":"post","id":"p4","author":"anna","to":["fyeo:anna"],"text":"For my eyes","at":"…"}
//	{"type":"comment","id":"c1","post":"p1","author":"bert","text":"Hi","at":"…"}
//	{"type":"like","user":"bert","post":"p1","at":"…"}
//	{"type":"comment_like","user":"anna","comment":"c1","at":"…"}
//	{"type":"file","id":"f1","post":"p1","path":"photos/boat.jpg","alt":"A boat","at":"…"}
//	{"type":"comment_file","id":"f2","comment":"c1","path":"photos/oar.png","alt":"","at":"…"}
//
// A file can be imported any number of times, also after a crash half-way, with the same
// result as once. Each batch of lines is one transaction. Every imported line is
// remembered under the logical name of the file, its source, and is not imported again,
// even if its post was edited or deleted here since. People and groups are recognised by
// their names, whether an import made them or not.
//
// The files themselves lie beside the import. They are put into the file store and queued, as
// uploads are, and the workers of the server make them ready. A file belongs to the author
// of its post or comment, and stands behind the files that came before. No quota applies.
//
// A line that can't be imported ends the import with a [LineError], and nothing of its
// batch is imported. The access rules of today do not stop a line: a person may have
// lost the access to a post or a feed since the comment, like or post. Such lines are
// imported as history, and counted.
//
// An import can run beside a running server. It locks rows in the order of all writers.
// Each batch that changed something renews the uuid of the log at its end, so that every
// node starts over: it could not follow changes that were never logged.
package importer
