// Package push sends the pushes that the store has queued: notices that pop up on the devices of a person. It writes each in the language
// of its reader at the moment when it is sent, encrypts it for the browser, and passes it to the push service of the browser's maker.
//
// A row of the queue has no text, so a push shows nothing that its reader may not see any more. A process may die at any point: when its
// lease is over, another one sends the push. A push that the service had taken before is sent again with the same topic and the
// same tag: the service keeps one message of a topic, and the browser shows one notification of a tag.
//
// The address of a push service comes from the browser, so a person can choose it. The package trusts it no more than package fetch trusts
// servers: it connects to public addresses only, follows no redirects, and bounds bytes and time.
package push

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/internal/fetch"
	"amstel.dev/amstel/internal/workers"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// Options are the settings of a Worker. A zero means the default.
type Options struct {
	URL      string             // the public address of the site
	Language catalogue.Language // for people who chose none
	Workers  int                // how many pushes are sent at the same time; 4
	Log      *slog.Logger       // nil: nothing is logged
	Now      func() time.Time   // nil: the clock of the machine
	// Write returns a notice in words, in the language of its reader.
	Write func(words catalogue.Language, p *timeline.NoticePage) Message
	// Done is called with the outcome of each push: "sent", "later" for a push that is tried again, "failed" for one that was given up,
	// "dropped" for one that must not be sent any more, or "gone" if the browser takes no more pushes. It may be nil.
	Done func(outcome string)
	// Reached is called with the name of each point that the work reaches, so that a test can kill the process there. It
	// may be nil.
	Reached func(point string)
	// Permit are addresses beside the public ones to which the worker may connect, and Roots the authorities of their certificates: of
	// servers of tests.
	Permit []netip.AddrPort
	Roots  *x509.CertPool
}

// A Message is what the service worker of the site shows.
type Message struct {
	Title    string `json:"title"`
	Body     string `json:"body"`
	Path     string `json:"path"` // of the page that the notice is about
	Language string `json:"lang"`
	Tag      string `json:"tag"` // a notification replaces an earlier one with the same tag
}

// The points at which [Options.Reached] is called. At each of them a process that dies leaves a push half done.
const (
	pointTaken = "push: taken" // a worker has taken a push from the queue
	pointSent  = "push: sent"  // the push service has the push, and the queue has it too
	pointNoted = "push: noted" // the queue does not have it any more
)

// The outcomes of a push; see [Options].
const (
	outcomeSent    = "sent"
	outcomeLater   = "later"
	outcomeFailed  = "failed"
	outcomeDropped = "dropped"
	outcomeGone    = "gone"
)

const (
	leaseFor   = 2 * time.Minute  // how long a worker may take for a push before another does
	sendWithin = 10 * time.Second // the time for one push to be passed on
	noteWithin = 5 * time.Second  // the time for the note of what became of a push
	firstWait  = 30 * time.Second // until the second try
	longestGap = 2 * time.Hour    // between two tries
	givenUp    = 12 * time.Hour   // after the push was queued, it is not tried again
	keptFor    = 24 * time.Hour   // how long the push service keeps the push for a browser that is away
	mostAnswer = 1 << 10          // how many bytes of an answer are read, for the log
)

// A Worker works off the queue of pushes. Many processes may have one each.
type Worker struct {
	store  *timeline.Store
	client *http.Client
	opts   Options
	key    atomic.Pointer[ecdsa.PrivateKey] // nil: not read yet
}

// New returns a worker.
func New(store *timeline.Store, opts Options) *Worker {
	opts.Workers = cmp.Or(opts.Workers, 4)
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Done == nil {
		opts.Done = func(string) {}
	}
	if opts.Reached == nil {
		opts.Reached = func(string) {}
	}
	client := &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{ // without a Proxy, also of the environment
			DialContext:            fetch.Dialer(opts.Permit).DialContext,
			TLSClientConfig:        &tls.Config{RootCAs: opts.Roots},
			ForceAttemptHTTP2:      true,
			IdleConnTimeout:        time.Minute,
			MaxIdleConns:           8,
			MaxConnsPerHost:        opts.Workers,
			MaxResponseHeaderBytes: 64 << 10,
		},
	}
	return &Worker{store: store, client: client, opts: opts}
}

// Run works off the queue until the context ends. It looks at the queue when a push is done, and on each tick.
func (w *Worker) Run(ctx context.Context, tick <-chan time.Time) {
	defer w.client.CloseIdleConnections()
	workers.Run(ctx, w.opts.Workers, nil, tick, func() func() {
		lease, err := w.store.TakePush(ctx, leaseFor)
		if err != nil && ctx.Err() == nil {
			w.opts.Log.Error("no push was taken from the queue", "err", err)
		}
		if err != nil || lease == nil {
			return nil
		}
		return func() {
			// A push that is under way when the process stops is passed on.
			if err := w.send(context.WithoutCancel(ctx), *lease); err != nil {
				w.opts.Log.Warn("a push was not sent", "push", lease.ID, "take", lease.Take, "err", err)
			}
		}
	})
}

// Work takes one push from the queue and sends it. It reports whether one was due.
func (w *Worker) Work(ctx context.Context) (more bool, err error) {
	lease, err := w.store.TakePush(ctx, leaseFor)
	if err != nil || lease == nil {
		return false, err
	}
	return true, w.send(ctx, *lease)
}

// send writes a push, passes it to its push service, and notes the outcome.
func (w *Worker) send(ctx context.Context, lease timeline.PushLease) error {
	w.opts.Reached(pointTaken)
	sending, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	p, err := w.store.NoticeToPush(sending, lease)
	if err == nil {
		err = w.pass(sending, lease, p)
	}
	noting, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteWithin)
	defer cancel()
	refused, is := errors.AsType[*refusedError](err)
	switch {
	case errors.Is(err, timeline.ErrNotFound):
		w.opts.Done(outcomeDropped)
		return w.store.DropPush(noting, lease)
	case is && refused.gone(), errors.Is(err, fetch.ErrRefused):
		w.opts.Done(outcomeGone)
		return errors.Join(err, w.store.DropPushReceiver(noting, lease))
	case err != nil:
		return errors.Join(err, w.postpone(noting, lease, refused))
	}
	w.opts.Reached(pointSent)
	w.opts.Done(outcomeSent)
	err = w.store.FinishPush(noting, lease)
	w.opts.Reached(pointNoted)
	return err
}

// postpone notes that a push was not sent, and when it is tried again. refused is the answer of the push service; nil: there was none.
func (w *Worker) postpone(ctx context.Context, lease timeline.PushLease, refused *refusedError) error {
	wait := min(firstWait<<min(2*(lease.Take-1), 16), longestGap) // 30 seconds, 2 minutes, 8 minutes, and so on
	if refused != nil {
		wait = max(wait, refused.after)
	}
	if refused != nil && refused.forGood() || w.opts.Now().Add(wait).Sub(lease.CreatedAt) > givenUp {
		w.opts.Done(outcomeFailed)
		return w.store.GiveUpPush(ctx, lease)
	}
	w.opts.Done(outcomeLater)
	return w.store.PostponePush(ctx, lease, wait)
}

// A refusedError is the answer of a push service that did not take a push.
type refusedError struct {
	status int
	said   string
	after  time.Duration // how long the service asks to wait; 0: it does not ask
}

func (e *refusedError) Error() string {
	return fmt.Sprintf("the push service answers %d: %q", e.status, e.said)
}

// gone reports whether the browser takes no more pushes at the endpoint (RFC 8030, 7.3).
func (e *refusedError) gone() bool {
	return e.status == http.StatusNotFound || e.status == http.StatusGone
}

// forGood reports whether another try would have the same answer.
func (e *refusedError) forGood() bool {
	return e.status < 500 && e.status != http.StatusTooManyRequests && e.status != http.StatusRequestTimeout
}

// pass passes a notice to the push service. The error is a refusedError if the service does not take it.
func (w *Worker) pass(ctx context.Context, lease timeline.PushLease, p *timeline.NoticePage) error {
	words, known := catalogue.Find(lease.Language)
	if !known {
		words = w.opts.Language
	}
	message := w.opts.Write(words, p)
	// The ids of notices tell how many there are, so the push service does not get them.
	name := sha256.Sum256(fmt.Appendf(nil, "%s %d", lease.Auth, lease.Notice))
	topic := base64.RawURLEncoding.EncodeToString(name[:24]) // at most 32 characters (RFC 8030, 5.4)
	message.Language, message.Tag = words.Code(), topic
	body, err := w.seal(message, lease)
	if err != nil {
		return err
	}
	header, err := w.authorization(ctx, lease.Endpoint)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, lease.Endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", header)
	r.Header.Set("Content-Encoding", "aes128gcm")
	r.Header.Set("Content-Type", "application/octet-stream")
	r.Header.Set("TTL", strconv.Itoa(int(keptFor/time.Second)))
	r.Header.Set("Topic", topic)
	r.Header.Set("Urgency", "normal")
	answer, err := w.client.Do(r)
	if wrong, is := errors.AsType[*url.Error](err); is {
		return wrong.Err // without the endpoint, which is a secret of the browser
	}
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(answer.Body, mostAnswer)) // for the log only
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return &refusedError{answer.StatusCode, strings.ToValidUTF8(string(said), "?"), fetch.RetryAfter(answer.Header)}
	}
	return nil
}

// seal encrypts a message for the browser of a push.
func (w *Worker) seal(m Message, lease timeline.PushLease) ([]byte, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	own, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails
	return seal(text, lease.PublicKey, lease.Auth, own, salt, sealedSize)
}

// PublicKey returns the key with which browsers ask for pushes of the site.
func (w *Worker) PublicKey(ctx context.Context) (string, error) {
	key, err := w.signingKey(ctx)
	if err != nil {
		return "", err
	}
	return publicKey(key)
}

// signingKey returns the private key of the site.
func (w *Worker) signingKey(ctx context.Context) (*ecdsa.PrivateKey, error) {
	if key := w.key.Load(); key != nil {
		return key, nil
	}
	key, err := w.store.PushKey(ctx)
	if err == nil {
		w.key.Store(key)
	}
	return key, err
}

// authorization returns the header by which the push service of an endpoint recognises the site.
func (w *Worker) authorization(ctx context.Context, endpoint string) (string, error) {
	key, err := w.signingKey(ctx)
	if err != nil {
		return "", err
	}
	at, err := url.Parse(endpoint)
	if err != nil {
		return "", err
	}
	return authorization(key, at.Scheme+"://"+at.Host, subject(w.opts.URL), w.opts.Now())
}

// subject returns the address of the site as push services take it: an https address, or one of mail.
func subject(site string) string {
	if strings.HasPrefix(site, "https:") {
		return site
	}
	if at, err := url.Parse(site); err == nil { // a site on this machine
		return "mailto:postmaster@" + at.Hostname()
	}
	return ""
}
