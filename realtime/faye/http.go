package faye

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"amstel.dev/amstel/internal/wirejson"
)

// ServeHTTP serves the address of the protocol: GET opens a WebSocket or is callback-polling,
// POST is long-polling.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.begin() {
		unavailable(w)
		return
	}
	defer s.wg.Done()
	switch {
	case r.Method == http.MethodPost:
		text, err := s.body(r)
		if err != nil {
			refuse(w, err)
			return
		}
		s.poll(w, r, text, byPOST, "")
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", "GET, POST")
		refuse(w, &failure{http.StatusMethodNotAllowed, "method_not_allowed", "This address takes GET and POST."})
	case strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
		s.upgrade(w, r)
	default:
		s.callback(w, r)
	}
}

// A failure is the answer to a request that can't be served.
type failure struct {
	status         int
	code, sentence string
}

func (f *failure) Error() string { return f.sentence }

func bad(sentence string) *failure { return &failure{http.StatusBadRequest, "bad_request", sentence} }

var errTooLarge = &failure{http.StatusRequestEntityTooLarge, "too_large", "The messages are too long."}

// refuse answers a request with a failure, in the form of the API's errors.
func refuse(w http.ResponseWriter, err error) {
	f, ok := errors.AsType[*failure](err)
	switch {
	case ok:
	case errors.Is(err, errCrowded):
		w.Header().Set("Retry-After", "30")
		f = &failure{http.StatusTooManyRequests, "crowded", "Too many clients of your network are connected."}
	default:
		unavailable(w)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(f.status)
	w.Write(wirejson.MustEncode(struct { // an error means that the client has gone
		Error string `json:"error"`
		Err   string `json:"err"`
		Code  string `json:"code"`
	}{f.sentence, f.sentence, f.code}))
}

// unavailable answers a request that the client should send again.
func unavailable(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "2")
	refuse(w, &failure{http.StatusServiceUnavailable, "unavailable", "Live updates are unavailable at the moment."})
}

// body returns the messages of a POST: the body, or the field message of a form. Browsers'
// requests to other sites are of the type text/plain, whatever their body is.
func (s *Server) body(r *http.Request) ([]byte, error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // of an unknown type the body is JSON
	limit := s.config.ReadLimit
	if r.PostForm == nil && kind != "multipart/form-data" {
		text, err := io.ReadAll(io.LimitReader(r.Body, int64(limit)+1))
		switch {
		case len(text) > limit:
			return nil, errTooLarge
		case err != nil:
			return nil, bad("The body ends too early.")
		}
		if kind != "application/x-www-form-urlencoded" && !bytes.HasPrefix(text, []byte("message=")) {
			return text, nil
		}
		if r.PostForm, err = url.ParseQuery(string(text)); err != nil {
			return nil, bad("The form can't be read.")
		}
	}
	text := r.PostForm.Get("message")
	if len(text) > limit {
		return nil, errTooLarge
	}
	return []byte(text), nil
}

// callbackForm matches the name of a callback: names of JavaScript with dots between, and nothing that
// could end the name and begin other code.
var callbackForm = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]{0,63}(\.[A-Za-z_$][A-Za-z0-9_$]{0,63}){0,7}$`)

// callback serves callback-polling: the answer is a script that calls a function.
func (s *Server) callback(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	text, name := query.Get("message"), query.Get("jsonp")
	if name == "" {
		name = "jsonpcallback"
	}
	switch {
	case text == "":
		refuse(w, bad("The parameter message is missing."))
	case len(text) > s.config.ReadLimit:
		refuse(w, errTooLarge)
	case !callbackForm.MatchString(name):
		refuse(w, bad("The parameter jsonp is not the name of a function."))
	default:
		s.poll(w, r, []byte(text), byGET, name)
	}
}

// poll answers the messages of a request, and waits for messages for a client that connects.
func (s *Server) poll(w http.ResponseWriter, r *http.Request, text []byte, kind, callback string) {
	all, err := parse(text)
	if err != nil {
		refuse(w, err)
		return
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // a deadline that passes would end the request's context; not every ResponseWriter has deadlines
	_ = control.SetWriteDeadline(time.Time{})
	on := conversation{s, s.config.Client(r)}
	a, err := on.answer(r.Context(), all, func(m *message) bool {
		return m.ConnectionType != overWebSocket && slices.Contains(connectionTypes, m.ConnectionType)
	})
	if err != nil {
		refuse(w, err)
		return
	}
	for _, c := range a.clients {
		c.ring()
	}
	out := make([]json.RawMessage, 0, len(a.replies)+1)
	for i := range a.replies {
		out = append(out, wirejson.MustEncode(a.replies[i]))
	}
	if a.connect != nil {
		out = append(out, s.waitFor(r, &a)...)
	}
	_ = control.SetWriteDeadline(time.Now().Add(s.config.WriteWithin))
	err = errors.Join(write(w, out, callback), control.Flush(), r.Context().Err())
	_ = control.SetWriteDeadline(time.Time{}) // for the next request of the connection
	if err != nil && a.by != nil {
		a.by.end() // what was fetched may be lost
	}
}

// waitFor waits for messages for a connected client, and returns them after the answer to the
// connect.
func (s *Server) waitFor(r *http.Request, a *answered) []json.RawMessage {
	ctx, cancel := contextOf(r.Context(), s.life)
	defer cancel()
	by := &carrier{make(chan struct{}, 1), cancel}
	var messages []json.RawMessage
	if a.by.attach(by) {
		messages, _ = a.by.wait(ctx, by, a.by.patience(a.connect))
		a.by.detach(by)
	}
	s.stats.messages.Add(int64(len(messages)))
	return append([]json.RawMessage{wirejson.MustEncode(a.by.connectedReply(a.connect))}, messages...)
}

// write writes the answer to a request. U+2028 and U+2029 end lines in scripts.
func write(w http.ResponseWriter, out []json.RawMessage, callback string) error {
	text := wirejson.MustEncode(out)
	kind := "application/json"
	if callback != "" {
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\u2028"), []byte(`\u2028`)), []byte("\u2029"), []byte(`\u2029`))
		text = append(append([]byte("/**/"+callback+"("), text...), ");"...)
		kind = "text/javascript"
	}
	w.Header().Set("Content-Type", kind+"; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	_, err := w.Write(text)
	return err
}
