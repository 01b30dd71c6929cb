package client

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
)

// The parts of the clients, each of which runs as a process of its own. The first message to a process
// is the name of its part.
const (
	partSockets   = "sockets"   // see serveSockets
	PartVisitors  = "visitors"  // see [visitors]
	PartMembers   = "members"   // see [members]
	PartLife      = "life"      // see [life]
	PartStrangers = "strangers" // see [strangers]
)

// The orders to visitors, members and strangers. The answer to each order has the results of their
// requests.
const (
	DoVisit = "visit" // starts the clients, which make one request after the other
	DoTell  = "tell"  // only asks for the results
	DoStop  = "stop"  // ends the clients for good
)

// lastFrameWithin is the longest wait for the last frames. A frame that has not arrived by then counts
// as lost.
const lastFrameWithin = time.Minute

// A Process runs a part of the clients, in a process of its own or in goroutines of this one.
type Process struct {
	to   *json.Encoder // writes orders
	from *json.Decoder // reads answers
	end  func() error  // closes the stream of orders, and waits until the process has ended
	kill func()        // makes the process end at once
}

// Start starts the process of a part with the command that command makes. If command is nil, the
// part runs in this process.
func Start(ctx context.Context, command func(context.Context) *exec.Cmd, part string) (*Process, error) {
	started, err := startProcess(ctx, command, part == PartStrangers)
	if err != nil {
		return nil, err
	}
	if err := started.to.Encode(part); err != nil {
		return nil, errors.Join(fmt.Errorf("process of the open pages: %w", err), started.Stop(false))
	}
	return started, nil
}

// startProcess starts the process, or runs its part in this process if newCommand is nil. A process
// that gives way has the lowest priority, so that it runs when others leave a core free.
func startProcess(ctx context.Context, newCommand func(context.Context) *exec.Cmd, givesWay bool) (*Process, error) {
	ctx, cancel := context.WithCancel(ctx)
	if newCommand == nil {
		in, tell := io.Pipe()
		hear, out := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			err := Serve(ctx, in, out)
			_ = out.CloseWithError(err) // always nil
			ended <- err
		}()
		return &Process{json.NewEncoder(tell), json.NewDecoder(hear), func() error {
			defer cancel()
			_ = tell.Close() // always nil
			return <-ended
		}, cancel}, nil
	}
	command := newCommand(ctx)
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
	return &Process{json.NewEncoder(in), json.NewDecoder(out), func() error {
		defer cancel()
		_ = in.Close() // may fail if the process has ended already
		return command.Wait()
	}, cancel}, nil
}

// Stop ends the process and waits for it. If well is false, the measurement has failed: Stop then
// kills the process, and returns no error.
func (r *Process) Stop(well bool) error {
	if !well {
		r.kill()
		_ = r.end() // the error only says that the process was killed
		return nil
	}
	return r.end()
}

// Serve runs a part of the clients in this process: it reads orders from one stream, writes
// answers to the other, and ends when the first stream ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	from, to := json.NewDecoder(in), json.NewEncoder(out)
	var part string
	if err := from.Decode(&part); err != nil {
		return fmt.Errorf("reading the name of the part: %w", err)
	}
	switch part {
	case partSockets:
		return serveSockets(ctx, from, to)
	case PartVisitors:
		return serveOrders(ctx, from, to, &visitors{})
	case PartMembers:
		return serveOrders(ctx, from, to, newMembers())
	case PartLife:
		return serveOrders(ctx, from, to, newLife())
	case PartStrangers:
		return serveOrders(ctx, from, to, &strangers{})
	}
	return fmt.Errorf("there are no clients %q", part)
}

// clients make requests to a site. They are controlled by orders of type O, and the answers are of
// type A.
type clients[O, A any] interface {
	// does returns the action that an order asks for: [DoVisit], [DoTell] or [DoStop].
	does(O) string
	// visit starts the goroutines of the clients in run. They end when the context ends.
	visit(ctx context.Context, run *sync.WaitGroup, o O) error
	// result returns the results of the requests since the last call.
	result() A
}

// serveOrders passes orders on to clients: it reads each order from one stream and writes the
// answer to the other, until the first stream ends.
func serveOrders[O, A any](ctx context.Context, from *json.Decoder, to *json.Encoder, c clients[O, A]) error {
	var run sync.WaitGroup
	defer run.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for {
		var o O
		if err := from.Decode(&o); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("reading an order: %w", err)
		}
		switch c.does(o) {
		case DoVisit:
			if err := c.visit(ctx, &run, o); err != nil {
				return err
			}
		case DoStop:
			cancel()
			run.Wait()
		}
		if err := to.Encode(c.result()); err != nil {
			return err
		}
	}
}

// Pause waits for the duration d, or until the context ends, and then returns the context's error.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Call sends an order to a process and waits for the answer.
func Call[A any](p *Process, order any) (answer A, err error) {
	if err = p.to.Encode(order); err == nil {
		err = p.from.Decode(&answer)
	}
	if err != nil {
		err = fmt.Errorf("process of the bench: %w", err)
	}
	return answer, err
}
