// Package importer imports the history of a community into the primary, from a file of JSON Lines.
// Each line is one thing: a user, a group, a post, a like, and so on. It may name only accounts,
// posts and comments that earlier lines have or that exist already. After the import the primary has
// the same rows as if the same actions had happened here at the times in the file, except that the
// change log has no rows of them, and people get no notices of them.
//
// These are the types of lines that other programs write, with the keys that each must have:
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
// A line of the type export begins a file that package exporter wrote. Only such a file may have the
// other types below. In the lines of an earlier text, "at" is when the text was replaced, and "to"
// are the places of the post at that time. The value of a setting is a text of JSON.
//
//	{"type":"export","version":1,"site":"UUID","scope":"all"}
//	{"type":"setting","name":"presence","value":"true"}
//	{"type":"name","name":"ann","target":"anna"}
//	{"type":"request","id":"UUID","user":"bert","target":"private:anna","forward_only":false,"at":"…"}
//	{"type":"invitation","id":"UUID","user":"bert","target":"rowing","from":"anna","at":"…"}
//	{"type":"exclusion","user":"carl","target":"rowing"}
//	{"type":"favourite","user":"bert","post":"p1","at":"…"}
//	{"type":"hidden_post","user":"bert","post":"p1","at":"…"}
//	{"type":"hidden_user","user":"bert","target":"carl","posts":true,"comments":false}
//	{"type":"mute","user":"bert","target":"anna","likes":true,"comments":false}
//	{"type":"list","user":"bert","name":"boats","members":["rowing","anna"]}
//	{"type":"search","user":"bert","name":"boats","query":"boat -sail"}
//	{"type":"intake","user":"anna","target":"rowing","title":"Boats","address":"https://boats.example/feed","state":"on","at":"…"}
//	{"type":"earlier_text","post":"p1","to":["anna"],"text":"Hallo","written_at":"…","at":"…"}
//	{"type":"comment_earlier_text","comment":"c1","to":["anna"],"text":"Ho","written_at":"…","at":"…"}
//
// A line may have further keys, which the function optionalKeysOf lists by type. Unknown keys are
// errors.
//
// A file can be imported any number of times, also after a crash in the middle, with the same result
// as once. Each batch of lines is one transaction. Every imported line is remembered under the
// logical name of the file, its source, and is not imported again, even if its post was edited or
// deleted here since. People and groups are recognised by their names, whether an import made them
// or not.
//
// The files that lines name lie beside the file of lines. The import puts them into the file store
// and queues them, like uploads, and the workers of the server make them ready. A file belongs to the
// author of its post or comment, and comes after the files that the post or comment has already. No
// quota applies.
//
// A line that can't be imported ends the import with a [LineError], and nothing of its batch is
// imported. The present rules of access do not stop a line: a person may have lost the access to a
// post or a feed after they commented, liked or posted. Such lines are imported as history, and
// counted.
//
// An import can run beside a running server. It locks rows in the order of all writers. Each batch
// that changed something renews the uuid of the log at its end. So every node starts over, because
// nodes can't follow changes that are not logged.
package importer
