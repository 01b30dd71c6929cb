package timeline

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/alexedwards/argon2id"
)

// A vault makes and compares password hashes. Each costs a core for tens of
// milliseconds, and strangers can ask for any number, so there is one at a time for
// each two cores, and the lines of those who wait are short: members, and devices
// that signed in before, and behind them strangers. A slot that a stranger used
// rests for strangers, see restFor.
type vault struct {
	params *argon2id.Params
	// decoy is a hash that no password has. It is compared where there is no hash, so
	// that an unknown name costs what a known one does.
	decoy string

	mu      sync.Mutex
	free    int        // slots that are not in use
	open    int        // slots that strangers do not use and that do not rest
	waiting [2][]*seat // members, strangers
	held    [2]int     // places of each line, with those whose turn it is
	by      map[string]int
}

const (
	lineMost = 16 // places in a line
	// eachMost is how many places one client, or one member, has. A client is a
	// network, and the people of one house or office sign in at the same moment.
	eachMost = 4
	// restFor is how many times as long as a stranger's hash took its slot rests for
	// strangers: guesses without end keep a core busy for a quarter of the time.
	restFor = 3
)

// A line says where a client waits, among members or among strangers, and its name.
type line struct {
	member bool
	who    string // empty: the client's places are not counted
}

func lineOfMember(user UserID) line { return line{true, fmt.Sprintf("user %d", user)} }

func (l line) index() int {
	if l.member {
		return 0
	}
	return 1
}

// A seat is one in a line, first to wait on and then to hash on. It must be left.
type seat struct {
	*vault
	line
	turn   chan struct{} // closed when it is this place's turn
	seated bool
	left   bool
	took   time.Duration // by its hashes
}

func newVault(params *argon2id.Params) *vault {
	if params == nil {
		// One of the equivalent choices of OWASP's Password Storage Cheat Sheet. The
		// choices with more memory make the garbage collector run at each guess, and
		// more threads would keep more cores from members.
		params = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}
	}
	slots := max(1, runtime.GOMAXPROCS(0)/2)
	return &vault{params: params, decoy: newDecoy(params), free: slots, open: slots, by: make(map[string]int)}
}

// newDecoy makes a hash as argon2id writes them, of random bytes.
func newDecoy(p *argon2id.Params) string {
	salt, key := make([]byte, p.SaltLength), make([]byte, p.KeyLength)
	_, _ = rand.Read(salt) // never fails
	_, _ = rand.Read(key)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", 19, p.Memory, p.Iterations, p.Parallelism,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// stand takes a place in a line, or returns ErrSignInBusy at once where the line is
// full, or has enough places of the same client or member.
func (v *vault) stand(l line) (*seat, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.held[l.index()] >= lineMost || l.who != "" && v.by[l.who] >= eachMost {
		return nil, ErrSignInBusy
	}
	v.held[l.index()]++
	v.by[l.who]++
	return &seat{vault: v, line: l, turn: make(chan struct{})}, nil
}

// wait waits until it is the place's turn.
func (p *seat) wait(ctx context.Context) error {
	p.mu.Lock()
	if !p.seated {
		p.waiting[p.index()] = append(p.waiting[p.index()], p)
		p.admit()
	}
	p.mu.Unlock()
	select {
	case <-p.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err() // leave gives the turn on, should it come
	}
}

// admit gives free slots to those who wait, members first. The caller holds the
// lock.
func (v *vault) admit() {
	for i := range v.waiting {
		for len(v.waiting[i]) > 0 && v.free > 0 {
			next := v.waiting[i][0]
			if !next.member {
				if v.open == 0 {
					break
				}
				v.open--
			}
			v.free--
			v.waiting[i] = v.waiting[i][1:]
			next.seated = true
			close(next.turn)
		}
	}
}

// leave leaves the line, and has the next one's turn come. It may be called more
// than once.
func (p *seat) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left {
		return
	}
	p.left = true
	p.held[p.index()]--
	if p.by[p.who]--; p.by[p.who] == 0 {
		delete(p.by, p.who)
	}
	if !p.seated {
		p.waiting[p.index()] = slices.DeleteFunc(p.waiting[p.index()], func(o *seat) bool { return o == p })
		return
	}
	p.free++
	switch rest := restFor * p.took; {
	case p.member:
	case rest == 0:
		p.open++
	default:
		time.AfterFunc(rest, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.open++
			p.admit()
		})
	}
	p.admit()
}

// hashed notes the end of a hash.
func (p *seat) hashed(began time.Time) { p.took += time.Since(began) }

// hash makes the hash of a password, when it is the place's turn.
func (p *seat) hash(ctx context.Context, password string) (string, error) {
	if err := p.wait(ctx); err != nil {
		return "", err
	}
	defer p.hashed(time.Now())
	hash, err := argon2id.CreateHash(password, p.params)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return hash, nil
}

// matches reports whether a hash is that of the password, when it is the place's
// turn. No hash matches nothing, at the same cost.
func (p *seat) matches(ctx context.Context, password, hash string) (bool, error) {
	if err := p.wait(ctx); err != nil {
		return false, err
	}
	known := hash != ""
	if !known {
		hash = p.decoy
	}
	defer p.hashed(time.Now())
	same, err := argon2id.ComparePasswordAndHash(password, hash)
	if err != nil {
		return false, fmt.Errorf("compare password: %w", err)
	}
	return same && known, nil
}
