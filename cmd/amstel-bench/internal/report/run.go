package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// A Run has the records of a run, and where they come from.
type Run struct {
	Heading Heading
	Records []Record
}

// A line is a line of a file with a run: the heading, which is the first line, or a record.
type line struct {
	Run *Heading `json:"run"`
	Record
}

// WriteHeading writes a heading as a line of JSON.
func WriteHeading(to io.Writer, h Heading) error {
	return json.NewEncoder(to).Encode(map[string]Heading{"run": h})
}

// WriteLine writes a record as a line of JSON.
func (r *Record) WriteLine(to io.Writer) error {
	out := json.NewEncoder(to)
	out.SetEscapeHTML(false)
	return out.Encode(r)
}

// ReadRun reads a run from lines of JSON. Files that were written before there were headings have none.
func ReadRun(from io.Reader) (*Run, error) {
	r := &Run{}
	lines := json.NewDecoder(from)
	for n := 1; ; n++ {
		var one line
		err := lines.Decode(&one)
		switch {
		case errors.Is(err, io.EOF) && len(r.Records) == 0:
			return nil, errors.New("it has no records")
		case errors.Is(err, io.EOF):
			return r, nil
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", n, err)
		case one.Run != nil:
			r.Heading = *one.Run
		case one.Name == "":
			return nil, fmt.Errorf("line %d is neither a heading nor a record of amstel-bench", n)
		default:
			r.Records = append(r.Records, one.Record)
		}
	}
}

// ReadRunFile reads a run from a file.
func ReadRunFile(path string) (*Run, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := ReadRun(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}
