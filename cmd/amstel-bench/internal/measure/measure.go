package measure

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/realtime"
	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// The names of the measurements, see the package's documentation. Several measurements need the
// community of the import, so the import runs for these too (see imports). Its own result is reported
// only if it was asked for.
const (
	Import  = "import"
	Visit   = "visit"
	Large   = "large"
	Hot     = "hot"
	Members = "members"
	Write   = "write"
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
	Life      = "life"
	// Growth measures how costs grow with the number of posts.
	Growth = "growth"
	// Firehose measures how many changes a node follows.
	Firehose = "firehose"
	// Memory measures the memory of very many living rivers and open pages.
	Memory = "memory"
)

// A Site is a node that serves pages.
type Site struct {
	Rivers  *river.Node
	Handler http.Handler // the whole site
	// Wrap puts another handler behind the middleware of the site.
	Wrap    func(http.Handler) http.Handler
	Address string     // for example http://127.0.0.1:8080
	River   string     // the path of the river DB's file
	Sockets func() int // returns the number of open sockets
	Live    func() realtime.Stats
}

// A Config tells a measurement what to measure, and where.
type Config struct {
	// Pool is an empty primary with the newest schema.
	Pool *pgxpool.Pool
	// Fresh creates another empty primary, with a name, for measurements that need another community.
	// The caller closes it.
	Fresh func(ctx context.Context, name string) (*pgxpool.Pool, error)
	// Serve runs a node on a primary, calls do, and stops the node. The node's own work has the
	// context that [report.ByNode] returns.
	Serve func(ctx context.Context, store *timeline.Store, do func(context.Context, Site) error) error
	// Clients creates the command of a process that calls [client.Serve] on its standard
	// streams and ends with the context; nil: the clients are in this process.
	Clients func(context.Context) *exec.Cmd
	// Folder is the folder for temporary files.
	Folder string
	// Profiles is the folder for a CPU profile of each measurement; empty: no profiles.
	Profiles string

	File       string   // the file to import; empty: a community is made up
	Posts      int      // the number of posts in a made-up community
	LargePosts int      // the number of posts in the large community
	Sizes      []int    // the numbers of posts of the communities that have grown
	Scale      float64  // the scale of the accounts whose rights change; the bars are for 1
	Only       []string // the measurements to make; empty: all
	Homes      int      // how many homes are visited
	Rounds     int      // how often each home is visited, and how often other measurements are repeated
	Pages      int      // how many pages are open in the measurement of frames
	Seconds    float64  // how long measurements of a rate last
	PerSecond  float64  // how many comments are written in a second
	Acts       float64  // how many acts of the mixed life are due in a second
	// Sockets is how many sockets a crowd has. In the measurements of homes and of storms, a tenth as
	// many pages are open.
	Sockets   int
	Rivers    int           // how many rivers live in the measurements of very many rivers
	Late      time.Duration // how late a frame may be while very many changes come; 0: a second
	Searches  int           // how many searches are open while posts are written; 0: a thousand
	Strangers int           // the number of strangers; at most 222
	// Apart is the shortest time between two changes of an open page.
	Apart time.Duration
	// Rest is the time without requests before the last storm. It is longer than a node remembers the
	// person to whom a token belongs.
	Rest time.Duration

	Out    io.Writer             // gets the records
	Notice func(sentence string) // gets a sentence on what is going on; may be nil
}

// measures reports whether a measurement was asked for.
func (c *Config) measures(what string) bool { return len(c.Only) == 0 || slices.Contains(c.Only, what) }

// imports reports whether any measurement was asked for that needs the community of the import.
func (c *Config) imports() bool {
	return c.measures(Visit) || c.measures(Hot) || c.measures(Members) || c.measures(Write) || c.measures(Frame) || c.measures(Kinds) || c.measures(Search) || c.measures(Deep) || c.measures(Strangers) || c.measures(Life)
}

func (c *Config) notice(format string, args ...any) {
	if c.Notice != nil {
		c.Notice(fmt.Sprintf(format, args...))
	}
}

// A run is one call of Run.
type run struct {
	Config
	missed []string // the names of the records that miss their bars
}

// Run makes the measurements that were asked for, and returns the names of the records that miss their
// bars.
func Run(ctx context.Context, c Config) (missed []string, err error) {
	r := &run{Config: c}
	for _, part := range []struct {
		name string
		do   func(context.Context) error
	}{{Import, r.importFile}, {Visit, r.visitSmall}, {Kinds, r.kindsSmall}, {Search, r.liveSearch}, {Hot, r.hot}, {Members, r.membersHomes}, {Write, r.writes}, {Frame, r.frames}, {Deep, r.deep}, {Large, r.visitLarge}, {Rights, r.rights}, {Crowd, r.crowd}, {Homes, r.homes}, {Storm, r.storm}, {Recover, r.recover}, {Strangers, r.strangers}, {Life, r.life}, {Growth, r.growth}, {Firehose, r.firehose}, {Memory, r.memory}} {
		if !r.measures(part.name) && (part.name != Import || !r.imports()) {
			continue
		}
		if err := report.Profile(ctx, r.Profiles, part.name, part.do); err != nil {
			return r.missed, fmt.Errorf("bench %s: %w", part.name, err)
		}
	}
	return r.missed, nil
}

// usage returns what the server has used; of what it sent, only the frames to sockets. If the clients are in this process
// too, their CPU time can't be told apart from the server's, and is left out.
func (r *run) usage(ctx context.Context, primary *pgxpool.Pool, site Site) (report.Usage, error) {
	u, err := report.ReadUsage(ctx, primary)
	u.Sent = site.Live().Bytes
	if r.Clients == nil {
		u.CPU = 0
	}
	return u, err
}

// report writes a record as a line of JSON.
func (r *run) report(record report.Record) error {
	record.Value, record.Ratio = report.Round(record.Value), report.Round(record.Ratio)
	if record.Missed() {
		r.missed = append(r.missed, record.Name)
	}
	return record.WriteLine(r.Out)
}
