package catalogue

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// FuzzAccepted compares Accepted with a slow reading of the whole header, and checks that
// unimportant changes of the header do not change the answer.
func FuzzAccepted(f *testing.F) {
	for _, header := range []string{
		"", "ru", "en-GB,en;q=0.9,ru;q=0.8", "ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7", "de, fr;q=0.5", "*", "en;q=0, ru;q=0.001",
		"RU;Q=0.3,EN;Q=0.2", "ru;q=1.5,en;q=-1", "ru;q=NaN", "ru;q=inf,en;q=1e-400", " ru ; q=0.4 ", ";;,,=", "ru;q=0.5;v=1,en;q=0.1",
		strings.Repeat("de,", 40) + "ru",
	} {
		f.Add(header, false)
		f.Add(header, true)
	}
	f.Fuzz(func(t *testing.T, header string, russian bool) {
		otherwise := English
		if russian {
			otherwise = Russian
		}
		got := Accepted(header, otherwise)
		if want := slowlyAccepted(header, otherwise); got != want {
			t.Errorf("%q: %s, want %s", header, got.Code(), want.Code())
		}
		if strings.Count(header, ",") < mostAsked-2 {
			for _, same := range []string{"xx," + header, header + ",xx;q=1", header + ",ru;q=0", header + ",en;q=0"} {
				if again := Accepted(same, otherwise); again != got {
					t.Errorf("%q: %s, but %q: %s", header, got.Code(), same, again.Code())
				}
			}
		}
		if !strings.ContainsFunc(header, func(c rune) bool { return c > 127 }) {
			if again := Accepted(strings.ToUpper(header), otherwise); again != got {
				t.Errorf("%q in capitals: %s, want %s", header, again.Code(), got.Code())
			}
		}
	})
}

// slowlyAccepted returns the language with the highest weight among the first
// mostAsked parts of a header; the first of several with that weight.
func slowlyAccepted(header string, otherwise Language) Language {
	parts := strings.Split(header, ",")
	parts = parts[:min(len(parts), mostAsked)]
	best := map[Language]float64{}
	for _, part := range parts {
		fields := strings.SplitN(part, ";", 2)
		weight := 1.0
		if len(fields) == 2 {
			if parameter := strings.ToLower(strings.TrimSpace(fields[1])); strings.HasPrefix(parameter, "q=") {
				read, err := strconv.ParseFloat(parameter[2:], 64)
				if weight = read; err != nil || math.IsNaN(read) || read > 1 {
					weight = 0
				}
			}
		}
		code := strings.ToLower(strings.TrimSpace(strings.SplitN(fields[0], "-", 2)[0]))
		for _, l := range All {
			if code != l.Code() || weight <= 0 {
				continue
			}
			higher := true // than all languages before it
			for _, other := range best {
				higher = higher && weight > other
			}
			if higher {
				clear(best)
				best[l] = weight
			}
		}
	}
	for l := range best {
		return l
	}
	return otherwise
}
