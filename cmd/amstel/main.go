package main

import (
	"context"
	"net/netip"
	"os"
	"os/signal"
	"syscall"
)

// reached is called with the name of each point that the work of this process reaches. It is nil in a
// server. Tests set it before main, to kill the process at a point.
var reached func(point string)

// permitted are the addresses beside the public ones to which pushes may go: of servers of tests.
var permitted []netip.AddrPort

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}
