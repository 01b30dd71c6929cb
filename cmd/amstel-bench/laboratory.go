package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/cmd/amstel-bench/internal/dataset"
	"amstel.dev/amstel/cmd/amstel-bench/internal/models"
	"amstel.dev/amstel/cmd/internal/pool"
	"amstel.dev/amstel/migrations"
	"amstel.dev/amstel/timeline"
)

// laboratory is the command that measures the sources of rivers.
type laboratory struct {
	Database string `placeholder:"URL" help:"A copy of a site's database to measure with; it is written to, and copied on the same server."`
	IsACopy  bool   `help:"Confirm that --database is a copy, which no site uses."`
	File     string `placeholder:"FILE" help:"File to import and measure with, as for amstel import."`
	People   int    `default:"1500" placeholder:"NUMBER" help:"People of the community that amstel-bench makes up, without --database and --file (${default})."`
	Posts    int    `default:"6000" placeholder:"NUMBER" help:"Posts of the community that amstel-bench makes up (${default})."`

	Sources []string          `enum:"read,timed,sized,capped,segments,hybrid" default:"read,timed,sized,capped,segments,hybrid" placeholder:"NAME,..." help:"Sources to measure: ${enum} (all)."`
	Set     map[string]string `placeholder:"KEY=VALUE;..." help:"Settings of the site, such as source.embed=author+text+data."`
	Seed    uint64            `default:"1" placeholder:"NUMBER" help:"Seed of everything that is random. With the same seed, each source has the same life (${default})."`

	Active   int           `default:"30" placeholder:"PERCENT" help:"Share of the people who visit their homes (${default})."`
	Homes    int           `default:"40" placeholder:"NUMBER" help:"Number of homes whose first visits are measured, and whose posts are compared (${default})."`
	Rounds   int           `default:"3" placeholder:"NUMBER" help:"Number of visits to each of these homes, each to a new node (${default})."`
	Writes   int           `default:"100" placeholder:"NUMBER" help:"Number of posts that are published and measured (${default})."`
	RampMost int           `default:"1024" placeholder:"NUMBER" help:"Last step of the two ramps: of followers, and of people followed. 0 makes no ramps (${default})."`
	RampBy   int           `default:"4" placeholder:"NUMBER" help:"Factor between two steps of a ramp (${default})."`
	Follow   int           `default:"4" placeholder:"PERCENT" help:"Share of acts that follow (${default})."`
	Unfollow int           `default:"2" placeholder:"PERCENT" help:"Share of acts that unfollow (${default})."`
	Read     int           `default:"64" placeholder:"PERCENT" help:"Share of acts that read a home (${default})."`
	Scroll   int           `default:"20" placeholder:"PERCENT" help:"Share of acts that read a home further down (${default})."`
	Send     int           `default:"10" placeholder:"PERCENT" help:"Share of acts that publish a post (${default})."`
	Sessions int           `default:"8" placeholder:"NUMBER" help:"Largest number of acts that are under way at once (${default})."`
	Rate     float64       `default:"40" placeholder:"NUMBER" help:"Acts in a second (${default})."`
	Seconds  float64       `default:"10" placeholder:"NUMBER" help:"Seconds that the mixed life lasts (${default})."`
	Loss     float64       `default:"4" placeholder:"SECONDS" help:"Seconds of load before all rivers and inboxes are thrown away. 0 throws nothing away (${default})."`
	LossMost time.Duration `default:"30s" placeholder:"TIME" help:"Longest wait until everything is there again (${default})."`
	Visits   float64       `placeholder:"NUMBER" help:"First visits for each post, for which to recommend a source (as many as in the mixed life)."`

	Out         string `default:"." placeholder:"FOLDER" help:"Folder for models.csv, models.html and the charts (${default})."`
	TestProfile bool   `help:"Use a PostgreSQL in memory that flushes nothing, as tests do."`
	PostgresBin string `placeholder:"FOLDER" help:"Folder with the PostgreSQL programs, if they are neither on PATH nor in a usual place."`
}

// check tests the settings that kong can't test.
func (c *laboratory) check() error {
	for name, good := range map[string]bool{
		"people": c.People >= 20, "posts": c.Posts >= 20, "active": c.Active >= 1 && c.Active <= 100, "homes": c.Homes > 0, "rounds": c.Rounds > 0,
		"writes": c.Writes > 0, "ramp-most": c.RampMost >= 0, "ramp-by": c.RampBy >= 2, "sessions": c.Sessions > 0, "rate": c.Rate > 0,
		"seconds": c.Seconds > 0, "loss": c.Loss >= 0, "loss-most": c.LossMost > 0, "visits": c.Visits >= 0,
	} {
		if !good {
			return fmt.Errorf("--%s is out of its bounds", name)
		}
	}
	switch {
	case !c.mix().Whole():
		return errors.New("--follow, --unfollow, --read, --scroll and --send are to add up to 100")
	case c.Database != "" && c.File != "":
		return errors.New("--database and --file exclude each other")
	case c.Database != "" && !c.IsACopy:
		return errors.New("the database is written to, and its settings are changed: make a copy of it, and confirm that with --is-a-copy")
	case c.File != "":
		if _, err := os.Stat(c.File); err != nil {
			return fmt.Errorf("--file: %w", err)
		}
	}
	if info, err := os.Stat(c.Out); err != nil || !info.IsDir() {
		return fmt.Errorf("--out: %s is no folder", c.Out)
	}
	return nil
}

func (c *laboratory) mix() models.Mix {
	return models.Mix{Follow: c.Follow, Unfollow: c.Unfollow, Read: c.Read, Scroll: c.Scroll, Send: c.Send}
}

// run measures each source on a copy of the community, prints the tables, and writes the
// report.
func (c *laboratory) run(ctx context.Context, to streams) (err error) {
	folder, err := scratchFolder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	url := c.Database
	if url == "" {
		server, err := startServer(ctx, folder, c.TestProfile, c.PostgresBin, to)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, server.Stop()) }()
		url = server.URL()
	}
	community, of, err := c.community(ctx, url, folder, to)
	if err != nil {
		return err
	}
	defer community.Close()
	settings := make(timeline.SiteEdit, len(c.Set))
	for key, value := range c.Set {
		settings[key] = value
	}
	name := community.Config().ConnConfig.Database
	found, err := models.Run(ctx, models.Config{
		Pool: community, Of: of, Folder: folder, Sources: c.Sources, Settings: settings, Seed: c.Seed,
		Copy: func(ctx context.Context, source string, tracer pgx.QueryTracer) (*pgxpool.Pool, func() error, error) {
			return copyOf(ctx, url, name, "amstel_models_"+source, tracer)
		},
		Active: c.Active, Homes: c.Homes, Rounds: c.Rounds, Writes: c.Writes, RampMost: c.RampMost, RampBy: c.RampBy,
		Mix: c.mix(), Sessions: c.Sessions, Rate: c.Rate, Seconds: c.Seconds, Loss: c.Loss, LossMost: c.LossMost, Visits: c.Visits,
		Notice: to.notice,
	})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprint(to.out, found.Table()); err != nil {
		return err
	}
	return save(found, c.Out)
}

// community connects to the database of the community to measure, migrates it to the newest schema,
// and returns a description of the community for the report.
func (c *laboratory) community(ctx context.Context, url, folder string, to streams) (_ *pgxpool.Pool, of string, err error) {
	if c.Database != "" {
		config, err := pool.Config(url)
		if err != nil {
			return nil, "", err
		}
		copied, err := pgxpool.NewWithConfig(ctx, config)
		if err != nil {
			return nil, "", err
		}
		if err := migrations.Up(ctx, copied); err != nil {
			copied.Close()
			return nil, "", err
		}
		return copied, "A copy of a site's database", nil
	}
	fresh, err := database(ctx, url, "amstel_models")
	if err != nil {
		return nil, "", err
	}
	path, of := c.File, "The community of "+filepath.Base(c.File)
	if path == "" {
		path, of = filepath.Join(folder, "community.jsonl"), "A community made by Zipf's law"
		err = dataset.ByZipf(c.People, c.Posts).Save(path)
	}
	if err == nil {
		to.notice("Importing " + filepath.Base(path) + ".")
		_, err = dataset.Import(ctx, fresh, path)
	}
	if err != nil {
		fresh.Close()
		return nil, "", err
	}
	return fresh, of, nil
}

// copyOf copies a database on its server, connects to the copy, and returns a function that drops the
// copy. The server refuses to copy a database to which a program is connected.
func copyOf(ctx context.Context, url, database, name string, tracer pgx.QueryTracer) (_ *pgxpool.Pool, drop func() error, err error) {
	config, err := pool.Config(url)
	if err != nil {
		return nil, nil, err
	}
	admin := config.Copy()
	admin.ConnConfig.Database = "postgres"
	run := func(ctx context.Context, query string) error {
		conn, err := pgx.ConnectConfig(ctx, admin.ConnConfig)
		if err != nil {
			return err
		}
		_, err = conn.Exec(ctx, query)
		return errors.Join(err, conn.Close(ctx))
	}
	quoted := pgx.Identifier{name}.Sanitize()
	if err := run(ctx, "drop database if exists "+quoted); err != nil {
		return nil, nil, err
	}
	if err := run(ctx, "create database "+quoted+" template "+pgx.Identifier{database}.Sanitize()); err != nil {
		return nil, nil, fmt.Errorf("copy the database %s (no other program may be connected to it, and the role needs the right to create databases): %w", database, err)
	}
	drop = func() error { return run(context.WithoutCancel(ctx), "drop database "+quoted+" with (force)") }
	config.ConnConfig.Database = name
	config.ConnConfig.Tracer = tracer
	copied, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, nil, errors.Join(err, drop())
	}
	return copied, drop, nil
}

// save writes the report into a folder: the numbers, the page, and each chart by itself.
func save(found *models.Report, folder string) (err error) {
	var numbers, page strings.Builder
	if err := errors.Join(found.CSV(&numbers), found.HTML(&page)); err != nil {
		return err
	}
	files := map[string]string{"models.csv": numbers.String(), "models.html": page.String()}
	for _, c := range found.Charts() {
		files["models-"+c.Name+".svg"] = c.SVG()
	}
	for name, text := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	return err
}
