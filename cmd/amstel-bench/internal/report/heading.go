package report

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// A Heading tells where the records of a run come from.
type Heading struct {
	Date       time.Time `json:"date"`       // when the run began
	Version    string    `json:"version"`    // the version of the program
	Go         string    `json:"go"`         // the version of Go
	PostgreSQL string    `json:"postgresql"` // the version of PostgreSQL
	Cores      int       `json:"cores"`
	Load       float64   `json:"load"` // the load average when the run began; 0 where the system does not tell it
	Settings   string    `json:"settings"`
}

// NewHeading returns the heading of a run that begins now, of a version of the program, with settings, on
// a primary.
func NewHeading(ctx context.Context, primary *pgxpool.Pool, version, settings string) (h Heading, err error) {
	h = Heading{Date: time.Now().UTC().Truncate(time.Second), Version: version, Go: runtime.Version(), Cores: runtime.NumCPU(), Load: load(), Settings: settings}
	if err := primary.QueryRow(ctx, `show server_version`).Scan(&h.PostgreSQL); err != nil {
		return h, fmt.Errorf("version of PostgreSQL: %w", err)
	}
	return h, nil
}

// String returns the heading as a sentence. The settings are not part of it.
func (h *Heading) String() string {
	if *h == (Heading{}) {
		return "a run without a heading"
	}
	return fmt.Sprintf("%s, version %s, %s, PostgreSQL %s, %d cores, load %v at the start",
		h.Date.Format("2 January 2006 15:04 MST"), h.Version, h.Go, h.PostgreSQL, h.Cores, h.Load)
}

// load returns the load average of the last minute, or 0 where the system does not have /proc.
func load() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := bytes.Cut(text, []byte(" "))
	average, _ := strconv.ParseFloat(string(first), 64) // after an error it is 0
	return average
}
