package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"amstel.dev/amstel/internal/attachment"
	"amstel.dev/amstel/internal/backup"
	"amstel.dev/amstel/internal/disk"
	"amstel.dev/amstel/timeline"
)

// roomIn returns the finding about the free space of a folder.
func roomIn(folder string) finding {
	free, total, err := disk.Space(folder)
	if err != nil {
		return found(stateProblem, "the folder can't be used: %v", err)
	}
	return room(folder, byteSize(free), byteSize(total))
}

// room returns the finding about so many free bytes of a disk.
func room(folder string, free, total byteSize) finding {
	const advice = "%s of %s are free in %s: make room, or move the folder to a larger disk"
	switch {
	case free < 512*mib || free < total/50:
		return found(stateProblem, advice, free, total, folder)
	case free < 2*gib || free < total/10:
		return found(stateWarning, advice, free, total, folder)
	}
	return found(stateOK, "%s of %s are free in %s", free, total, folder)
}

// checkFilesDisk looks at the disk of the uploaded files.
func (d *doctor) checkFilesDisk(context.Context) finding {
	if d.S3Endpoint != "" {
		return found(stateOK, "the files are on an S3 server")
	}
	if _, err := os.Stat(d.folder(d.Data)); errors.Is(err, fs.ErrNotExist) {
		return found(stateOK, "there is no folder of files yet")
	}
	return roomIn(d.folder(d.Data))
}

// checkFiles compares the uploaded files with the rows that name them, without reading the files.
func (d *doctor) checkFiles(ctx context.Context) finding {
	if _, err := os.Stat(d.folder(d.Data)); d.S3Endpoint == "" && errors.Is(err, fs.ErrNotExist) {
		needed := 0
		if err := d.store.FileUses(ctx, func(timeline.FileUse) error { needed++; return nil }); err != nil {
			return failed(err)
		}
		if needed > 0 {
			return found(stateProblem, "there is no folder %s, and rows name files %d times: name the folder with --files, or the S3 server", d.folder(d.Data), needed)
		}
		return found(stateOK, "nothing was uploaded yet")
	}
	files, err := d.openFiles(ctx, d.Data)
	if err != nil {
		return failed(err)
	}
	sum, err := attachment.New(d.store, files, attachment.Options{}).Check(ctx, false, func(string) {})
	switch err := errors.Join(err, files.Close()); {
	case err != nil:
		return failed(err)
	case sum.Missing > 0:
		return found(stateProblem, "%d of %d needed files are missing: amstel check names them; copy them from a backup (its folder files has the same form)", sum.Missing, sum.Needed)
	case sum.Unneeded > 0:
		return found(stateWarning, "all %d needed files are there, and %d files that no row names: a node removes them within a day; if they stay, look for \"sweep\" in its log", sum.Needed, sum.Unneeded)
	}
	return found(stateOK, "all %d needed files are there", sum.Needed)
}

// checkRiver finds out whether a node can write its river DB.
func (d *doctor) checkRiver(context.Context) finding {
	path := d.River
	if path == "" {
		path = filepath.Join(d.Data, "river.db")
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		err = file.Close()
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		var trial *os.File // SQLite makes files beside the river DB
		if trial, err = os.CreateTemp(filepath.Dir(path), ".amstel-doctor-"); err == nil {
			err = errors.Join(trial.Close(), os.Remove(trial.Name()))
		}
	}
	if err != nil {
		return found(stateProblem, "the river DB can't be written: %v; name a file with --river in a folder of the node's user", err)
	}
	return found(stateOK, "%s can be written", path)
}

// The ages of the newest backup from which on a finding is a warning or a problem. A daily backup may take an hour or two.
const (
	backupWarning = 26 * time.Hour
	backupProblem = 7 * 24 * time.Hour
)

// checkBackups looks at the newest backup.
func (d *doctor) checkBackups(ctx context.Context) finding {
	in, err := d.openRepository(ctx, d.Backups, false)
	if err != nil {
		return failed(err)
	}
	all, err := backup.List(ctx, in)
	if err := errors.Join(err, in.Close()); err != nil {
		return failed(err)
	}
	var newest *backup.Backup
	for i := range all {
		if all[i].Manifest != nil {
			newest = &all[i]
		}
	}
	if newest == nil {
		return found(stateProblem, "%s has no finished backup: run amstel backup --to %s each day", d.Backups, d.Backups)
	}
	age := d.now().Sub(newest.Manifest.At)
	said := fmt.Sprintf("the newest backup, %s, is %v old", newest.Name, age.Round(time.Minute))
	switch {
	case age > backupProblem:
		return found(stateProblem, "%s: look why amstel backup does not run, or fails", said)
	case age > backupWarning:
		return found(stateWarning, "%s: look why amstel backup did not run today, or failed", said)
	case len(newest.Manifest.Missing) > 0:
		return found(stateWarning, "%s, and lacks %d files: amstel check names those that the site lacks", said, len(newest.Manifest.Missing))
	}
	return found(stateOK, "%s", said)
}
