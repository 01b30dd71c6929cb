package models

import (
	"testing"

	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }
