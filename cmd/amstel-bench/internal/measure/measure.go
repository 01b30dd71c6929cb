package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// The names of the measurements. Other measurements need the import's community, so the import
// runs for them, too (see imports); its own result is reported if it was asked for.
const (
	Import  = "import"
	Visit   = "visit"
	Large   = "large"
	Hot     = "hot"
	Members = "members"
	Frame   = "frame"
	Rights  = "rights"
	Kinds   = "kinds"
	Search  = "search"
	Crowd   = "crowd"
	Homes   = "homes"
	Storm   = "storm"
	Recover = "recover"
	Deep    = "deep"
	// Strangers measures how much longer members wait while strangers attack.
	Strangers = "strangers"
)

// A Site is a node that serves pages.
type Site struct {
	Rivers  *river.Node
	Handler http.Handler // the whole site
	// Wrap sets another handler behind the middleware of the site.
	Wrap    func(http.Handler) http.Handler
	Address string     // as http://127.0.0.1:8080
	River   string     // the file of the river DB
	Sockets func() int // how many it has open
}

// A Config tells a measurement what to measure, and where.
type Config struct {
	// Pool is an empty primary with the newest schema.
	Pool *pgxpool.Pool
	// Fresh creates another primary, for the large community. The caller closes it.
	Fresh func(ctx context.Context, name string) (*pgxpool.Pool, error)
	// Serve runs a node on a primary while it calls do. The context of the node's own work is
	// the result of [ByItself].
	Serve func(ctx context.Context, store *timeline.Store, do func(context.Context, Site) error) error
	// Clients creates the command of a process that calls [client.Serve] on its standard
	// streams and ends with the context; nil: the clients are in this process.
	Clients func(context.Context) *exec.Cmd
	// Folder is the folder for temporary files.
	Folder string
	// Profiles is the folder of a CPU profile for each thing measured; empty: none.
	Profiles string

	File       string   // to import; empty: a community is made
	Posts      int      // of that
	LargePosts int      // of the large community
	Scale      float64  // of the accounts whose rights change; the bars are for 1
	Only       []string // what is measured; empty: all
	Homes      int      // how many homes are visited
	Rounds     int      // and how often, each time by a node that holds nothing
	Pages      int      // that are open
	Seconds    float64  // how long each thing is done that is done for a time
	PerSecond  float64  // comments written
	// Sockets are how many a crowd has. Of homes, each of another person, a tenth of that
	// is open.
	Sockets   int
	Searches  int // that are open while posts are written; 0: a thousand
	Strangers int // the number of strangers, who request all possible things; at most 222
	// Apart is the least time between two changes that a crowd is shown.
	Apart time.Duration
	// Rest is how long pages are left alone before the last storm: longer than a node
	// remembers the person of a token.
	Rest time.Duration

	Out    io.Writer             // gets the records
	Notice func(sentence string) // gets a sentence on what is going on; may be nil
}

// measures reports whether a measurement was asked for.
func (c *Config) measures(what string) bool { return len(c.Only) == 0 || slices.Contains(c.Only, what) }

// imports reports whether something is to be measured that needs the import.
func (c *Config) imports() bool {
	return c.measures(Visit) || c.measures(Hot) || c.measures(Members) || c.measures(Frame) || c.measures(Kinds) || c.measures(Search) || c.measures(Deep) || c.measures(Strangers)
}

func (c *Config) notice(format string, args ...any) {
	if c.Notice != nil {
		c.Notice(fmt.Sprintf(format, args...))
	}
}

// A run is one run of the program with its measurements.
type run struct {
	Config
	missed []string // names of the records that miss their bar
}

// Run measures, and returns the names of the records that miss their bar.
func Run(ctx context.Context, c Config) (missed []string, err error) {
	r := &run{Config: c}
	for _, part := range []struct {
		name string
		do   func(context.Context) error
	}{{Import, r.importFile}, {Visit, r.visitSmall}, {Kinds, r.kindsSmall}, {Search, r.liveSearch}, {Hot, r.hot}, {Members, r.membersHomes}, {Frame, r.frames}, {Deep, r.deep}, {Large, r.visitLarge}, {Rights, r.rights}, {Crowd, r.crowd}, {Homes, r.homes}, {Storm, r.storm}, {Recover, r.recover}, {Strangers, r.strangers}} {
		if !r.measures(part.name) && (part.name != Import || !r.imports()) {
			continue
		}
		if err := report.Profile(ctx, r.Profiles, part.name, part.do); err != nil {
			return r.missed, fmt.Errorf("bench %s: %w", part.name, err)
		}
	}
	return r.missed, nil
}

// report writes a record.
func (r *run) report(record report.Record) error {
	record.Value, record.Ratio = report.Round(record.Value), report.Round(record.Ratio)
	if record.Missed() {
		r.missed = append(r.missed, record.Name)
	}
	out := json.NewEncoder(r.Out)
	out.SetEscapeHTML(false)
	return out.Encode(record)
}
