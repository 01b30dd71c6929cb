package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/amstel-bench/internal/client"
	"amstel.dev/amstel/cmd/amstel-bench/internal/measure"
	"amstel.dev/amstel/cmd/amstel-bench/internal/report"
	"amstel.dev/amstel/cmd/internal/node"
	"amstel.dev/amstel/cmd/internal/pool"
	"amstel.dev/amstel/internal/metrics"
	"amstel.dev/amstel/internal/pgserver"
	"amstel.dev/amstel/migrations"
	"amstel.dev/amstel/timeline"
)

// bench is the command that measures the project's promises of speed. Every flag can also be given
// as an environment variable: AMSTEL_ followed by the flag's name.
type bench struct {
	File        string        `placeholder:"FILE" help:"File to import and measure with, as for amstel import (a community that amstel-bench makes up)."`
	Posts       int           `default:"27519" placeholder:"NUMBER" help:"Posts of the community that amstel-bench makes up (${default})."`
	LargePosts  int           `default:"200000" placeholder:"NUMBER" help:"Posts of the large community, where first visits are measured again (${default})."`
	Sizes       []int         `default:"10000,200000,1000000,5000000" placeholder:"NUMBER,..." help:"Posts of the communities by which growth is measured (${default})."`
	Scale       float64       `default:"1" placeholder:"NUMBER" help:"Size of the community where rights change, as a multiple; the bars are for ${default}."`
	Only        []string      `enum:"import,visit,kinds,search,large,hot,members,write,frame,deep,rights,crowd,homes,storm,recover,strangers,life,growth,firehose,memory" default:"import,visit,kinds,search,large,hot,members,write,frame,deep,rights,crowd,homes,storm,recover,strangers,life" placeholder:"NAME,..." help:"What to measure: ${enum} (all but growth, firehose and memory, which take long). The import is done for those that need it."`
	Check       bool          `help:"Exit with 1 if a bar is missed, or if a record is worse than in the earlier run."`
	Pages       int           `default:"1000" placeholder:"NUMBER" help:"Pages that are open; half show the river of all visitors, half are homes (${default})."`
	PerSecond   float64       `default:"5" placeholder:"NUMBER" help:"Comments written in a second (${default})."`
	Acts        float64       `default:"40" placeholder:"NUMBER" help:"Acts of the mixed life that are due in a second (${default})."`
	Seconds     float64       `default:"10" placeholder:"NUMBER" help:"Seconds for which comments are written, for which each form of the page is requested, and that the mixed life lasts (${default})."`
	Homes       int           `default:"20" placeholder:"NUMBER" help:"Number of homes to visit: those of the people who follow most (${default})."`
	Rounds      int           `default:"3" placeholder:"NUMBER" help:"Number of visits to each home, each to a new node (${default})."`
	Sockets     int           `default:"10000" placeholder:"NUMBER" help:"Sockets that listen to one river; a tenth as many homes are open, with a socket each (${default})."`
	Rivers      int           `default:"10000" placeholder:"NUMBER" help:"Rivers that live while very many changes come; a tenth of them are open (${default})."`
	Strangers   int           `default:"222" placeholder:"NUMBER" help:"Strangers who crawl, flood and guess while members read and write (${default}, which is the most)."`
	Apart       time.Duration `default:"1.5s" placeholder:"TIME" help:"Shortest time between two changes of open pages (${default})."`
	Rest        time.Duration `default:"31s" placeholder:"TIME" help:"Time without requests before the last storm, so that the node remembers no visitor (${default})."`
	Out         string        `placeholder:"FOLDER" help:"Write the results into this folder too: bench.jsonl, bench.txt and bench.html."`
	Compare     string        `placeholder:"FILE" help:"Compare the run with an earlier one, of which the file has the lines."`
	Tolerance   float64       `default:"0.25" placeholder:"SHARE" help:"Share by which a record may be worse than in the earlier run, for --check (${default})."`
	TestProfile bool          `help:"Use a PostgreSQL in memory that flushes nothing, as tests do."`
	Profiles    string        `placeholder:"FOLDER" help:"Write a CPU profile of each part into this folder."`
	PostgresBin string        `placeholder:"FOLDER" help:"Folder with the PostgreSQL programs, if they are neither on PATH nor in a usual place."`
	Follow      bool          `hidden:""` // run as a process of clients

	earlier *report.Run // the run of Compare
}

// run measures on a new PostgreSQL, which it throws away afterwards, and writes a line of JSON for
// each measurement.
func (c *bench) run(ctx context.Context, to streams) (err error) {
	if c.Follow {
		return client.Serve(ctx, to.in, to.out)
	}
	folder, err := scratchFolder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	server, err := startServer(ctx, folder, c.TestProfile, c.PostgresBin, to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	primary, err := database(ctx, server.URL(), "amstel_bench")
	if err != nil {
		return err
	}
	defer primary.Close()
	found, err := c.newResults(ctx, primary, to.out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, found.close()) }()
	missed, err := measure.Run(ctx, measure.Config{
		Pool: primary,
		Fresh: func(ctx context.Context, name string) (*pgxpool.Pool, error) {
			return database(ctx, server.URL(), name)
		},
		Serve: func(ctx context.Context, store *timeline.Store, do func(context.Context, measure.Site) error) error {
			return c.serve(ctx, store, folder, do)
		},
		Clients:  func(ctx context.Context) *exec.Cmd { return clients(ctx, to) },
		Folder:   folder,
		Profiles: c.Profiles,
		File:     c.File, Posts: c.Posts, LargePosts: c.LargePosts, Sizes: c.Sizes, Scale: c.Scale, Only: c.Only, Homes: c.Homes, Rounds: c.Rounds,
		Pages: c.Pages, PerSecond: c.PerSecond, Acts: c.Acts, Seconds: c.Seconds,
		Sockets: c.Sockets, Rivers: c.Rivers, Strangers: c.Strangers, Apart: c.Apart, Rest: c.Rest,
		Out: found, Notice: to.notice,
	})
	if err != nil {
		return err
	}
	compared, err := found.save(c.earlier, c.Tolerance, to)
	if err != nil || !c.Check {
		return err
	}
	if len(missed) > 0 {
		err = fmt.Errorf("missed: %s", strings.Join(missed, ", "))
	}
	return errors.Join(err, worse(compared))
}

// scratchFolder makes a folder for files that are thrown away afterwards.
func scratchFolder() (string, error) {
	folder, err := os.MkdirTemp("", "amstel-bench-")
	if err != nil {
		return "", err
	}
	return folder, os.Chmod(folder, 0o755) // PostgreSQL may run as another user, who must enter the folder
}

// check tests the settings that kong can't test.
func (c *bench) check() error {
	for name, good := range map[string]bool{
		"posts": c.Posts >= 100, "large-posts": c.LargePosts >= 100, "pages": c.Pages > 0, "per-second": c.PerSecond > 0, "acts": c.Acts > 0,
		"seconds": c.Seconds > 0, "homes": c.Homes > 0, "rounds": c.Rounds > 0, "scale": c.Scale > 0,
		"sockets": c.Sockets > 0, "rivers": c.Rivers > 1, "strangers": c.Strangers > 0, "apart": c.Apart > 0, "rest": c.Rest >= 0,
		"sizes": len(c.Sizes) > 0 && slices.Min(c.Sizes) >= 100,
	} {
		if !good {
			return fmt.Errorf("--%s is too small", name)
		}
	}
	if info, err := os.Stat(c.Out); c.Out != "" && (err != nil || !info.IsDir()) {
		return fmt.Errorf("--out: %s is no folder", c.Out)
	}
	if c.Tolerance < 0 {
		return errTolerance
	}
	if c.Compare != "" {
		var err error
		if c.earlier, err = report.ReadRunFile(c.Compare); err != nil {
			return fmt.Errorf("--compare: %w", err)
		}
	}
	if c.File == "" {
		return nil
	}
	if _, err := os.Stat(c.File); err != nil {
		return fmt.Errorf("--file: %w", err)
	}
	return nil
}

// startServer starts a private PostgreSQL. Its data are in memory, or else on a disk to which commits
// are flushed.
func startServer(ctx context.Context, folder string, inMemory bool, programs string, to streams) (*pgserver.Server, error) {
	config := pgserver.Config{Data: folder, Elsewhere: folder, Programs: programs, Notice: to.notice}
	if inMemory {
		config.Profile = pgserver.Test
	}
	return pgserver.Start(ctx, config)
}

// database creates a database with the newest schema on a server, and connects to it.
func database(ctx context.Context, url, name string) (*pgxpool.Pool, error) {
	config, err := pool.Config(url)
	if err != nil {
		return nil, err
	}
	admin, err := pgxpool.NewWithConfig(ctx, config.Copy())
	if err != nil {
		return nil, err
	}
	defer admin.Close()
	if _, err := admin.Exec(ctx, "create database "+name); err != nil {
		return nil, fmt.Errorf("new database: %w", err)
	}
	config.ConnConfig.Database = name
	primary, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := migrations.Up(ctx, primary); err != nil {
		primary.Close()
		return nil, err
	}
	return primary, nil
}

// serve runs a node, calls do with its site, and stops the node when do returns.
func (c *bench) serve(ctx context.Context, store *timeline.Store, folder string, do func(context.Context, measure.Site) error) error {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	address := "http://" + listener.Addr().String()
	// A few people make all requests, so the quotas are switched off.
	if _, err := store.ArrangeSite(ctx, timeline.SiteEdit{"quotas.token": "0", "quotas.person": "0"}); err != nil {
		return err
	}
	path := filepath.Join(folder, fmt.Sprintf("river-%d.db", time.Now().UnixNano()))
	n, err := node.Open(ctx, node.Config{
		Store: store, River: path, URL: address, Version: "bench", Metrics: metrics.New("bench"), Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var done error
	err = n.Serve(report.ByNode(ctx), listener, nil, func() error {
		defer cancel()
		done = do(ctx, measure.Site{
			Rivers: n.Rivers(), Handler: n.Site(), Wrap: n.Site().Wrap, Address: address, River: path, Sockets: n.Sockets, Live: n.Live,
		})
		return nil
	})
	return errors.Join(done, err)
}

// clients returns a command that runs this program as a process of clients.
func clients(ctx context.Context, to streams) *exec.Cmd {
	program, err := os.Executable()
	if err != nil {
		program = os.Args[0]
	}
	command := exec.CommandContext(ctx, program, "--follow")
	command.Stderr = to.err
	return command
}
