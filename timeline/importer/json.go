package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An object holds the keys and values of a line. [typeOf] returns the type of each key's value. Flags
// and numbers are kept as texts.
type object struct {
	values map[string]string   // texts, flags and numbers
	lists  map[string][]string // lists of texts
}

// decode reads a flat JSON object of texts, flags, numbers and lists of texts. It is stricter than
// json.Unmarshal, which ignores the case of keys, accepts repeated keys, and replaces
// invalid UTF-8.
func decode(data []byte) (*object, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("invalid UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if open, err := d.Token(); err != nil {
		return nil, badJSON(err)
	} else if open != json.Delim('{') {
		return nil, errors.New("not a JSON object")
	}
	o := &object{values: make(map[string]string, 6)}
	replaced := 0
	for d.More() {
		key, err := nextText(d, &replaced)
		if err != nil {
			return nil, err
		}
		if err := o.readValue(d, key, &replaced); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, badJSON(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("bad JSON: more after the object")
	}
	// The decoder replaces half of a surrogate pair by U+FFFD. If the texts have more of these
	// characters than the line itself, the line had such a half.
	if replaced > 0 && replaced > bytes.Count(data, []byte("\uFFFD"))+bytes.Count(bytes.ToLower(data), []byte(`\ufffd`)) {
		return nil, errors.New("invalid UTF-8: half of a surrogate pair")
	}
	return o, nil
}

// readValue reads the value of a key into the object. It adds the U+FFFD characters of
// the value to replaced.
func (o *object) readValue(d *json.Decoder, key string, replaced *int) error {
	if !knownKey(key) {
		return fmt.Errorf("unknown key %q", key)
	}
	_, value := o.values[key]
	_, values := o.lists[key]
	if value || values {
		return fmt.Errorf("key %q comes twice", key)
	}
	if want := typeOf(key); want != listValue {
		text, err := nextValue(d, want, replaced)
		if err != nil {
			return within(key, want.String(), err)
		}
		if err := checkZero(key, text); err != nil {
			return err
		}
		o.values[key] = text
		return nil
	}
	if open, err := d.Token(); err != nil {
		return badJSON(err)
	} else if open != json.Delim('[') {
		return within(key, "a list of texts", errNotText)
	}
	texts := make([]string, 0, 2)
	for d.More() {
		text, err := nextText(d, replaced)
		if err != nil {
			return within(key, "a list of texts", err)
		}
		if err := checkZero(key, text); err != nil {
			return err
		}
		texts = append(texts, text)
	}
	if _, err := d.Token(); err != nil {
		return badJSON(err)
	}
	if o.lists == nil {
		o.lists = make(map[string][]string, 1)
	}
	o.lists[key] = texts
	return nil
}

// checkZero returns an error if the text has a zero character, which PostgreSQL can't
// store.
func checkZero(key, text string) error {
	if strings.ContainsRune(text, 0) {
		return fmt.Errorf("%q has a zero character", key)
	}
	return nil
}

// errNotText reports that a value has another type than its key requires.
var errNotText = errors.New("another type")

// within turns errNotText into an error that names the key and the wanted type of its value.
func within(key, want string, err error) error {
	if errors.Is(err, errNotText) {
		return fmt.Errorf("%q is not %s", key, want)
	}
	return err
}

// nextText reads a string, and adds the U+FFFD characters in it to replaced.
func nextText(d *json.Decoder, replaced *int) (string, error) {
	token, err := d.Token()
	if err != nil {
		return "", badJSON(err)
	}
	text, ok := token.(string)
	if !ok {
		return "", errNotText
	}
	*replaced += strings.Count(text, "\uFFFD")
	return text, nil
}

// nextValue reads a text, a flag or a number as a text, and adds the U+FFFD characters in it to
// replaced.
func nextValue(d *json.Decoder, want valueType, replaced *int) (string, error) {
	if want == textValue {
		return nextText(d, replaced)
	}
	token, err := d.Token()
	if err != nil {
		return "", badJSON(err)
	}
	switch value := token.(type) {
	case bool:
		if want == flagValue {
			return strconv.FormatBool(value), nil
		}
	case json.Number:
		if _, err := strconv.ParseInt(value.String(), 10, 32); err == nil && want == numberValue {
			return value.String(), nil
		}
	}
	return "", errNotText
}

// badJSON returns the error for a line at which the JSON decoder failed.
func badJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("bad JSON: it ends too early")
	}
	return fmt.Errorf("bad JSON: %w", err)
}
