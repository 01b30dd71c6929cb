package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// byteSize is a number of bytes, as people write one: 512MiB, 2GiB.
type byteSize int64

const (
	kib byteSize = 1 << 10
	mib byteSize = 1 << 20
	gib byteSize = 1 << 30
)

// UnmarshalText reads a whole number with a unit: B, KiB, MiB or GiB; none is B.
func (s *byteSize) UnmarshalText(text []byte) error {
	number, unit := string(text), byteSize(1)
	for _, u := range []struct {
		name string
		size byteSize
	}{{"KiB", kib}, {"MiB", mib}, {"GiB", gib}, {"B", 1}} {
		if rest, is := strings.CutSuffix(number, u.name); is {
			number, unit = rest, u.size
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/int64(unit) {
		return fmt.Errorf("%q is no size: write a whole number and a unit, like 512MiB or 2GiB", text)
	}
	*s = byteSize(n) * unit
	return nil
}
