package demo

import (
	"math/rand/v2"
	"strings"
)

// expand replaces each {one|other} of a text by one of its alternatives. For example, expand returns
// "A cat!" or "A dog!" for "A {cat|dog}!". Braces are not nested.
func expand(random *rand.Rand, text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		inside, after, _ := strings.Cut(rest, "}")
		b.WriteString(pick(random, strings.Split(inside, "|")))
		text = after
	}
}

// pick returns one of some things.
func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

// newRandom returns the source of randomness of a seed. The same seed gives the same texts.
func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x616d7374656c)) }
