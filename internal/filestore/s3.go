package filestore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"os"
	"path"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3Options are the address of a bucket, and its keys.
type S3Options struct {
	Endpoint  string // such as https://s3.eu-central-1.amazonaws.com, or http://127.0.0.1:9000
	Bucket    string // must exist
	Prefix    string // of all keys; a bucket can have several stores under different prefixes
	Region    string // us-east-1 if empty, which servers other than Amazon's mostly expect
	AccessKey string
	SecretKey string
	Spool     string            // the folder where an upload waits to be named; the system's for temporary files if empty
	Transport http.RoundTripper // the library's default if nil
}

// An S3 keeps files in a bucket of an S3-compatible server.
type S3 struct {
	client *minio.Client
	opts   S3Options
	page   int // how many files a request lists; 0: the server decides
}

// attempts is how often a request is made if each fails for a reason that may pass.
const attempts = 3

// Client returns a client of the server, after a look at the bucket, which must exist.
func (o S3Options) Client(ctx context.Context) (*minio.Client, error) {
	endpoint, err := url.Parse(o.Endpoint)
	if err != nil || endpoint.Scheme != "http" && endpoint.Scheme != "https" || endpoint.Host == "" || endpoint.Path != "" && endpoint.Path != "/" {
		return nil, errors.New("the endpoint of an S3 server is an address as https://s3.example.com, without a path")
	}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds:      credentials.NewStaticV4(o.AccessKey, o.SecretKey, ""),
		Secure:     endpoint.Scheme == "https",
		Region:     cmp.Or(o.Region, "us-east-1"),
		Transport:  o.Transport,
		MaxRetries: attempts,
	})
	if err != nil {
		return nil, fmt.Errorf("open the S3 store: %w", err)
	}
	exists, err := client.BucketExists(ctx, o.Bucket)
	if err != nil {
		return nil, fmt.Errorf("open the bucket %q of the S3 store: %w", o.Bucket, err)
	}
	if !exists {
		return nil, fmt.Errorf("the S3 server has no bucket %q", o.Bucket)
	}
	return client, nil
}

// OpenS3 opens a store in a bucket, which must exist.
func OpenS3(ctx context.Context, opts S3Options) (*S3, error) {
	client, err := opts.Client(ctx)
	if err != nil {
		return nil, err
	}
	return &S3{client: client, opts: opts}, nil
}

// key returns the key of a file.
func (s *S3) key(name Name) string { return s.opts.Prefix + name.String() }

// Put implements [Store]. It sends the file in one request: the file exists whole or not at all,
// and a server keeps no parts of it.
func (s *S3) Put(ctx context.Context, from io.Reader, most int64) (_ Info, err error) {
	part, err := os.CreateTemp(s.opts.Spool, "amstel-upload-")
	if err != nil {
		return Info{}, err
	}
	defer func() { err = errors.Join(err, part.Close()) }()
	// A file without a name is gone as soon as it is closed, however this process ends.
	if err := os.Remove(part.Name()); err != nil {
		return Info{}, err
	}
	info, err := spool(ctx, part, from, most)
	if err != nil {
		return Info{}, err
	}
	if _, err := part.Seek(0, io.SeekStart); err != nil {
		return Info{}, err
	}
	_, err = s.client.PutObject(ctx, s.opts.Bucket, s.key(info.Name), part, info.Size, minio.PutObjectOptions{
		ContentType:          "application/octet-stream",
		DisableMultipart:     true,
		DisableContentSha256: info.Size == 0, // else an empty file is sent without a length, which not every server takes
	})
	if err != nil {
		return Info{}, fmt.Errorf("put a file into the S3 store: %w", err)
	}
	stat, err := s.client.StatObject(ctx, s.opts.Bucket, s.key(info.Name), minio.StatObjectOptions{})
	if err != nil {
		return Info{}, fmt.Errorf("look at a file that was put into the S3 store: %w", err)
	}
	info.Put = stat.LastModified
	return info, nil
}

// Open implements [Store].
func (s *S3) Open(ctx context.Context, name Name) (File, error) {
	object, err := s.client.GetObject(ctx, s.opts.Bucket, s.key(name), minio.GetObjectOptions{})
	if err != nil {
		return nil, fmt.Errorf("open a file of the S3 store: %w", err)
	}
	stat, err := object.Stat()
	if err != nil {
		if isMissing(err) {
			err = ErrNotFound
		}
		return nil, errors.Join(err, object.Close())
	}
	return &opened{object, Info{name, stat.Size, stat.LastModified}}, nil
}

// isMissing reports whether an error means that the object does not exist.
func isMissing(err error) bool { return minio.ToErrorResponse(err).Code == minio.NoSuchKey }

// Remove implements [Store].
func (s *S3) Remove(ctx context.Context, name Name) error {
	err := s.client.RemoveObject(ctx, s.opts.Bucket, s.key(name), minio.RemoveObjectOptions{})
	if err != nil && !isMissing(err) {
		return fmt.Errorf("remove a file from the S3 store: %w", err)
	}
	return nil
}

// List implements [Store]. It ignores everything whose key is not that of a [Name].
func (s *S3) List(ctx context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		opts := minio.ListObjectsOptions{Prefix: s.opts.Prefix, Recursive: true, MaxKeys: s.page}
		for object := range s.client.ListObjectsIter(ctx, s.opts.Bucket, opts) {
			if err := errors.Join(ctx.Err(), object.Err); err != nil {
				yield(Info{}, fmt.Errorf("list the files of the S3 store: %w", err))
				return
			}
			name, err := ParseName(path.Base(object.Key))
			if err != nil || s.key(name) != object.Key {
				continue
			}
			if !yield(Info{name, object.Size, object.LastModified}, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil { // the library may end a list without an error
			yield(Info{}, err)
		}
	}
}

// Close implements [Store].
func (s *S3) Close() error { return nil }
