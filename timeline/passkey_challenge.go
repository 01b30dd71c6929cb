package timeline

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"
)

// challengeFor is how long a browser may take to answer a challenge.
const challengeFor = 5 * time.Minute

// usedChallengesKept is how long a used challenge stays in the primary after its end. It is longer than the clocks of two nodes
// may differ.
const usedChallengesKept = time.Hour

// The parts of a challenge: random bytes, the time of its end in seconds since 1970, and a signature.
const (
	challengeRandom = 16
	challengeSigned = challengeRandom + 8
	challengeSize   = challengeSigned + sha256.Size
)

// newChallenge returns a challenge for an authenticator. The person is the one who adds a passkey, or 0 for a sign-in. The
// challenge has its end and a signature of the site, so every node can check the challenge, and the primary keeps only
// challenges that were used. Strangers can ask for any number of challenges without filling the primary.
func (s *Store) newChallenge(ctx context.Context, user UserID) ([]byte, error) {
	key, err := s.challengeKey(ctx)
	if err != nil {
		return nil, err
	}
	b := make([]byte, challengeSigned, challengeSize)
	_, _ = rand.Read(b[:challengeRandom]) // never fails
	binary.BigEndian.PutUint64(b[challengeRandom:], uint64(s.db.Now().Add(challengeFor).Unix()))
	return append(b, signChallenge(key, user, b)...), nil
}

// checkChallenge returns [ErrPasskey] unless the text is a challenge that the site made for the person, and that has not ended.
func (s *Store) checkChallenge(ctx context.Context, user UserID, challenge string) error {
	key, err := s.challengeKey(ctx)
	if err != nil {
		return err
	}
	b, err := base64.RawURLEncoding.DecodeString(challenge)
	if err != nil || len(b) != challengeSize || !hmac.Equal(b[challengeSigned:], signChallenge(key, user, b[:challengeSigned])) {
		return ErrPasskey
	}
	if !s.db.Now().Before(endOfChallenge(b)) {
		return ErrPasskey
	}
	return nil
}

// useChallenge notes that a challenge, which checkChallenge has checked, is used. The error is [ErrPasskey] if it was used
// before.
func (s *Store) useChallenge(ctx context.Context, tx *txn, challenge string) error {
	const use = `insert into used_challenges (hash, expires_at) values ($1, $2) on conflict do nothing`
	b, err := base64.RawURLEncoding.DecodeString(challenge)
	if err != nil {
		return ErrPasskey
	}
	sum := sha256.Sum256(b) // of the bytes, which several texts may stand for
	tag, err := tx.Exec(ctx, use, sum[:], endOfChallenge(b))
	if err == nil && tag.RowsAffected() == 0 {
		err = ErrPasskey
	}
	return err
}

func endOfChallenge(b []byte) time.Time {
	return time.Unix(int64(binary.BigEndian.Uint64(b[challengeRandom:])), 0)
}

func signChallenge(key []byte, user UserID, b []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(user)))
	mac.Write(b)
	return mac.Sum(nil)
}

// challengeKey returns the key that signs challenges, which is read from the primary once.
func (s *Store) challengeKey(ctx context.Context) ([]byte, error) {
	if key := s.challenges.Load(); key != nil {
		return *key, nil
	}
	key, err := s.Secret(ctx, "passkey_secret")
	if err != nil {
		return nil, err
	}
	s.challenges.Store(&key)
	return key, nil
}
