package web

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"amstel.dev/amstel/timeline"
)

// The device cookie names the accounts to which a device has signed in before. The cookie does
// not sign in. It only lets the device try passwords of these accounts while an attacker has
// used up the tries of strangers.
const (
	deviceFor  = 365 * 24 * time.Hour
	devicesOf  = 4 // accounts in one cookie, the newest first
	deviceMac  = 16
	deviceSize = 8 + 8 + 8 // account, time, name of the device
)

// devices knows the devices that have signed in before, by their cookies.
type devices struct {
	store  secretStore
	now    func() time.Time
	log    *slog.Logger
	secure bool                   // the public address is https
	key    atomic.Pointer[[]byte] // signs the cookies; nil: not read yet
}

// A secretStore returns the secrets of the site; [timeline.Store] is one.
type secretStore interface {
	Secret(ctx context.Context, name string) ([]byte, error)
}

// cookie returns the cookie's name.
func (d *devices) cookie() string {
	if d.secure {
		return "__Host-amstel-device"
	}
	return "amstel-device"
}

// accounts returns the accounts to which the request's device has signed in before, each with
// the name of the device.
func (d *devices) accounts(r *http.Request) map[timeline.UserID]string {
	known := make(map[timeline.UserID]string)
	for _, one := range d.validParts(r) {
		b, _ := base64.RawURLEncoding.DecodeString(one)
		known[accountOf(b)] = base64.RawURLEncoding.EncodeToString(b[16:deviceSize])
	}
	return known
}

func accountOf(b []byte) timeline.UserID { return timeline.UserID(binary.BigEndian.Uint64(b)) }

// validParts returns the parts of the request's device cookie that this site signed less than a
// year ago.
func (d *devices) validParts(r *http.Request) (marks []string) {
	cookie, err := r.Cookie(d.cookie())
	if err != nil {
		return nil
	}
	key := d.secret(r.Context())
	if key == nil {
		return nil
	}
	for one := range strings.SplitSeq(cookie.Value, ".") {
		b, err := base64.RawURLEncoding.DecodeString(one)
		if err != nil || len(b) != deviceSize+deviceMac || !hmac.Equal(b[deviceSize:], signDevice(key, b[:deviceSize])) {
			continue
		}
		if at := time.Unix(int64(binary.BigEndian.Uint64(b[8:])), 0); d.now().Sub(at) > deviceFor {
			continue
		}
		if marks = append(marks, one); len(marks) == devicesOf {
			break
		}
	}
	return marks
}

// secret returns the key that signs device cookies, or nil if the key was never read and the
// primary is unavailable. Without the key, the site knows no device.
func (d *devices) secret(ctx context.Context) []byte {
	if key := d.key.Load(); key != nil {
		return *key
	}
	key, err := d.store.Secret(ctx, "device_secret")
	if err != nil {
		d.log.WarnContext(ctx, "could not read the key of device cookies: no device counts as known", "err", err)
		return nil
	}
	d.key.Store(&key)
	return key
}

func signDevice(key, b []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(b)
	return mac.Sum(nil)[:deviceMac]
}

// remember adds the account to the device's cookie.
func (d *devices) remember(w http.ResponseWriter, r *http.Request, user timeline.UserID) {
	key := d.secret(r.Context())
	if key == nil {
		return
	}
	b := make([]byte, deviceSize)
	binary.BigEndian.PutUint64(b, uint64(user))
	binary.BigEndian.PutUint64(b[8:], uint64(d.now().Unix()))
	_, _ = rand.Read(b[16:]) // never fails
	marks := []string{base64.RawURLEncoding.EncodeToString(append(b, signDevice(key, b)...))}
	for _, one := range d.validParts(r) {
		if b, _ := base64.RawURLEncoding.DecodeString(one); accountOf(b) != user && len(marks) < devicesOf {
			marks = append(marks, one)
		}
	}
	http.SetCookie(w, &http.Cookie{
		Name: d.cookie(), Value: strings.Join(marks, "."), Path: "/", MaxAge: int(deviceFor / time.Second),
		Secure: d.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}
