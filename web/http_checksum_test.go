package web

import (
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

// TestJoinedSumsAreTheSumOfTheWhole joins the checksums of texts of many lengths, among them none.
func TestJoinedSumsAreTheSumOfTheWhole(t *testing.T) {
	t.Parallel()
	text := make([]byte, 100_000)
	for i := range text {
		text[i] = byte(rand.Uint32())
	}
	for _, cut := range []int{0, 1, 2, 7, 8, 255, 256, 65_535, 99_999, 100_000} {
		for _, end := range []int{cut, (cut + 100_000) / 2, 100_000} {
			got := joinSums(crc32.ChecksumIEEE(text[:cut]), crc32.ChecksumIEEE(text[cut:end]), end-cut)
			if want := crc32.ChecksumIEEE(text[:end]); got != want {
				t.Errorf("%d bytes after %d: %08x, want %08x", end-cut, cut, got, want)
			}
		}
	}
}
