//go:build race

package racetest

// Detects reports whether the program was built with the race detector.
const Detects = true
