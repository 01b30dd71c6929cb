package importer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A file has one JSON object on each line. A line names only things from earlier lines. The
// package comment lists all types of lines. The example parses a small file without a primary;
// [Import] writes the same lines to a primary.
func Example() {
	const file = `{"type":"user","name":"anna","display_name":"Anna","status":"public","at":"2016-06-29T22:00:30Z"}
{"type":"user","name":"bert","display_name":"Bert","status":"private","at":"2016-06-29T22:01:00Z"}
{"type":"group","name":"rowing","display_name":"Rowing","status":"public","admins":["anna"],"at":"2016-06-29T22:02:00Z"}
{"type":"subscription","user":"bert","target":"rowing","at":"2016-06-29T22:03:00Z"}
{"type":"post","id":"p1","author":"anna","to":["anna","rowing"],"text":"The #Amstel is frozen","at":"2016-06-29T22:04:00Z"}
{"type":"comment","id":"c1","post":"p1","author":"bert","text":"In June?","at":"2016-06-29T22:05:00Z"}
{"type":"like","user":"bert","post":"p1","at":"2016-06-29T22:06:00Z"}`
	lines := bufio.NewScanner(strings.NewReader(file))
	for number := 1; lines.Scan(); number++ {
		l, err := parse(number, lines.Bytes(), false)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(l.at.Format("15:04:05"), l.kind, l.external(), l.names)
	}
	// Output:
	// 22:00:30 user anna []
	// 22:01:00 user bert []
	// 22:02:00 group rowing [anna]
	// 22:03:00 subscription bert rowing []
	// 22:04:00 post p1 [anna rowing]
	// 22:05:00 comment c1 []
	// 22:06:00 like bert p1 []
}

// The error of a bad line names the line and the reason. An import ends with it.
func ExampleLineError() {
	const file = `{"type":"user","name":"anna","display_name":"Anna","status":"public","at":"2016-06-29T22:00:30Z"}
{"type":"user","name":"anna","display_name":"Another","status":"public","at":"2016-06-29T22:00:31Z"}
{"type":"like","user":"anna","post":"p1","at":"yesterday"}`
	for _, text := range []string{file, strings.Split(file, "\n")[2]} {
		var last batch
		for b := range read(context.Background(), strings.NewReader(text), 10, make(chan []*line, 2)) {
			last = b
		}
		var bad *LineError
		if errors.As(last.err, &bad) && !errors.Is(last.err, io.EOF) {
			fmt.Println(bad)
		}
	}
	// Output:
	// line 2: user "anna" is on line 1 already, with other content
	// line 1: bad time "yesterday": RFC 3339 is wanted, as 2016-06-29T22:00:30Z
}
