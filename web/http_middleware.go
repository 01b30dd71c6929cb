package web

import (
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/klauspost/compress/gzhttp"

	"amstel.dev/amstel/web/page"
	"amstel.dev/amstel/web/static"
)

// apiPath begins the paths of the API.
const apiPath = "/api/v1/"

// The paths of the socket of open pages, and of polls by pages that can't open a socket.
const (
	livePath    = "/live"
	changesPath = livePath + "/changes"
)

// Wrap puts a handler behind the middleware of the site, so that a benchmark can compare
// the cost of a page with the cost of any answer.
func (s *Server) Wrap(h http.Handler) http.Handler {
	public, err := url.Parse(s.config.URL)
	if err != nil {
		panic(err) // New has parsed it
	}
	r := chi.NewRouter()
	r.Use(s.middleware(public)...)
	r.Handle("/*", h)
	return r
}

// middleware returns what every request passes, the outermost first.
func (s *Server) middleware(public *url.URL) chi.Middlewares {
	return chi.Middlewares{
		clientAddress(s.config.TrustProxy),
		s.observed,
		s.recovered,
		secured(public),
		shared,
		compressed(),
		s.routed,
		middleware.GetHead,
	}
}

// clientAddress finds the address of the client. A proxy's statement about it counts only if the
// proxy is trusted.
func clientAddress(trusted []netip.Prefix) func(http.Handler) http.Handler {
	if len(trusted) == 0 {
		return middleware.ClientIPFromRemoteAddr
	}
	prefixes := make([]string, len(trusted))
	for i, prefix := range trusted {
		prefixes[i] = prefix.Masked().String()
	}
	return middleware.ClientIPFromXFF(prefixes...)
}

// slowFrom is the duration from which a request is logged as slow.
const slowFrom = time.Second

// observed reports each request after its answer to the log and to the Observer. It
// reports the route, not the path, which may hold a secret or the words of a search.
func (s *Server) observed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.config.Observer == nil && !s.log.Enabled(r.Context(), slog.LevelWarn) {
			next.ServeHTTP(w, r)
			return
		}
		began := time.Now()
		wrapped := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() { s.observe(wrapped, r, time.Since(began)) }()
		next.ServeHTTP(wrapped, r)
	})
}

// observe reports one request.
func (s *Server) observe(w middleware.WrapResponseWriter, r *http.Request, took time.Duration) {
	status := w.Status()
	if status == 0 && r.Context().Err() == nil {
		status = http.StatusOK // as net/http does
	}
	if s.config.Observer != nil {
		s.config.Observer.Request(routeOf(r), r.Method, status, took)
	}
	level, message := slog.LevelDebug, "request"
	switch {
	case took > slowFrom && status != http.StatusSwitchingProtocols && routeOf(r) != fayePath: // where requests wait
		level, message = slog.LevelWarn, "slow request"
	case s.config.LogRequests:
		level = slog.LevelInfo
	}
	if !s.log.Enabled(r.Context(), level) {
		return
	}
	line := []slog.Attr{
		slog.String("method", r.Method), slog.String("route", routeOf(r)), slog.Int("status", status),
		slog.Int("bytes", w.BytesWritten()), slog.Duration("took", took),
	}
	if incident := w.Header().Get(incidentHeader); incident != "" {
		line = append(line, slog.String("incident", incident))
	}
	if s.log.Enabled(r.Context(), slog.LevelDebug) { // an address may identify a person
		line = append(line, slog.String("from", middleware.GetClientIP(r.Context())))
	}
	s.log.LogAttrs(r.Context(), level, message, line...)
}

// recovered responds to a request with status 500 if its handler panics, and logs the panic.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if err, is := cause.(error); is && errors.Is(err, http.ErrAbortHandler) {
				panic(cause) // which is how a handler ends a connection
			}
			s.log.ErrorContext(r.Context(), "panic", "route", routeOf(r), "cause", cause, "stack", string(debug.Stack()))
			s.fail(w, &request{Request: r, html: prefersHTML(r), words: s.readsIn(r, nil)}, errPanic)
		}()
		s.retryWithoutPoisoned(next, w, r)
	})
}

// secured sets the headers that restrict pages in browsers.
func secured(public *url.URL) func(http.Handler) http.Handler {
	socket := "ws://"
	if public.Scheme == "https" {
		socket = "wss://"
	}
	policy := strings.Join([]string{
		"default-src 'self'",
		"img-src 'self' blob: data:", // blob: a picture that is chosen and not yet uploaded
		"connect-src 'self' " + socket + public.Host,
		"object-src 'none'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
	}, "; ")
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			header := w.Header()
			header.Set("Content-Security-Policy", policy)
			header.Set("X-Content-Type-Options", "nosniff")
			header.Set("Referrer-Policy", "same-origin")
			header.Set("Cross-Origin-Opener-Policy", "same-origin")
			next.ServeHTTP(w, r)
		})
	}
}

// shared lets pages of other sites read the JSON, use the API, and send what share buttons send. Browsers send no
// cookies with such requests, so a client authenticates by a token.
func shared(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := pagePath(r)
		share := path == page.SharePath && (r.Method == http.MethodPost || r.Method == http.MethodOptions)
		if !strings.HasSuffix(r.URL.Path, ".json") && feedOf(r) == nil && !strings.HasPrefix(path, "/api/") && path != fayePath && path != changesPath && !share {
			next.ServeHTTP(w, r)
			return
		}
		header := w.Header()
		header.Set("Access-Control-Allow-Origin", "*")
		if origin := r.Header.Get("Origin"); path == fayePath && origin != "" {
			// The client of Faye for browsers sends its requests with credentials, and then a browser
			// wants the origin named. Nothing under this path looks at a cookie or sets one.
			header.Set("Access-Control-Allow-Origin", origin)
			header.Set("Access-Control-Allow-Credentials", "true")
			header.Add("Vary", "Origin")
		}
		header.Set("Access-Control-Expose-Headers", "ETag, Last-Modified, Retry-After, RateLimit, RateLimit-Policy, Amstel-Age, Amstel-Incident")
		if r.Method != http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		header.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
		header.Set("Access-Control-Allow-Headers", "X-API-Token, Authorization, X-River-Signature, X-Amstel-As, Content-Type, Accept, If-None-Match, Pragma")
		header.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
	})
}

// compressed gzips large answers. The random padding hides their exact length: otherwise
// an attacker could put a text beside a secret, and learn the secret from how well the two
// compress together.
func compressed() func(http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(1024), gzhttp.EnableZstd(false), gzhttp.RandomJitter(32, 0, false))
	if err != nil {
		panic("web: " + err.Error()) // constants
	}
	return func(next http.Handler) http.Handler {
		packed := wrap(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// Do not compress sockets, compressed content, or files that are read in ranges.
			socket := r.URL.Path == livePath || pagePath(r) == fayePath && r.Method == http.MethodGet
			if socket || strings.HasPrefix(r.URL.Path, static.Prefix) || isFile(pagePath(r)) {
				next.ServeHTTP(w, r)
				return
			}
			packed.ServeHTTP(w, r)
		})
	}
}

// routed changes the parts of a request that decide its route: several slashes at the start
// count as one, .json is part of the path of a feed only, a form's _method becomes its method, and
// its _action its path.
func (s *Server) routed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		route := chi.RouteContext(r.Context())
		route.RoutePath = pagePath(r)
		if format := feedOf(r); format != nil {
			route.RoutePath += format.Ending // feeds have routes of their own
		}
		if isUpload(r) || isPictureUpload(r) {
			takeFormToken(r)
			next.ServeHTTP(w, r) // the action reads the body, as it comes
			return
		}
		if s.takesFiles(r) {
			begun, err := s.beginForm(w, r)
			if err != nil {
				s.fail(w, &request{Request: r, html: prefersHTML(r), words: s.readsIn(r, nil)}, err)
				return
			}
			routeForm(route, begun)
			keepFiles(begun, strings.HasPrefix(route.RoutePath, apiPath+"posts"))
			next.ServeHTTP(w, begun)
			return
		}
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = http.MaxBytesReader(w, r.Body, s.config.BodyLimit)
		}
		if r.Method == http.MethodPost {
			if err := readForm(r, s.config.BodyLimit); err != nil {
				s.fail(w, &request{Request: r, html: prefersHTML(r), words: s.readsIn(r, nil)}, err)
				return
			}
			routeForm(route, r)
		}
		next.ServeHTTP(w, r)
	})
}

// routeForm routes a form by its _action, which is a path of the API, and its _method. A form with
// an _action is sent to the address of its own page, so that the page with the problems of the
// form has the same address. The button for the audience has an address of its own.
func routeForm(route *chi.Context, r *http.Request) {
	action := strings.TrimSuffix(r.PostForm.Get("_action"), ".json")
	if strings.HasPrefix(action, apiPath) && r.URL.RawQuery != page.AsksAudience {
		route.RoutePath = action
	}
	switch method := strings.ToUpper(r.PostForm.Get("_method")); method {
	case http.MethodPut, http.MethodPatch, http.MethodDelete:
		route.RouteMethod = method
	}
}

// readForm parses the body if it is a form.
func readForm(r *http.Request, limit int64) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return nil // readInput judges other types
	}
	switch kind {
	case "application/x-www-form-urlencoded":
		err = r.ParseForm()
	case "multipart/form-data":
		err = r.ParseMultipartForm(limit)
	}
	var large *http.MaxBytesError
	if err != nil && !errors.As(err, &large) {
		return errors.Join(errBody, err)
	}
	return err
}
