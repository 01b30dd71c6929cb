package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/bench"
	"amstel.dev/amstel/internal/pgserver"
	"amstel.dev/amstel/migrations"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web"
)

type benchCmd struct {
	File        string        `placeholder:"FILE" help:"File to import and measure with, as for amstel import (a community of the bench's own making)."`
	Posts       int           `default:"27519" placeholder:"NUMBER" help:"Posts of that community (${default})."`
	LargePosts  int           `default:"200000" placeholder:"NUMBER" help:"Posts of the large community, where first visits are measured again (${default})."`
	Scale       float64       `default:"1" placeholder:"NUMBER" help:"How large the town is where rights change; the bars are for ${default}."`
	Only        []string      `enum:"import,visit,kinds,search,large,hot,frame,deep,rights,crowd,homes,storm,recover,strangers" default:"import,visit,kinds,search,large,hot,frame,deep,rights,crowd,homes,storm,recover,strangers" placeholder:"NAME,..." help:"What to measure: ${enum} (all). The import is done for those that need it."`
	Check       bool          `help:"Exit with 1 if a bar is missed."`
	Pages       int           `default:"1000" placeholder:"NUMBER" help:"Pages that are open; half are everybody's, half are homes (${default})."`
	PerSecond   float64       `default:"5" placeholder:"NUMBER" help:"Comments written a second (${default})."`
	Seconds     float64       `default:"10" placeholder:"NUMBER" help:"How long comments are written, and each form of the page is asked for (${default})."`
	Homes       int           `default:"20" placeholder:"NUMBER" help:"Homes visited, those of the people who follow most (${default})."`
	Rounds      int           `default:"3" placeholder:"NUMBER" help:"How often each is, every time by a new node (${default})."`
	Sockets     int           `default:"10000" placeholder:"NUMBER" help:"Sockets of the crowd on one river; a tenth as many homes are open, each on one (${default})."`
	Strangers   int           `default:"222" placeholder:"NUMBER" help:"Strangers who crawl, flood and guess while members read and write (${default}, and no more)."`
	Apart       time.Duration `default:"1.5s" placeholder:"TIME" help:"The least time between two changes that open pages are shown (${default})."`
	Rest        time.Duration `default:"31s" placeholder:"TIME" help:"How long pages are left alone before the last storm, so that nobody is remembered (${default})."`
	TestProfile bool          `help:"Use a PostgreSQL in memory that flushes nothing, as tests do."`
	Profiles    string        `placeholder:"FOLDER" help:"Write a CPU profile of each part into this folder."`
	PostgresBin string        `placeholder:"FOLDER" help:"Folder of PostgreSQL's programs, if they are not on PATH nor in a usual place."`
	Follow      bool          `hidden:""` // be the process of the open pages
}

// Run measures on a PostgreSQL of its own, which is thrown away afterwards,
// and writes a line of JSON for each thing measured.
func (c *benchCmd) Run(ctx context.Context, to streams) (err error) {
	if c.Follow {
		return bench.Follow(ctx, to.in, to.out)
	}
	if err := c.check(); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "amstel-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := os.Chmod(folder, 0o755); err != nil { // PostgreSQL's own user enters it
		return err
	}
	server, err := c.startServer(ctx, folder, to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	pool, err := c.database(ctx, server, "amstel_bench")
	if err != nil {
		return err
	}
	defer pool.Close()
	missed, err := bench.Run(ctx, bench.Config{
		Pool: pool,
		Fresh: func(ctx context.Context, name string) (*pgxpool.Pool, error) {
			return c.database(ctx, server, name)
		},
		Serve: func(ctx context.Context, store *timeline.Store, do func(context.Context, bench.Site) error) error {
			return c.serve(ctx, store, folder, do)
		},
		Readers:  func(ctx context.Context) *exec.Cmd { return readers(ctx, to) },
		Folder:   folder,
		Profiles: c.Profiles,
		File:     c.File, Posts: c.Posts, LargePosts: c.LargePosts, Scale: c.Scale, Only: c.Only, Homes: c.Homes, Rounds: c.Rounds,
		Pages: c.Pages, PerSecond: c.PerSecond, Seconds: c.Seconds,
		Sockets: c.Sockets, Strangers: c.Strangers, Apart: c.Apart, Rest: c.Rest,
		Out: to.out, Notice: to.notice,
	})
	if err == nil && c.Check && len(missed) > 0 {
		err = fmt.Errorf("missed: %s", strings.Join(missed, ", "))
	}
	return err
}

// check tests the settings that kong can't.
func (c *benchCmd) check() error {
	for name, good := range map[string]bool{
		"posts": c.Posts >= 100, "large-posts": c.LargePosts >= 100, "pages": c.Pages > 0, "per-second": c.PerSecond > 0,
		"seconds": c.Seconds > 0, "homes": c.Homes > 0, "rounds": c.Rounds > 0, "scale": c.Scale > 0,
		"sockets": c.Sockets > 0, "strangers": c.Strangers > 0, "apart": c.Apart > 0, "rest": c.Rest >= 0,
	} {
		if !good {
			return &settingError{fmt.Sprintf("--%s is too small", name)}
		}
	}
	if c.File == "" {
		return nil
	}
	if _, err := os.Stat(c.File); err != nil {
		return &settingError{fmt.Sprintf("--file: %v", err)}
	}
	return nil
}

// startServer starts the private PostgreSQL: on a disk that commits are flushed
// to, unless it is asked not to.
func (c *benchCmd) startServer(ctx context.Context, folder string, to streams) (*pgserver.Server, error) {
	config := pgserver.Config{Data: folder, Elsewhere: folder, Programs: c.PostgresBin, Notice: to.notice}
	if c.TestProfile {
		config.Profile = pgserver.Test
	}
	return pgserver.Start(ctx, config)
}

// database makes a database with the newest schema, and connects to it.
func (c *benchCmd) database(ctx context.Context, server *pgserver.Server, name string) (*pgxpool.Pool, error) {
	config, err := poolConfig(server.URL())
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
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := migrations.Up(ctx, pool); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

// serve runs a node while do is under way.
func (c *benchCmd) serve(ctx context.Context, store *timeline.Store, folder string, do func(context.Context, bench.Site) error) error {
	listener, err := listen(ctx, "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	public, err := publicURL("", listener)
	if err != nil {
		return err
	}
	quiet := streams{out: io.Discard, err: io.Discard} // lines of thousands of requests
	path := filepath.Join(folder, fmt.Sprintf("river-%d.db", time.Now().UnixNano()))
	n, err := nodeSettings{}.openNode(ctx, store, public, path, quiet)
	if err != nil {
		return err
	}
	site, ok := n.http.Handler.(*web.Server)
	if !ok {
		return fmt.Errorf("the site is a %T", n.http.Handler)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var done error
	err = n.serve(bench.ByItself(ctx), listener, nil, func() error {
		defer cancel()
		done = do(ctx, bench.Site{
			Rivers: n.rivers, Handler: site, Wrap: site.Wrap, Address: public, River: path,
			Sockets: func() int { return n.live.Stats().Sockets },
		})
		return nil
	})
	return errors.Join(done, err)
}

// readers is this program once more, as the process of the open pages.
func readers(ctx context.Context, to streams) *exec.Cmd {
	program, err := os.Executable()
	if err != nil {
		program = os.Args[0]
	}
	command := exec.CommandContext(ctx, program, "bench", "--follow")
	command.Stderr = to.err
	return command
}
