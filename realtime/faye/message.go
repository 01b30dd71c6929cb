package faye

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// The channels of the protocol.
const (
	metaHandshake   = "/meta/handshake"
	metaConnect     = "/meta/connect"
	metaSubscribe   = "/meta/subscribe"
	metaUnsubscribe = "/meta/unsubscribe"
	metaDisconnect  = "/meta/disconnect"
)

// The connection types.
const (
	overWebSocket = "websocket"
	byPOST        = "long-polling"
	byPOSTAcross  = "cross-origin-long-polling" // Faye's name for the same, in a browser on another site
	byGET         = "callback-polling"
)

var connectionTypes = []string{byPOST, byPOSTAcross, byGET, overWebSocket}

// mostMessages is the most messages in one request or frame, and the most channels in one
// message.
const mostMessages = 50

// A message is a client's message. Other fields, such as ext, are ignored.
type message struct {
	Channel        string          `json:"channel"`
	ID             json.RawMessage `json:"id"`
	ClientID       string          `json:"clientId"`
	Version        string          `json:"version"`
	MinimumVersion string          `json:"minimumVersion"`
	Supported      []string        `json:"supportedConnectionTypes"`
	ConnectionType string          `json:"connectionType"`
	Subscription   json.RawMessage `json:"subscription"`
	Advice         struct {
		Timeout *float64 `json:"timeout"` // ms
	} `json:"advice"`
}

// A reply is the answer to a message.
type reply struct {
	Channel        string          `json:"channel"`
	ID             json.RawMessage `json:"id,omitempty"`
	ClientID       string          `json:"clientId,omitempty"`
	Subscription   json.RawMessage `json:"subscription,omitempty"`
	Successful     bool            `json:"successful"`
	AuthSuccessful *bool           `json:"authSuccessful,omitempty"` // of a handshake, and where a right is missing
	Version        string          `json:"version,omitempty"`
	Supported      []string        `json:"supportedConnectionTypes,omitempty"`
	Error          string          `json:"error,omitempty"`
	Advice         *advice         `json:"advice,omitempty"`
}

// An advice tells a client whether to connect again or to shake hands again, and when.
type advice struct {
	Reconnect string `json:"reconnect"`
	Interval  int64  `json:"interval"`          // ms
	Timeout   int64  `json:"timeout,omitempty"` // ms
}

// A push is a message for a subscriber.
type push struct {
	Channel string          `json:"channel"`
	Data    json.RawMessage `json:"data"`
}

// parse returns the messages of a request or a frame: an array, or a single one. The error
// is a [failure].
func parse(text []byte) ([]message, error) {
	if !utf8.Valid(text) { // encoding/json would replace the bad bytes silently
		return nil, bad("The messages are not UTF-8.")
	}
	text = bytes.TrimSpace(text)
	var all []message
	var err error
	if len(text) > 0 && text[0] == '{' {
		all = make([]message, 1)
		err = json.Unmarshal(text, &all[0])
	} else {
		err = json.Unmarshal(text, &all)
	}
	switch {
	case err != nil || all == nil:
		return nil, bad("The messages are not a JSON array of Bayeux messages.")
	case len(all) > mostMessages:
		return nil, bad(fmt.Sprintf("More than %d messages came at once.", mostMessages))
	}
	return all, nil
}

// scalar matches an id of a message that may be repeated in the answer: a short string or a number.
var scalar = regexp.MustCompile(`^("[^"\\]{0,100}"|-?[0-9]{1,18})$`)

// answer begins the answer to the message.
func (m *message) answer() reply {
	r := reply{Channel: m.Channel}
	if scalar.Match(m.ID) {
		r.ID = m.ID
	}
	return r
}

// refused returns the answer to a message that failed. Its error has the form CODE:ARGUMENT:Words.
func (m *message) refused(code int, argument, words string) reply {
	r := m.answer()
	r.Error = fmt.Sprintf("%d:%s:%s", code, argument, words)
	return r
}

// missing returns the answer to a message that lacks a parameter.
func (m *message) missing(name string) reply {
	return m.refused(402, name, "Missing required parameter")
}

// unknown returns the answer to an unknown client, with the advice to shake hands.
func (m *message) unknown(interval int64) reply {
	r := m.refused(401, m.ClientID, "Unknown client")
	r.Advice = &advice{Reconnect: "handshake", Interval: interval}
	return r
}

// channels returns the channels that a subscription or unsubscription names: a string or an
// array of them.
func (m *message) channels() ([]string, bool) {
	var one string
	if json.Unmarshal(m.Subscription, &one) == nil && one != "" {
		return []string{one}, true
	}
	var all []string
	if json.Unmarshal(m.Subscription, &all) != nil || len(all) == 0 || len(all) > mostMessages {
		return nil, false
	}
	return all, true
}

// channelForm matches the name of a channel.
var channelForm = regexp.MustCompile(`^(/[A-Za-z0-9_\-!~()$@]+)+(/\*{1,2})?$`)

// checkChannel returns the code and words of an error if the name is invalid, or if no client may
// subscribe to such a channel. It returns code 0 for all other names.
func checkChannel(name string) (code int, words string) {
	switch {
	case len(name) > 255 || !channelForm.MatchString(name):
		return 405, "Invalid channel"
	case strings.HasSuffix(name, "*"), strings.HasPrefix(name, "/meta/"), strings.HasPrefix(name, "/service/"):
		return 403, "Forbidden channel"
	}
	return 0, ""
}

// speaks reports whether this server speaks a version of the protocol: 1.x.
func speaks(version string) bool { return version == "1" || strings.HasPrefix(version, "1.") }

// handshake answers a handshake. It keeps nothing.
func (s *Server) handshake(m *message) reply {
	failed := func(r reply) reply {
		r.AuthSuccessful = new(bool)
		r.Version, r.Supported = "1.0", connectionTypes
		r.Advice = &advice{Reconnect: "none"}
		return r
	}
	switch {
	case m.Version == "":
		return failed(m.missing("version"))
	case !speaks(m.Version), m.MinimumVersion != "" && !speaks(m.MinimumVersion):
		return failed(m.refused(300, m.Version, "Version mismatch"))
	case len(m.Supported) == 0:
		return failed(m.missing("supportedConnectionTypes"))
	case !slices.ContainsFunc(m.Supported, func(t string) bool { return slices.Contains(connectionTypes, t) }):
		return failed(m.refused(301, strings.Join(m.Supported, ","), "Connection types not supported"))
	}
	r := m.answer()
	yes := true
	r.Successful, r.AuthSuccessful, r.Version, r.Supported = true, &yes, "1.0", connectionTypes
	r.ClientID = s.ids.make(time.Now())
	r.Advice = s.retry()
	s.stats.handshakes.Add(1)
	return r
}
