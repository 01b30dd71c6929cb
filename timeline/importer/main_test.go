package importer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/audit"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/sample"
	"amstel.dev/amstel/timeline/importer"
)

// helperURL names the database of a child process that a test starts and kills: the child
// imports into this database.
const helperURL = "IMPORTER_TEST_DATABASE"

func TestMain(m *testing.M) {
	if url := os.Getenv(helperURL); url != "" {
		if err := helper(url); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	pgtest.Main(m)
}

// helper imports the sample in small batches. After each batch it prints a line, and waits for a
// line before it continues.
func helper(url string) error {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = importer.Import(ctx, pool, sample.Reader(), importer.Options{
		Source: sample.Source, Batch: 5,
		Progress: func(p importer.Progress) {
			fmt.Println(p.Lines)
			_, _ = fmt.Scanln()
		},
	})
	return err
}

// importFile imports a valid file.
func importFile(t *testing.T, pool *pgxpool.Pool, file []byte, batch int) importer.Report {
	t.Helper()
	report, err := importer.Import(t.Context(), pool, bytes.NewReader(file), importer.Options{Source: sample.Source, Batch: batch})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// refuseFile imports a file with a bad line.
func refuseFile(t *testing.T, pool *pgxpool.Pool, file []byte, batch int) *importer.LineError {
	t.Helper()
	_, err := importer.Import(t.Context(), pool, bytes.NewReader(file), importer.Options{Source: sample.Source, Batch: batch})
	bad, ofLine := errors.AsType[*importer.LineError](err)
	if !ofLine {
		t.Fatalf("got error %v, want one of a line", err)
	}
	return bad
}

// checkPrimary fails the test if the primary contradicts itself.
func checkPrimary(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	faults, err := audit.Check(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
}
