package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"

	"amstel.dev/amstel/internal/filestore"
)

// A bucket is a repository in a bucket of an S3-compatible server.
type bucket struct {
	client *minio.Client
	opts   filestore.S3Options
	files  *filestore.S3
	piece  int64 // in how large pieces a long part is sent
}

// pieceSize is the size of the pieces in which a dump is sent. A piece is held in memory, and a server takes 10,000
// of them, which is 640 GB.
const pieceSize = 64 << 20

// OpenS3 opens the repository under a prefix of a bucket.
func OpenS3(ctx context.Context, opts filestore.S3Options) (Repository, error) {
	if opts.Prefix != "" && !strings.HasSuffix(opts.Prefix, "/") {
		opts.Prefix += "/"
	}
	client, err := opts.Client(ctx)
	if err != nil {
		return nil, err
	}
	ofFiles := opts
	ofFiles.Prefix += filesFolder + "/"
	files, err := filestore.OpenS3(ctx, ofFiles)
	if err != nil {
		return nil, err
	}
	return &bucket{client, opts, files, pieceSize}, nil
}

// Files implements [Repository].
func (b *bucket) Files() filestore.Store { return b.files }

// Names implements [Repository]. It also finds a backup of which only pieces of a dump were sent.
func (b *bucket) Names(ctx context.Context) ([]string, error) {
	found := map[string]bool{}
	note := func(key string) {
		if name, _, _ := strings.Cut(strings.TrimPrefix(key, b.opts.Prefix), "/"); IsName(name) {
			found[name] = true
		}
	}
	for object := range b.client.ListObjectsIter(ctx, b.opts.Bucket, minio.ListObjectsOptions{Prefix: b.opts.Prefix}) {
		if object.Err != nil {
			return nil, fmt.Errorf("list the backups of the S3 server: %w", object.Err)
		}
		note(object.Key)
	}
	for upload := range b.client.ListIncompleteUploads(ctx, b.opts.Bucket, b.opts.Prefix, true) {
		if minio.ToErrorResponse(upload.Err).Code == minio.NoSuchUpload {
			break // some servers answer this if there is none
		}
		if upload.Err != nil {
			return nil, fmt.Errorf("list the unfinished uploads of the S3 server: %w", upload.Err)
		}
		note(upload.Key)
	}
	return slices.Sorted(maps.Keys(found)), ctx.Err()
}

func (b *bucket) key(backup, part string) string { return b.opts.Prefix + backup + "/" + part }

// Put implements [Repository]. It sends a short part in one request, and the pieces of a long one as they come, because
// the size of a dump is not known before its end.
func (b *bucket) Put(ctx context.Context, backup, part string, from io.Reader) error {
	var head bytes.Buffer
	_, err := io.CopyN(&head, from, b.piece)
	opts := minio.PutObjectOptions{
		ContentType: "application/octet-stream", PartSize: uint64(b.piece),
		// Not every server takes the form in which the library signs pieces over plain HTTP. The MD5 of each piece is sent instead.
		SendContentMd5: true, DisableContentSha256: true,
	}
	size, whole := int64(-1), io.MultiReader(&head, from)
	if errors.Is(err, io.EOF) {
		opts.DisableMultipart = true
		size, whole, err = int64(head.Len()), &head, nil
	}
	if err == nil {
		_, err = b.client.PutObject(ctx, b.opts.Bucket, b.key(backup, part), whole, size, opts)
	}
	if err != nil {
		return fmt.Errorf("put %s into the S3 server: %w", part, err)
	}
	return nil
}

// Open implements [Repository].
func (b *bucket) Open(ctx context.Context, backup, part string) (io.ReadCloser, error) {
	object, err := b.client.GetObject(ctx, b.opts.Bucket, b.key(backup, part), minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	if _, err := object.Stat(); err != nil {
		if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
			err = fmt.Errorf("%s: %w", b.key(backup, part), fs.ErrNotExist)
		}
		return nil, errors.Join(err, object.Close())
	}
	return object, nil
}

// Remove implements [Repository].
func (b *bucket) Remove(ctx context.Context, backup string) error {
	for _, part := range []string{partManifest, partFiles, partDump} {
		key := b.key(backup, part)
		if err := b.client.RemoveObject(ctx, b.opts.Bucket, key, minio.RemoveObjectOptions{}); err != nil {
			return fmt.Errorf("remove %s from the S3 server: %w", key, err)
		}
		if err := b.client.RemoveIncompleteUpload(ctx, b.opts.Bucket, key); err != nil && minio.ToErrorResponse(err).Code != minio.NoSuchUpload {
			return fmt.Errorf("remove the unfinished upload of %s from the S3 server: %w", key, err)
		}
	}
	return nil
}

// Close implements [Repository].
func (b *bucket) Close() error { return b.files.Close() }
