package filestore

import (
	"context"
	"crypto/rand"
	"flag"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// server is a real S3 server to test against, as http://KEY:SECRET@127.0.0.1:9000; scripts/s3
// starts one. Without it the tests use a fake, which keeps objects in memory and ignores
// signatures.
var server = flag.String("s3", "", "S3 server to test against, as http://KEY:SECRET@HOST:PORT")

// bucket returns the options of a new bucket, under a prefix.
func bucket(t *testing.T) S3Options {
	t.Helper()
	opts := S3Options{Bucket: "test-" + strings.ToLower(rand.Text()), Prefix: "some/where/", Spool: t.TempDir(), AccessKey: "key", SecretKey: "secret"}
	if *server == "" {
		fake := httptest.NewUnstartedServer(gofakes3.New(s3mem.New()).Server())
		fake.Config.ErrorLog = log.New(io.Discard, "", 0) // the fake answers some errors twice
		fake.Start()
		t.Cleanup(fake.Close)
		opts.Endpoint = fake.URL
	} else {
		address, err := url.Parse(*server)
		if err != nil {
			t.Fatal(err)
		}
		opts.AccessKey = address.User.Username()
		opts.SecretKey, _ = address.User.Password()
		address.User = nil
		opts.Endpoint = address.String()
	}
	client := plain(t, opts)
	if err := client.MakeBucket(t.Context(), opts.Bucket, minio.MakeBucketOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx := context.Background()
		for object := range client.ListObjects(ctx, opts.Bucket, minio.ListObjectsOptions{Recursive: true}) {
			_ = client.RemoveObject(ctx, opts.Bucket, object.Key, minio.RemoveObjectOptions{}) // seen by RemoveBucket
		}
		if err := client.RemoveBucket(ctx, opts.Bucket); err != nil {
			t.Error(err)
		}
	})
	return opts
}

// plain returns a client without the store.
func plain(t *testing.T, opts S3Options) *minio.Client {
	t.Helper()
	address, err := url.Parse(opts.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	client, err := minio.New(address.Host, &minio.Options{Creds: credentials.NewStaticV4(opts.AccessKey, opts.SecretKey, ""), Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func openS3(t *testing.T, opts S3Options) *S3 {
	t.Helper()
	s, err := OpenS3(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	s.page = 2 // so that every list has several pages
	return s
}

func TestS3(t *testing.T) {
	t.Parallel()
	suite(t, func(t *testing.T) Store { return openS3(t, bucket(t)) })
}

// TestS3HasOtherThings: objects of other programs are not listed: under another prefix, below
// the store's own, and with another form of name.
func TestS3HasOtherThings(t *testing.T) {
	t.Parallel()
	opts := bucket(t)
	s := openS3(t, opts)
	mine := put(t, s, "mine").Name.String()
	for _, key := range []string{"README", mine, opts.Prefix + "README", opts.Prefix + "deeper/" + mine} {
		if _, err := plain(t, opts).PutObject(t.Context(), opts.Bucket, key, strings.NewReader("x"), 1, minio.PutObjectOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if all := names(t, s); len(all) != 1 || all[0] != mine {
		t.Errorf("listed %v, want %s", all, mine)
	}
}

// TestS3LeavesNoSpool: no upload waiting for its name stays on the disk.
func TestS3LeavesNoSpool(t *testing.T) {
	t.Parallel()
	opts := bucket(t)
	s := openS3(t, opts)
	put(t, s, "whole")
	leavesNothing(t, openS3(t, bucket(t)))
	if left, _ := filepath.Glob(filepath.Join(opts.Spool, "*")); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}

// TestOpenS3Refuses checks the errors that an administrator gets.
func TestOpenS3Refuses(t *testing.T) {
	t.Parallel()
	good := bucket(t)
	for _, tt := range []struct {
		name, want string
		change     func(*S3Options)
	}{
		{"no bucket of the name", "no bucket", func(o *S3Options) { o.Bucket = "test-of-none" }},
		{"an address without a scheme", "is an address as", func(o *S3Options) { o.Endpoint = "127.0.0.1:9000" }},
		{"an address with a path", "without a path", func(o *S3Options) { o.Endpoint += "/files" }},
		{"a name that no bucket has", "bucket", func(o *S3Options) { o.Bucket = "A" }},
	} {
		opts := good
		tt.change(&opts)
		if _, err := OpenS3(t.Context(), opts); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if *server == "" {
		return // a fake looks at no signature
	}
	good.SecretKey += "x"
	if _, err := OpenS3(t.Context(), good); err == nil {
		t.Error("a wrong secret opened the store")
	}
}

// TestS3TellsOutages: every method distinguishes a failing server from a missing file.
func TestS3TellsOutages(t *testing.T) {
	t.Parallel()
	opts := bucket(t)
	down := &outage{}
	opts.Transport = down
	s := openS3(t, opts)
	name := put(t, s, "kept").Name
	down.is = true
	if _, err := s.Put(t.Context(), strings.NewReader("new"), plenty); err == nil {
		t.Error("put succeeded")
	}
	if _, err := s.Open(t.Context(), name); err == nil || isMissing(err) {
		t.Errorf("open: %v", err)
	}
	if err := s.Remove(t.Context(), name); err == nil {
		t.Error("remove succeeded")
	}
	listed := 0
	for _, err := range s.List(t.Context()) {
		if listed++; err == nil {
			t.Error("list succeeded")
		}
	}
	if listed != 1 {
		t.Errorf("list yielded %d times, want one error", listed)
	}
	down.is = false
	if read(t, s, name) != "kept" || len(names(t, s)) != 1 {
		t.Error("something else is there after the outage")
	}
}

// An outage is a transport that can be down: the server then answers "forbidden".
type outage struct{ is bool }

func (o *outage) RoundTrip(r *http.Request) (*http.Response, error) {
	if !o.is {
		return http.DefaultTransport.RoundTrip(r)
	}
	answer := httptest.NewRecorder()
	answer.WriteHeader(http.StatusForbidden)
	response := answer.Result()
	response.Request = r
	return response, nil
}
