package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// The parts that are processes of their own. The first thing that such a process
// is told is which it is to be.
const (
	partSockets   = "sockets"   // see serveSockets
	partVisitors  = "visitors"  // see serveVisitors
	PartMembers   = "members"   // see serveMembers
	PartStrangers = "strangers" // see serveStrangers
)

// lastFrameWithin is how long the last frames are waited for.
const lastFrameWithin = 10 * time.Second

// A Process runs a part of the clients; without a command it is a part of this process.
type Process struct {
	to   *json.Encoder
	from *json.Decoder
	end  func() error // of the process, once it may end by itself
	kill func()
}

// Start starts the process of a part, which command makes. Without a command the
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

// startProcess starts the process, or does without one. One that gives way runs
// only when no other wants to.
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
		_ = in.Close() // it may have ended
		return command.Wait()
	}, cancel}, nil
}

// Stop ends the process, and kills it where the run has failed.
func (r *Process) Stop(well bool) error {
	if !well {
		r.kill()
		_ = r.end() // why it ended is known
		return nil
	}
	return r.end()
}

// Serve runs a part of the clients in a process of its own: the part is told what to do
// on one stream, answers on the other, and ends with the first.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	from, to := json.NewDecoder(in), json.NewEncoder(out)
	var part string
	if err := from.Decode(&part); err != nil {
		return fmt.Errorf("which clients to be: %w", err)
	}
	switch part {
	case partSockets:
		return serveSockets(ctx, from, to)
	case partVisitors:
		return serveVisitors(ctx, from, to)
	case PartMembers:
		return serveMembers(ctx, from, to)
	case PartStrangers:
		return serveStrangers(ctx, from, to)
	}
	return fmt.Errorf("there are no clients %q", part)
}

// Pause waits for a while, if the context lets it.
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

// Ask tells a process something and waits for its answer.
func Ask[A any](p *Process, what any) (answer A, err error) {
	if err = p.to.Encode(what); err == nil {
		err = p.from.Decode(&answer)
	}
	if err != nil {
		err = fmt.Errorf("process of the bench: %w", err)
	}
	return answer, err
}
