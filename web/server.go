package web

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/web/catalogue"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/httprate"

	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/internal/turnstile"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/discover"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/page"
	"amstel.dev/amstel/web/quota"
)

// Config is the parts and settings of a Server. Store, Rivers and URL are required.
type Config struct {
	Store  *timeline.Store
	Rivers Rivers
	// Live answers the sockets of open pages, and Changes the polls of clients that can't
	// have a socket; nil: the path does not exist.
	Live, Changes http.Handler
	// Faye answers Mokum's realtime protocol; see [Server.Listen].
	Faye http.Handler
	// Language is used for readers with an unknown language.
	Language catalogue.Language
	// URL is the public address, scheme and host.
	URL string
	// TrustProxy has the addresses of proxies that may set X-Forwarded-For.
	TrustProxy []netip.Prefix
	// Log receives errors and slow requests; nil: nothing is logged.
	Log *slog.Logger
	// LogRequests logs every request, without its account or address.
	LogRequests bool
	// Observer counts requests and failures; nil: nothing is counted.
	Observer Observer
	// Metrics answers GET /metrics if MayMeasure returns true for the request; otherwise,
	// and with nil, the path answers 404.
	Metrics    http.Handler
	MayMeasure func(*http.Request) bool
	// Status returns what the status page shows of the node; nil: the page shows only the
	// age of pages. Status is called at most once a second.
	Status func() NodeStatus
	// Trouble returns the fault of the node, whether or not the node can serve. If Trouble is
	// nil, there is never a fault.
	Trouble func() page.Trouble
	// Build names this build of the program. A browser's copy of a page by another build
	// is not confirmed as current, but sent anew.
	Build string
	// WritesPerMinute is the most writes of one account, or of one network without an account;
	// 0: 600.
	WritesPerMinute int
	// Files keeps uploaded files; nil: nothing can be uploaded.
	Files Files
	// Intakes adds feeds of other sites; nil: none can be added.
	Intakes Intakes
	// Mails returns the newest mails, on a site without a public address that keeps them in a folder; nil: no page shows mails.
	Mails func() ([]page.SentMail, error)
	// PushKey returns the key with which browsers ask for pushes of the site; nil: the site sends no pushes.
	PushKey func(context.Context) (string, error)
	// Visited is called when a person opens their home; it may be nil.
	Visited func(timeline.UserID)
	// BodyLimit is the greatest size of a request's body in bytes, except of an upload; 0:
	// 256 KiB.
	BodyLimit int64
	// HotBytes bounds the cache of rendered pages, and the cache of
	// entries as pages have them, each in bytes; compressed entries may take a quarter more. 0: 64 MiB.
	HotBytes int
	// BehindAfter is the age of the node's state from which pages tell their readers that they may
	// be old; 0: 2 s.
	BehindAfter time.Duration
	// Now returns the current time; nil: [time.Now].
	Now func() time.Time
}

// A Server serves the site over HTTP. [New] makes one.
type Server struct {
	store    *timeline.Store
	discover *discover.Store
	rivers   Rivers
	log      *slog.Logger
	now      func() time.Time
	config   Config

	public       string // the public address, without a slash at its end
	host         string // its host, with the port if the URL has one
	secure       bool   // the public address is https
	cookie       string // the session cookie's name
	origin       *http.CrossOriginProtection
	writes       *httprate.RateLimiter
	pictures     *httprate.RateLimiter // uploads of avatars and covers
	emails       *httprate.RateLimiter // changes of e-mail addresses
	people       *identities
	addresses    *address.Resolver
	counts       *counts
	joinedGroups *joinedGroups
	groupAdmins  *groupAdmins
	exclusions   *exclusions
	devices      *devices
	leftOffs     *leftOffs
	quotas       *quota.Counter
	hot          hotPages
	fragments    fragments
	packer       *packer
	feedTimes    feedTimes
	lists        *turnstile.Turnstile
	began        atomic.Bool // the node has read the primary
	stopping     atomic.Bool
	status       statuses
	routes       chi.Router

	peopleStandings, groupStandings *standings
}

// ServeHTTP responds to a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.routes.ServeHTTP(w, r) }

// Routes returns the routes of the site, with which tests compare the OpenAPI document.
func (s *Server) Routes() chi.Routes { return s.routes }

// Addresses returns the resolver of page addresses, which package realtime uses too.
func (s *Server) Addresses() *address.Resolver { return s.addresses }

// behind reports whether pages should show that they may be old.
func (s *Server) behind() bool { return s.rivers.Age() > s.config.BehindAfter }

// SaveLeftOff writes to the primary how far viewers have seen their pages, each page at
// most once a minute. The node calls SaveLeftOff every few seconds.
func (s *Server) SaveLeftOff(ctx context.Context) error { return s.leftOffs.save(ctx, false) }

// Close writes what SaveLeftOff and SaveQuotas have not written yet. Call Close after the last request.
func (s *Server) Close(ctx context.Context) error {
	return errors.Join(s.leftOffs.save(ctx, true), s.SaveQuotas(ctx))
}

// Files receives uploads and has the files of attachments; the Keeper of package
// internal/attachment implements it.
type Files interface {
	// Limits returns what may be uploaded; no limit is zero.
	Limits() timeline.AttachmentLimits
	// Receive stores an upload and queues it. Its errors are those of
	// [timeline.Store.ReserveAttachment]. It returns a [timeline.QuotaError], too, for a file
	// that turns out to be too large.
	Receive(context.Context, timeline.UserID, timeline.NewAttachment, io.Reader) (timeline.AttachmentID, error)
	// Open opens a file for reading, until its context ends.
	Open(context.Context, timeline.FileName) (io.ReadSeekCloser, error)
	// KeepPicture cuts an avatar or a cover out of an upload, stores its files, and calls set to
	// make a row name them. A [picture.Refusal] is the upload's fault; other errors are not.
	KeepPicture(ctx context.Context, role timeline.PictureRole, upload io.Reader, crop picture.Crop, set func(timeline.PictureFiles, timeline.Kept) error) error
}

// Rivers are the rivers of a node, from which pages are read; [river.Node] implements the interface.
type Rivers interface {
	// Visit returns a page of a river, and builds the river or keeps it alive.
	Visit(context.Context, river.Key, river.At) (*river.View, error)
	// CacheKey returns the key of the page that a Visit would return, and the viewer's sets, if the node knows them
	// without a visit. It counts as a visit.
	CacheKey(river.Key, river.At) (key river.CacheKey, sets *timeline.Sets, ok bool)
	// Since counts the entries of a living river above a cursor.
	Since(river.Key, timeline.Cursor) (news river.News, ok bool)
	// EntryAfterWrite returns the river's state after a write, with only the entry of one
	// post.
	EntryAfterWrite(context.Context, river.Key, timeline.PostID) (*river.View, error)
	// EntryFromMemory returns the state of a post's own page after the last turn, with its entry; nil if the node does not
	// hold enough of the post and the viewer. With folded, comments in the middle may be missing.
	EntryFromMemory(viewer timeline.UserID, post timeline.PostID, folded bool) *river.View
	// WaitApplied waits until pages show everything that was committed before the call. The
	// error is [river.ErrBehind] if the node falls behind meanwhile.
	WaitApplied(context.Context) error
	// WaitRevoked waits, however long, until no page shows posts that a committed change took
	// away from its viewer.
	WaitRevoked()
	// Quarantine leaves a post out of all rivers from the next turn on.
	Quarantine(post timeline.PostID, why any)
	// Age returns the time since the node had the state of the primary.
	Age() time.Duration
	// Position returns that state's position in the change log.
	Position() int64
	// WaitPosition waits a little until the node has followed the log up to a position.
	WaitPosition(ctx context.Context, position int64) error
	// Site returns the settings of the site that the node follows.
	Site() timeline.SiteSettings
	// Name returns the uuid by which the owner of a credential knows a river, Named returns the
	// river with such a uuid, and Holder returns the part of the owner's credential that the uuid
	// has room for.
	Name(key river.Key, credential []byte) string
	Named(uuid string, viewer timeline.UserID, credential []byte) (river.Key, bool)
	Holder(uuid string) (river.Holder, bool)
}
