package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"

	"amstel.dev/amstel/internal/attachment"
	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/internal/preview"
	"amstel.dev/amstel/timeline"
)

// A filePlace holds the flags for the place of uploaded files.
type filePlace struct {
	Files       string `placeholder:"FOLDER" help:"Folder of uploaded files, which all nodes of a site share (files in --data)."`
	S3Endpoint  string `name:"s3-endpoint" env:"AMSTEL_S3_ENDPOINT" placeholder:"ADDRESS" help:"Keep uploaded files on this S3-compatible server, such as https://s3.eu-central-1.amazonaws.com, instead of in a folder."`
	S3Bucket    string `name:"s3-bucket" env:"AMSTEL_S3_BUCKET" placeholder:"NAME" help:"Bucket for uploaded files. It must exist."`
	S3Prefix    string `name:"s3-prefix" env:"AMSTEL_S3_PREFIX" placeholder:"TEXT" help:"Beginning of the keys of all files in the bucket."`
	S3Region    string `name:"s3-region" env:"AMSTEL_S3_REGION" placeholder:"NAME" help:"Region of the S3 server (us-east-1)."`
	S3AccessKey string `name:"s3-access-key" env:"AMSTEL_S3_ACCESS_KEY" placeholder:"KEY" help:"Access key for the bucket."`
	S3SecretKey string `name:"s3-secret-key" env:"AMSTEL_S3_SECRET_KEY" placeholder:"SECRET" help:"Secret key for the bucket. Give it by its environment variable: other users of the machine can read flags."`
}

// fileSettings holds the flags for uploaded files: where they are kept, and how much room
// they may take.
type fileSettings struct {
	filePlace
	FileSize    byteSize `default:"20MiB" placeholder:"SIZE" help:"Largest size of an uploaded file (${default})."`
	PersonFiles byteSize `default:"2GiB" placeholder:"SIZE" help:"Largest size of all uploaded files of a person together (${default})."`
	SiteFiles   byteSize `default:"100GiB" placeholder:"SIZE" help:"Largest size of all uploaded files together (${default})."`
}

// Validate returns an error for an S3 server without a bucket, and if the flags name two places.
func (p filePlace) Validate() error {
	switch {
	case (p.S3Endpoint == "") != (p.S3Bucket == ""):
		return errors.New("--s3-endpoint and --s3-bucket belong together")
	case p.S3Endpoint != "" && p.Files != "":
		return errors.New("--files and --s3-endpoint are two places for the same files: give one of them")
	}
	return nil
}

// Validate returns an error for a limit that later code would take for "not set", and for an invalid
// place.
func (s fileSettings) Validate() error {
	for _, limit := range []struct {
		flag string
		size byteSize
	}{{"--file-size", s.FileSize}, {"--person-files", s.PersonFiles}, {"--site-files", s.SiteFiles}} {
		if limit.size <= 0 {
			return fmt.Errorf("%s must be more than 0", limit.flag)
		}
	}
	return s.filePlace.Validate()
}

// folder returns the folder of the files; data is the folder for all data. It is used if the files are
// not on an S3 server.
func (p filePlace) folder(data string) string { return cmp.Or(p.Files, filepath.Join(data, "files")) }

// openFiles opens the file store.
func (p filePlace) openFiles(ctx context.Context, data string) (filestore.Store, error) {
	if p.S3Endpoint == "" {
		return filestore.OpenFolder(p.folder(data))
	}
	return filestore.OpenS3(ctx, filestore.S3Options{
		Endpoint: p.S3Endpoint, Bucket: p.S3Bucket, Prefix: p.S3Prefix, Region: p.S3Region, AccessKey: p.S3AccessKey, SecretKey: p.S3SecretKey,
	})
}

// fileWorkers returns the worker that receives and processes uploads and removes unneeded files, and
// the worker that fetches pages for previews of links. public is the public address of the site;
// fetched is called with the outcome of each fetch. If vipsthumbnail is not installed, uploaded
// pictures are refused and previews have no pictures; then fileWorkers logs a warning.
func (s fileSettings) fileWorkers(store *timeline.Store, files filestore.Store, public string, log *slog.Logger, fetched func(outcome string)) (*attachment.Keeper, *preview.Worker) {
	opts := attachment.Options{
		Limits:  timeline.AttachmentLimits{File: int64(s.FileSize), Person: int64(s.PersonFiles), Site: int64(s.SiteFiles)},
		Log:     log,
		Reached: reached,
	}
	previews := preview.Options{URL: public, Log: log, Done: fetched}
	maker, err := picture.New(opts.Pictures, picturesAtOnce)
	if err != nil {
		log.Warn("uploaded pictures are refused", "err", err)
	} else {
		opts.Maker, previews.Maker = maker, maker
	}
	return attachment.New(store, files, opts), preview.New(store, files, previews)
}

// picturesAtOnce is how many child processes make renditions at the same time.
const picturesAtOnce = 2
