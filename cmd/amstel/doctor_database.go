package main

import (
	"context"
	"strings"
	"time"

	"amstel.dev/amstel/internal/disk"
	"amstel.dev/amstel/migrations"
)

// oldestPostgres is the oldest major version of PostgreSQL that has all that the primary needs.
const oldestPostgres = 15

// failed returns the finding of a check that could not ask.
func failed(err error) finding {
	return found(stateProblem, "the check failed: %s", strings.Join(strings.Fields(err.Error()), " "))
}

// checkVersion compares the version of PostgreSQL with the oldest that can be used.
func (d *doctor) checkVersion(ctx context.Context) finding {
	var major int
	var version string
	const query = `select current_setting('server_version_num')::int / 10000, current_setting('server_version')`
	if err := d.db.pool.QueryRow(ctx, query).Scan(&major, &version); err != nil {
		return failed(err)
	}
	if major < oldestPostgres {
		return found(stateProblem, "PostgreSQL %s is too old: use %d or later", version, oldestPostgres)
	}
	return found(stateOK, "PostgreSQL %s answers", version)
}

// checkDurability looks at the settings without which a crash loses writes that were acknowledged.
func (d *doctor) checkDurability(ctx context.Context) finding {
	var off []string
	const query = `select coalesce(array_agg(name::text order by name), '{}') from pg_settings
		where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`
	if err := d.db.pool.QueryRow(ctx, query).Scan(&off); err != nil {
		return failed(err)
	}
	if len(off) > 0 {
		return found(stateProblem, "a crash of the database's machine loses data, because these settings of PostgreSQL are off: %s; set them to on", strings.Join(off, ", "))
	}
	return found(stateOK, "PostgreSQL syncs each commit")
}

// The differences of clocks from which on a finding is a warning or a problem.
const (
	clockWarning = time.Second
	clockProblem = time.Minute
)

// checkClock compares the clock of this machine with that of the primary. Half of the time that the question takes is
// no difference.
func (d *doctor) checkClock(ctx context.Context) finding {
	var theirs time.Time
	before := d.now()
	if err := d.db.pool.QueryRow(ctx, `select clock_timestamp()`).Scan(&theirs); err != nil {
		return failed(err)
	}
	took := d.now().Sub(before)
	difference := max(0, before.Add(took/2).Sub(theirs).Abs()-took/2).Round(time.Millisecond)
	const advice = "the clocks of this machine and of the database differ by %v: let both follow a time server (timedatectl)"
	switch {
	case difference >= clockProblem:
		return found(stateProblem, advice, difference)
	case difference >= clockWarning:
		return found(stateWarning, advice, difference)
	}
	return found(stateOK, "this machine and the database agree to %v", (difference + took/2).Round(time.Millisecond))
}

// checkSchema compares the schema of the primary with that of the program.
func (d *doctor) checkSchema(ctx context.Context) finding {
	schema, err := migrations.Version(ctx, d.db.pool)
	if err != nil {
		return failed(err)
	}
	newest := migrations.Newest()
	switch {
	case schema > newest:
		return found(stateProblem, "the database has schema %d, and this program has %d: use the newer program", schema, newest)
	case schema < newest:
		return found(stateWarning, "the database has schema %d, and this program has %d: amstel migrate, or the next start of a node, migrates it", schema, newest)
	}
	return found(stateOK, "the database has the newest schema, %d", schema)
}

// checkDatabaseDisk looks at the disk of the primary, if it is on this machine.
func (d *doctor) checkDatabaseDisk(ctx context.Context) finding {
	const unknown = "the free space is not known from here: watch it on the database's machine"
	if !strings.HasPrefix(d.db.pool.Config().ConnConfig.Host, "/") { // a socket of this machine
		return found(stateOK, unknown)
	}
	var folder string
	if err := d.db.pool.QueryRow(ctx, `show data_directory`).Scan(&folder); err != nil {
		return found(stateOK, unknown) // only some roles may read the setting
	}
	if _, _, err := disk.Space(folder); err != nil {
		return found(stateOK, unknown)
	}
	return roomIn(folder)
}
