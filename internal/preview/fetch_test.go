package preview

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline/text"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }

// A stranger is a server of pages to which a fetcher may connect.
type stranger struct {
	*http.ServeMux
	*httptest.Server
	asked atomic.Int64
}

func newStranger(t *testing.T) *stranger {
	s := &stranger{ServeMux: http.NewServeMux()}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// address returns the address of the server.
func (s *stranger) address() netip.AddrPort {
	return netip.MustParseAddrPort(s.Listener.Addr().String())
}

// page sets the page at a path; without a media type it is HTML.
func (s *stranger) page(path, mediaType, text string) {
	if mediaType == "" {
		mediaType = "text/html"
	}
	s.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		io.WriteString(w, text)
	})
}

// leads sets a redirect at a path of the server.
func (s *stranger) leads(path, to string) {
	s.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", to)
		w.Header().Set("Set-Cookie", "known=yes; Path=/")
		w.WriteHeader(http.StatusFound)
	})
}

// TestAddressesThatAreRefused asks for addresses to which the server must not connect: no
// connection is made. Each stands for a way past a guard.
func TestAddressesThatAreRefused(t *testing.T) {
	t.Parallel()
	private := newStranger(t)
	private.page("/", "", "<title>private</title>")
	port := private.address().Port()
	f := newFetcher("", nil)
	for _, address := range []string{
		private.URL,
		fmt.Sprintf("http://localhost:%d/", port),
		fmt.Sprintf("http://[::ffff:127.0.0.1]:%d/", port),
		fmt.Sprintf("http://0.0.0.0:%d/", port),
		"http://127.0.0.1/", "https://127.0.0.1/", "http://127.8.9.1/", "http://0.0.0.0/", "http://10.1.2.3/", "http://172.16.0.1/",
		"http://192.168.1.1/", "http://100.64.0.1/", "http://169.254.169.254/latest/meta-data/", "http://224.0.0.1/", "http://255.255.255.255/",
		"http://198.18.0.1/", "http://192.0.2.1/", "http://localhost/",
		"http://[::]/", "http://[::1]/", "http://[fe80::1]/", "http://[fe80::1%25lo]/", "http://[fc00::1]/", "http://[ff02::1]/", "http://[fec0::1]/",
		"http://[::ffff:10.0.0.1]/", "http://[::7f00:1]/", "http://[64:ff9b::7f00:1]/", "http://[64:ff9b:1::1]/", "http://[2002:7f00:1::]/",
		"http://[2001::1]/", "http://[2001:db8::1]/", "http://[fd00:ec2::254]/",
		"http://93.184.216.34:22/", "http://93.184.216.34:8080/", "https://[2606:2800:220:1::1]:6379/",
		"http://user:secret@93.184.216.34/", "http://user@93.184.216.34/",
		"ftp://93.184.216.34/", "file:///etc/passwd", "gopher://127.0.0.1:25/", "data:text/html,<title>x</title>", "http://", "//93.184.216.34/",
	} {
		if _, err := f.page(t.Context(), address); !errors.Is(err, errRefused) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if n := private.asked.Load(); n > 0 {
		t.Errorf("the private server was asked %d times", n)
	}
}

// TestHostilePages reads pages made to do harm, and pages that are only odd.
func TestHostilePages(t *testing.T) {
	t.Parallel()
	s, private := newStranger(t), newStranger(t)
	private.page("/", "", "<title>private</title>")
	f := newFetcher("https://amstel.example", []netip.AddrPort{s.address()})
	var over sync.WaitGroup
	forever := func(write func() error) {
		over.Add(1)
		defer over.Done()
		for write() == nil {
		}
	}
	s.page("/empty", "", "")
	s.page("/untitled", "", `<meta property="og:image" content="/x.png"><title> &#8203;&shy; </title>`)
	s.page("/text", "text/plain", "<title>no page</title>")
	s.page("/typeless", "/", "<title>no page</title>")
	s.page("/long", "text/html", "<title>"+strings.Repeat("ы ", 1<<18)+"</title>")
	s.page("/broken", "text/html; charset=utf-8", "<title>a\xff\xfeb\x00c\u202ed</title>")
	s.page("/cyrillic", "text/html", "<meta charset=windows-1251><title>\xcf\xf0\xe8\xe2\xe5\xf2</title>")
	s.page("/cyrillic-by-header", "text/html; charset=koi8-r", "<title>\xf0\xd2\xc9\xd7\xc5\xd4</title>")
	s.page("/unknown-encoding", "text/html; charset=klingon", "<title>Qapla</title>")
	s.page("/markup", "", `<title>&lt;script&gt;alert(1)&lt;/script&gt;</title><meta property=og:image content="javascript:alert(1)">`)
	s.page("/whole", "", `<!doctype html><html><head><title>Element</title>
		<meta name="twitter:title" content="Twitter"><meta property="og:title" content=" Open
		Graph "><meta property="og:title" content="a second">
		<meta property="og:site_name" content="Pages"><meta name="description" content="About it">
		<meta property="og:image" content="/x.png?a=1&amp;b=2"></head><body><meta property="og:site_name" content="of the body"></body>`)
	s.page("/late", "", "<title>first</title><body><meta property=og:title content=late>")
	s.leads("/to-private", private.URL)
	s.leads("/to-local-name", fmt.Sprintf("http://localhost:%d/", private.address().Port()))
	s.leads("/to-password", strings.Replace(s.URL, "//", "//user:secret@", 1)+"/whole")
	s.leads("/to-file", "file:///etc/passwd")
	s.leads("/to-itself", "/to-itself")
	s.leads("/to-nowhere", "http://a%zz/")
	s.leads("/once", "/shown")
	s.HandleFunc("/shown", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%s|%s|%s|%s</title>", r.UserAgent(), r.Header.Get("Cookie"), r.Referer(), r.Header.Get("Authorization"))
	})
	s.HandleFunc("/endless", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>endless</title>")
		line := strings.Repeat("<meta name=x content=y>", 1000)
		forever(func() error { _, err := io.WriteString(w, line); return err })
	})
	s.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w)
		io.WriteString(packed, "<title>bomb</title><!--")
		zeros := make([]byte, 1<<20)
		forever(func() error { _, err := packed.Write(zeros); return err })
	})
	s.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s.HandleFunc("/drip", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>dr")
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	s.HandleFunc("/headers", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-Long", strings.Repeat("x", 1<<20)) })
	s.HandleFunc("/broken-off", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	s.HandleFunc("/teapot", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	s.HandleFunc("/overloaded", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })

	later := errors.New("any error after which another try may help")
	for path, tt := range map[string]struct {
		want said
		err  error
	}{
		"/empty": {err: errNothing}, "/untitled": {err: errNothing}, "/text": {err: errNothing}, "/typeless": {err: errNothing}, "/absent": {err: errNothing},
		"/long":               {want: said{title: strings.Repeat("ы ", 99) + "ы…"}},
		"/broken":             {want: said{title: "abcd"}},
		"/cyrillic":           {want: said{title: "Привет"}},
		"/cyrillic-by-header": {want: said{title: "Привет"}},
		"/unknown-encoding":   {want: said{title: "Qapla"}},
		"/markup":             {want: said{title: "<script>alert(1)</script>", picture: "javascript:alert(1)"}},
		"/whole":              {want: said{title: "Open Graph", site: "Pages", about: "About it", picture: s.URL + "/x.png?a=1&b=2"}},
		"/late":               {want: said{title: "first"}},
		"/to-private":         {err: errRefused}, "/to-local-name": {err: errRefused}, "/to-password": {err: errRefused}, "/to-file": {err: errRefused},
		"/to-itself": {err: errNothing}, "/to-nowhere": {err: errNothing},
		"/once":    {want: said{title: "Amstel (link previews; https://amstel.example)|||"}},
		"/endless": {want: said{title: "endless"}},
		"/bomb":    {want: said{title: "bomb"}},
		"/slow":    {err: later}, "/drip": {err: later}, "/headers": {err: later}, "/broken-off": {err: later},
		"/teapot": {err: errNothing}, "/overloaded": {err: later},
	} {
		t.Run(path[1:], func(t *testing.T) {
			ctx := t.Context()
			if path == "/slow" || path == "/drip" {
				// The limit replaces that of every fetch, which is longer.
				short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
				defer cancel()
				ctx = short
			}
			got, err := f.page(ctx, s.URL+path)
			switch {
			case errors.Is(tt.err, later):
				if err == nil || errors.Is(err, errNothing) {
					t.Errorf("%v, %v; want an error after which there is another try", got, err)
				}
			case tt.err != nil:
				if !errors.Is(err, tt.err) {
					t.Errorf("%v, %v; want %v", got, err, tt.err)
				}
			case err != nil:
				t.Error(err)
			default:
				if tt.want.site == "" {
					tt.want.site = "127.0.0.1"
				}
				if diff := cmp.Diff(&tt.want, got, cmp.AllowUnexported(said{})); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
	if n := private.asked.Load(); n > 0 {
		t.Errorf("the private server was asked %d times", n)
	}
	over.Wait() // the endless answers were cut off
}

// TestOneRequestToAHostAtATime fetches many pages of one host at once, under addresses that lead
// to it.
func TestOneRequestToAHostAtATime(t *testing.T) {
	t.Parallel()
	s, short := newStranger(t), newStranger(t)
	f := newFetcher("", []netip.AddrPort{s.address(), short.address()})
	var at atomic.Int64
	s.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		if n := at.Add(1); n > 1 {
			t.Errorf("%d requests at a time", n)
		}
		defer at.Add(-1)
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>page</title>"+strings.Repeat(" ", 1<<16))
	})
	short.leads("/", s.URL)
	var all sync.WaitGroup
	for range 20 {
		for _, address := range []string{s.URL, short.URL} {
			all.Go(func() {
				if _, err := f.page(t.Context(), address); err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
}

// FuzzParse: no page breaks the parser. The kept fields are short and valid, each on one line.
func FuzzParse(f *testing.F) {
	for _, page := range []string{"<title>a", "<meta property=og:title content='a\u202eb'><meta charset=utf-16>", "\xff\xfe<\x00", "<svg><title>x</title></svg><body>"} {
		f.Add("text/html", page)
	}
	at := &url.URL{Scheme: "https", Host: "pages.example"}
	f.Fuzz(func(t *testing.T, contentType, page string) {
		s, err := parse(at, contentType, strings.NewReader(page))
		if err != nil {
			return
		}
		for _, line := range []string{s.title, s.site, s.about} {
			if text.OneLine(line, mostAbout) != line || len([]rune(line)) > mostAbout {
				t.Errorf("%q is not a line that can be shown", line)
			}
		}
		if s.title == "" || s.site == "" {
			t.Errorf("a page without a title or a site: %+v", s)
		}
	})
}
