package web

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/address"
)

// input is the body of a write as a tree, from JSON or from a form: post[text] and
// post[timelines][] of a form are {"post": {"text", "timelines": []}} of JSON.
type input map[string]any

// levels is the greatest depth of the tree, twice the depth of anything that is used. A
// deeper tree is refused: one made from a name with many brackets takes hundreds of times
// the bytes of the name.
const levels = 8

var errDeep = &timeline.InvalidError{Field: "body", Reason: "is nested too deep"}

// readInput reads the body of a request. A form was parsed by the middleware already, for
// its _method.
func readInput(r *http.Request) (input, error) {
	if r.Form != nil {
		return formInput(r.PostForm)
	}
	if r.Body == nil || r.Body == http.NoBody {
		return input{}, nil
	}
	body, err := io.ReadAll(r.Body)
	switch {
	case err != nil:
		return nil, errors.Join(errBody, fmt.Errorf("read body: %w", err)) // the client hung up
	case len(bytes.TrimSpace(body)) == 0:
		return input{}, nil
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil && r.Header.Get("Content-Type") != "" || kind != "" && kind != "application/json" && !strings.HasSuffix(kind, "+json") && kind != "text/plain" {
		return nil, fmt.Errorf("content type %q: %w", kind, errMedia)
	}
	return jsonInput(body)
}

func jsonInput(body []byte) (input, error) {
	if !utf8.Valid(body) {
		return nil, &timeline.InvalidError{Field: "body", Reason: "is not valid UTF-8", Code: "characters"}
	}
	var in input
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&in); err != nil {
		return nil, errors.Join(errBody, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("more than one JSON value: %w", errBody)
	}
	if !shallow(in, levels) {
		return nil, errDeep
	}
	return in, nil
}

// shallow reports whether a JSON value has at most left levels.
func shallow(v any, left int) bool {
	switch v := v.(type) {
	case input:
		return shallow(map[string]any(v), left)
	case map[string]any:
		for _, part := range v {
			if left == 0 || !shallow(part, left-1) {
				return false
			}
		}
	case []any:
		for _, part := range v {
			if left == 0 || !shallow(part, left-1) {
				return false
			}
		}
	}
	return true
}

// formInput returns a tree of the fields of a form.
func formInput(form url.Values) (input, error) {
	in := input{}
	for key, values := range form {
		if !utf8.ValidString(key) {
			return nil, &timeline.InvalidError{Field: "body", Reason: "is not valid UTF-8", Code: "characters"}
		}
		path := strings.SplitN(strings.ReplaceAll(key, "]", ""), "[", levels+1)
		if len(path) > levels {
			return nil, errDeep
		}
		at := in
		for len(path) > 1 && path[1] != "" {
			next, is := at[path[0]].(input)
			if !is {
				if at[path[0]] != nil {
					return nil, &timeline.InvalidError{Field: path[0], Reason: "is given in two ways"}
				}
				next = input{}
				at[path[0]] = next
			}
			at, path = next, path[1:]
		}
		switch {
		case at[path[0]] != nil:
			return nil, &timeline.InvalidError{Field: path[0], Reason: "is given in two ways"}
		case len(path) > 1: // key[]
			list := make([]any, len(values))
			for i, value := range values {
				list[i] = value
			}
			at[path[0]] = list
		default:
			// A hidden field of the same name stands before a checkbox: the last counts.
			at[path[0]] = values[len(values)-1]
		}
	}
	return in, nil
}

// in returns the subtree under a name, or an empty input.
func (in input) in(name string) (input, error) {
	switch part := in[name].(type) {
	case nil:
		return input{}, nil
	case input:
		return part, nil
	case map[string]any:
		return part, nil
	}
	return nil, &timeline.InvalidError{Field: name, Reason: "is not an object"}
}

// changed returns the input without the fields that a form sends back unchanged. The form repeats
// the values that it showed under "was". Another page may have changed such a field meanwhile, and
// saving this form for a different field must not change it back.
func (in input) changed() (input, error) {
	was, err := in.in("was")
	if err != nil || len(was) == 0 {
		return in, err
	}
	rest := maps.Clone(in)
	for name := range was {
		before, err := was.texts(name)
		if err != nil {
			return nil, err
		}
		now, err := in.texts(name)
		if err != nil {
			return nil, err
		}
		slices.Sort(before)
		slices.Sort(now)
		if slices.Equal(before, now) {
			delete(rest, name)
		}
	}
	return rest, nil
}

// has reports whether something was sent under the name.
func (in input) has(name string) bool { return in[name] != nil }

// text returns a string; empty if there is none.
func (in input) text(name string) (string, error) {
	switch value := in[name].(type) {
	case nil:
		return "", nil
	case string:
		if !utf8.ValidString(value) {
			return "", &timeline.InvalidError{Field: name, Reason: "is not valid UTF-8", Code: "characters"}
		}
		if strings.ContainsRune(value, 0) {
			return "", &timeline.InvalidError{Field: name, Reason: "has a character that can't be kept", Code: "characters"}
		}
		return value, nil
	}
	return "", &timeline.InvalidError{Field: name, Reason: "is not text"}
}

// optional returns a string, or nil if there is none.
func (in input) optional(name string) (*string, error) {
	if !in.has(name) {
		return nil, nil
	}
	value, err := in.text(name)
	return &value, err
}

// flag returns a boolean, given as such or as one of the texts and numbers that clients send for
// it, or nil if the field is missing.
func (in input) flag(name string) (*bool, error) {
	var on bool
	switch value := in[name].(type) {
	case nil:
		return nil, nil
	case bool:
		on = value
	case json.Number:
		if value != "0" && value != "1" {
			return nil, &timeline.InvalidError{Field: name, Reason: "is neither true nor false"}
		}
		on = value == "1"
	case string:
		var err error
		if on, err = address.ReadFlag(name, value); err != nil {
			return nil, err
		}
	default:
		return nil, &timeline.InvalidError{Field: name, Reason: "is neither true nor false"}
	}
	return &on, nil
}

// set reports whether a boolean was sent and is true.
func (in input) set(name string) (bool, error) {
	flag, err := in.flag(name)
	return flag != nil && *flag, err
}

// texts returns a list of strings; a single string is a list of one.
func (in input) texts(name string) ([]string, error) {
	list, is := in[name].([]any)
	if !is {
		value, err := in.text(name)
		if err != nil {
			return nil, &timeline.InvalidError{Field: name, Reason: "is not a list"}
		}
		if value == "" {
			return nil, nil
		}
		return []string{value}, nil
	}
	texts := make([]string, 0, len(list))
	for _, item := range list {
		value, err := input{name: item}.text(name)
		if err != nil || item == nil {
			return nil, &timeline.InvalidError{Field: name, Reason: "holds something that is not text"}
		}
		if value != "" {
			texts = append(texts, value)
		}
	}
	return texts, nil
}

// name returns the name of an account as people type it, without its @.
func (in input) name(field string) (string, error) {
	typed, err := in.text(field)
	if err != nil {
		return "", err
	}
	name := strings.TrimPrefix(strings.TrimSpace(typed), "@")
	if name == "" {
		return "", &timeline.InvalidError{Field: field, Reason: "is empty", Code: "empty"}
	}
	return name, nil
}

// typedNames returns the names in a text, which may have an @ and are separated by
// commas, semicolons or blanks.
func typedNames(text string) []string {
	names := strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r' || c == '\n' })
	for i, name := range names {
		names[i] = strings.TrimPrefix(name, "@")
	}
	return names
}

// newUUID returns a new value for the _uuid of a form. A form sent twice with the same _uuid
// acts once.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// idInQuery returns the id that a parameter of the query holds; 0 if the query lacks it.
func (q *request) idInQuery(name string) (int64, error) {
	text := q.URL.Query().Get(name)
	if text == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		return 0, &timeline.InvalidError{Field: name, Reason: "is no id"}
	}
	return id, nil
}
