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

// A vault makes and compares password hashes. A hash takes a core for tens of milliseconds, and
// strangers can ask for any number of hashes. So hashes are computed in slots, one slot for every
// two cores, and clients wait for slots in two short lines: members, and devices that have signed
// in before, in the first; strangers in the second. After a stranger's hash the slot is closed to
// strangers for some time; see restFor.
//
// Example with one slot: a stranger's guess takes 30 ms. The next stranger waits 90 ms,
// while a member gets the slot at once.
type vault struct {
	params *argon2id.Params
	// decoy is a hash that no password has. The password for an unknown name is compared with
	// the decoy, so that the answer takes as long as for a known name.
	decoy string

	mu      sync.Mutex
	free    int            // slots that are not in use
	open    int            // slots that strangers may use now: no stranger uses them, and they do not rest
	waiting [2][]*seat     // by line: members, strangers
	held    [2]int         // places taken in each line, including clients that have a slot
	heldBy  map[string]int // places taken by each client that is counted
}

const (
	lineMost = 16 // the number of places in a line
	// eachMost is how many places one client or one member may take. A client is a network:
	// people in one house or office may sign in at the same moment.
	eachMost = 4
	// restFor says how long a slot is closed to strangers after the hash of one: restFor times as
	// long as the hash took. With 3, endless guesses keep a core busy for a quarter of the time.
	restFor = 3
)

// A line says in which line a client waits, members or strangers, and the name under which its
// places are counted.
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

// A seat is a place in a line. Its client waits for a slot and then computes hashes. The caller
// must call leave.
type seat struct {
	*vault
	line
	turn   chan struct{} // closed when the seat gets a slot
	seated bool          // the seat has a slot
	left   bool          // leave was called
	took   time.Duration // how long the hashes of the seat took
}

func newVault(params *argon2id.Params) *vault {
	if params == nil {
		// This is one of the equivalent choices of OWASP's Password Storage Cheat Sheet.
		// The choices with more memory make the garbage collector run at each guess, and
		// more threads would take more cores from members.
		params = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}
	}
	slots := max(1, runtime.GOMAXPROCS(0)/2)
	return &vault{params: params, decoy: newDecoy(params), free: slots, open: slots, heldBy: make(map[string]int)}
}

// newDecoy returns random bytes in the form of an argon2id hash.
func newDecoy(p *argon2id.Params) string {
	salt, key := make([]byte, p.SaltLength), make([]byte, p.KeyLength)
	_, _ = rand.Read(salt) // never fails
	_, _ = rand.Read(key)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", 19, p.Memory, p.Iterations, p.Parallelism,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// stand takes a place in a line. It returns [ErrSignInBusy] at once if the line is full,
// or if the client has too many places.
func (v *vault) stand(l line) (*seat, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.held[l.index()] >= lineMost || l.who != "" && v.heldBy[l.who] >= eachMost {
		return nil, ErrSignInBusy
	}
	v.held[l.index()]++
	v.heldBy[l.who]++
	return &seat{vault: v, line: l, turn: make(chan struct{})}, nil
}

// wait waits until the seat has a slot, or ctx ends.
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
		return ctx.Err() // if the seat gets a slot after this, leave gives the slot back
	}
}

// admit assigns free slots to waiting seats, members first. The caller holds the lock.
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

// leave returns the place and the slot, and admits the next seat. A second call
// does nothing.
func (p *seat) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left {
		return
	}
	p.left = true
	p.held[p.index()]--
	if p.heldBy[p.who]--; p.heldBy[p.who] == 0 {
		delete(p.heldBy, p.who)
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

// hashed notes that the computing of a hash, which began at the given time, has ended.
func (p *seat) hashed(began time.Time) { p.took += time.Since(began) }

// hash waits for a slot and returns the hash of a password.
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

// matches waits for a slot and reports whether the password has this hash. If hash is "",
// matches compares with the decoy, which takes as long and never matches.
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
