package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// byteSize is a number of bytes, which people write as 512MiB or 2GiB.
type byteSize int64

const (
	kib byteSize = 1 << 10
	mib byteSize = 1 << 20
	gib byteSize = 1 << 30
)

// UnmarshalText reads a whole number with a unit: B, KiB, MiB or GiB. Without a unit the
// number is in bytes.
func (s *byteSize) UnmarshalText(text []byte) error {
	number, unit := string(text), byteSize(1)
	for _, u := range []struct {
		name string
		size byteSize
	}{{"KiB", kib}, {"MiB", mib}, {"GiB", gib}, {"B", 1}} {
		if rest, found := strings.CutSuffix(number, u.name); found {
			number, unit = rest, u.size
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/int64(unit) {
		return fmt.Errorf("%q is not a size: write a whole number and a unit, such as 512MiB or 2GiB", text)
	}
	*s = byteSize(n) * unit
	return nil
}

// String returns the size with the largest unit of which it has at least one.
func (s byteSize) String() string {
	for _, u := range []struct {
		name string
		size byteSize
	}{{"GiB", gib}, {"MiB", mib}, {"KiB", kib}} {
		if s >= u.size {
			return fmt.Sprintf("%.1f %s", float64(s)/float64(u.size), u.name)
		}
	}
	return fmt.Sprintf("%d B", int64(s))
}
