package timeline

import (
	"context"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// A ShareDraft is the draft of a post that the share button of another site sends: the address and
// the title of a page, and parts of the page.
type ShareDraft struct {
	URL, Title, Quote string
	Pictures          []string // addresses of pictures
	Media             []string // addresses of video, sound and frames
}

// The limits of a draft. A longer text is cut, and further addresses are left out. A draft is
// refused if the address of the page is too long.
const (
	draftURL   = 1500 // bytes, of each address
	draftTitle = 300  // characters
	draftQuote = 2500 // characters
	draftLinks = 20   // addresses in each list
	draftLasts = time.Hour
)

// draftsCounted is the beginning of the keys under which drafts are counted.
const draftsCounted = "share draft"

// The bounds of drafts, which strangers may make. All drafts together take some megabytes at most.
var (
	boundDraft     = bound{20, 2 * time.Minute}  // from a network
	boundDraftWide = bound{60, 30 * time.Second} // from an IPv6 /48
	boundDrafts    = bound{2000, time.Second}    // from everywhere
)

// Clean returns the draft cut to its limits. Addresses of pictures and media may be relative to the
// page; Clean drops those that are no web addresses. It returns an [InvalidError] if the draft is
// empty, or if the address of the page is given and is not a web address.
func (d ShareDraft) Clean() (ShareDraft, error) {
	d.Title = text.Cut(strings.Join(strings.FieldsFunc(d.Title, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }), " "), draftTitle)
	d.Quote = text.Cut(strings.TrimSpace(strings.ReplaceAll(d.Quote, "\r\n", "\n")), draftQuote)
	var base *url.URL
	if d.URL = strings.TrimSpace(d.URL); d.URL != "" {
		if base = onWeb(nil, d.URL); base == nil {
			return d, &InvalidError{Field: "u", Reason: "is not the address of a web page", Code: "address"}
		}
	} else if d.Title == "" && d.Quote == "" {
		return d, &InvalidError{Field: "u", Reason: "is empty", Code: "empty"}
	}
	d.Pictures, d.Media = cleanLinks(base, d.Pictures), cleanLinks(base, d.Media)
	return d, nil
}

// onWeb resolves an address relative to a page. It returns nil if the result is no web address,
// or too long to store.
func onWeb(base *url.URL, address string) *url.URL {
	if len(address) > draftURL || strings.ContainsFunc(address, unicode.IsSpace) {
		return nil
	}
	at, err := url.Parse(address)
	if err == nil && base != nil {
		at = base.ResolveReference(at)
	}
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" || at.User != nil || len(at.String()) > draftURL {
		return nil
	}
	return at
}

// inCSS is the form of an address in a style sheet, url("ADDRESS").
var inCSS = regexp.MustCompile(`^url\(\s*["']?(.*?)["']?\s*\)$`)

// cleanLinks returns the web addresses of a list, each once. Relative addresses are resolved by the
// address of the page, base.
func cleanLinks(base *url.URL, list []string) []string {
	links := []string{}
	for _, item := range list {
		item = widest(strings.TrimSpace(item))
		if css := inCSS.FindStringSubmatch(item); css != nil {
			item = css[1]
		}
		at := onWeb(base, item)
		if item == "" || at == nil {
			continue
		}
		if onWeb(nil, item) == nil { // relative
			item = at.String()
		}
		if !slices.Contains(links, item) {
			links = append(links, item)
		}
		if len(links) == draftLinks {
			break
		}
	}
	return links
}

// widest returns the address of the largest picture of a srcset attribute: "b.jpg" of
// "a.jpg 300w, b.jpg 600w". It returns any other text unchanged.
func widest(set string) string {
	var found string
	var most float64
	for part := range strings.SplitSeq(set, ", ") {
		fields := strings.Fields(part)
		if len(fields) == 0 || len(fields) > 2 {
			return set
		}
		size := 1.0
		if len(fields) == 2 {
			var err error
			if size, err = strconv.ParseFloat(strings.TrimRight(fields[1], "wxh,"), 64); err != nil {
				return set
			}
		}
		if size > most {
			found, most = strings.TrimRight(fields[0], ","), size
		}
	}
	return found
}

// KeepShareDraft stores a draft, which [ShareDraft.Clean] returned, for an hour, and returns the
// secret that opens the draft. Only a hash of the secret is stored. It returns [ErrThrottled] if
// the client, or all clients together, stored too many drafts lately.
func (s *Store) KeepShareDraft(ctx context.Context, c Client, d ShareDraft) (secret string, err error) {
	defer primary.Wrap(&err, "keep a share draft")
	const query = `
		insert into share_drafts (secret_hash, url, title, quote, pictures, media, expires_at) values ($1, $2, $3, $4, $5, $6, $7)`
	secret = newSecret()
	err = s.write(ctx, func(tx *txn) error {
		limits := attempt{{draftsCounted, boundDrafts}, {draftsCounted + ":" + c.Network.String(), boundDraft}}
		if wide, ok := c.wide(); ok {
			limits = append(limits, limit{draftsCounted + ":" + wide.String(), boundDraftWide})
		}
		if refused, err := s.count(ctx, tx, limits); err != nil || refused {
			return throttledIf(refused, err)
		}
		_, err := tx.Exec(ctx, query, digest(secret), d.URL, d.Title, d.Quote, d.Pictures, d.Media, s.db.Now().Add(draftLasts))
		if err != nil {
			return err
		}
		return s.dropOver(ctx, tx)
	})
	return secret, err
}

// ShareDraft returns the draft of a secret. It returns [ErrNotFound] if the secret is unknown or
// expired.
func (s *Store) ShareDraft(ctx context.Context, secret string) (d ShareDraft, err error) {
	defer primary.Wrap(&err, "share draft")
	const query = `select url, title, quote, pictures, media from share_drafts where secret_hash = $1 and expires_at > $2`
	err = s.db.Pool.QueryRow(ctx, query, digest(secret), s.db.Now()).Scan(&d.URL, &d.Title, &d.Quote, &d.Pictures, &d.Media)
	if errors.Is(err, pgx.ErrNoRows) {
		return d, ErrNotFound
	}
	return d, err
}
