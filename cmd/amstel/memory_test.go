package main

import "testing"

func TestByteSize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]byteSize{"0": 0, "12": 12, "12B": 12, "3KiB": 3 * kib, "512MiB": 512 * mib, "2 GiB": 2 * gib} {
		var got byteSize
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "GiB", "-1", "1.5GiB", "2GB", "9223372036854775807KiB"} {
		var got byteSize
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}
