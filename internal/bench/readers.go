package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"amstel.dev/amstel/timeline"
)

// The parts that are processes of their own. The first thing that such a process
// is told is which it is to be.
const (
	partPages     = "pages"     // see follow
	partSwarm     = "swarm"     // see swarming
	partVisitors  = "visitors"  // see visitingPart
	partMembers   = "members"   // see membersPart
	partStrangers = "strangers" // see strangersPart
)

// What the two processes say to each other, a JSON object each: a task, word
// that all pages are open, how many comments there were, and what came of them.
type (
	task struct {
		Site  string
		Post  timeline.PostID // that every page shows
		Pages []openPage
	}
	openPage struct {
		Path  string
		Token string // whose page it is; empty: everybody's
		Times int    // how often a swarm opens it; 0: once
	}
	opened struct {
		Open  int
		Error string
	}
	written  struct{ Comments int }
	followed struct{ Seen [][]sighting } // page by page
	// A sighting is a frame that shows a comment for the first time.
	sighting struct {
		Comment int
		At      int64 // nanoseconds since 1970
	}
)

// lastFrameWithin is how long the last frames are waited for.
const lastFrameWithin = 10 * time.Second

// readers are the pages that are open, wherever they are.
type readers struct {
	to   *json.Encoder
	from *json.Decoder
	end  func() error // of the process, once it may end by itself
	kill func()
}

// startReaders starts a process of open pages, or does without one, and tells it
// which part it has.
func (r *run) startReaders(ctx context.Context, part string) (*readers, error) {
	started, err := r.startProcess(ctx, part == partStrangers)
	if err != nil {
		return nil, err
	}
	if err := started.to.Encode(part); err != nil {
		return nil, errors.Join(fmt.Errorf("process of the open pages: %w", err), started.stop(false))
	}
	return started, nil
}

// startProcess starts the process, or does without one. One that gives way runs
// only when no other wants to.
func (r *run) startProcess(ctx context.Context, givesWay bool) (*readers, error) {
	ctx, cancel := context.WithCancel(ctx)
	if r.Readers == nil {
		in, tell := io.Pipe()
		hear, out := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			err := Follow(ctx, in, out)
			_ = out.CloseWithError(err) // always nil
			ended <- err
		}()
		return &readers{json.NewEncoder(tell), json.NewDecoder(hear), func() error {
			defer cancel()
			_ = tell.Close() // always nil
			return <-ended
		}, cancel}, nil
	}
	command := r.Readers(ctx)
	if nice, err := exec.LookPath("nice"); err == nil && givesWay {
		command.Args = append([]string{"nice", "-n", "19", command.Path}, command.Args[1:]...)
		command.Path = nice
	}
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 5 * time.Second
	in, err := command.StdinPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("process of the open pages: %w", err)
	}
	return &readers{json.NewEncoder(in), json.NewDecoder(out), func() error {
		defer cancel()
		_ = in.Close() // it may have ended
		return command.Wait()
	}, cancel}, nil
}

// open has the pages opened, and returns when all are.
func (r *readers) open(todo task) error {
	if err := r.to.Encode(todo); err != nil {
		return fmt.Errorf("process of the open pages: %w", err)
	}
	var answer opened
	if err := r.from.Decode(&answer); err != nil {
		return fmt.Errorf("process of the open pages: %w", err)
	}
	if answer.Error != "" || answer.Open != len(todo.Pages) {
		return fmt.Errorf("%d of %d pages are open: %s", answer.Open, len(todo.Pages), answer.Error)
	}
	return nil
}

// close has the pages wait for the last of so many comments and tell what came.
func (r *readers) close(comments int) ([][]sighting, error) {
	if err := r.to.Encode(written{comments}); err != nil {
		return nil, fmt.Errorf("process of the open pages: %w", err)
	}
	var answer followed
	if err := r.from.Decode(&answer); err != nil {
		return nil, fmt.Errorf("process of the open pages: %w", err)
	}
	return answer.Seen, nil
}

// stop ends the process. One that has nothing more to say is killed.
func (r *readers) stop(well bool) error {
	if !well {
		r.kill()
		_ = r.end() // why it ended is known
		return nil
	}
	return r.end()
}

// Follow is a part of the bench that is a process of its own: it is told what to
// do on one stream and answers on the other, and ends with the first.
func Follow(ctx context.Context, in io.Reader, out io.Writer) error {
	from, to := json.NewDecoder(in), json.NewEncoder(out)
	var part string
	if err := from.Decode(&part); err != nil {
		return fmt.Errorf("which part of the bench to be: %w", err)
	}
	switch part {
	case partPages:
		return follow(ctx, from, to)
	case partSwarm:
		return swarming(ctx, from, to)
	case partVisitors:
		return visitingPart(ctx, from, to)
	case partMembers:
		return membersPart(ctx, from, to)
	case partStrangers:
		return strangersPart(ctx, from, to)
	}
	return fmt.Errorf("the bench has no part %q", part)
}

// follow opens pages, and notes when which comments arrive.
func follow(ctx context.Context, from *json.Decoder, to *json.Encoder) error {
	var todo task
	if err := from.Decode(&todo); err != nil {
		return fmt.Errorf("what pages to open: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	pages, err := openAll(ctx, todo)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for _, p := range pages {
		wg.Go(func() { p.follow(ctx) })
	}
	answer := opened{Open: len(pages)}
	if err != nil {
		answer.Error = err.Error()
	}
	if err := errors.Join(to.Encode(answer), err); err != nil {
		return err
	}
	var done written
	if err := from.Decode(&done); err != nil {
		return fmt.Errorf("how many comments there were: %w", err)
	}
	limit, stop := context.WithTimeout(ctx, lastFrameWithin)
	defer stop()
	result := followed{Seen: make([][]sighting, len(pages))}
	for i, p := range pages {
		p.await(limit, done.Comments-1)
		result.Seen[i] = p.seen()
	}
	return to.Encode(result)
}
