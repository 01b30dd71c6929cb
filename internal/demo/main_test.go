package demo

import (
	"testing"

	"amstel.dev/amstel/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
