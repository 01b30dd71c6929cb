package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"syscall"
)

// listen opens a listener at the address of --listen.
func listen(ctx context.Context, address string) (net.Listener, error) {
	return listenAs(ctx, "--listen", address)
}

// listenAs opens a listener at the address that a flag gave.
func listenAs(ctx context.Context, flag, address string) (net.Listener, error) {
	if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
		return nil, &settingError{fmt.Sprintf("%s: %q is not like 127.0.0.1:8080", flag, address)}
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	_, unknown := errors.AsType[*net.DNSError](err)
	addrErr, isAddr := errors.AsType[*net.AddrError](err)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("another program listens on %s: stop it, or choose another address with %s", address, flag)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("this user may not listen on %s: choose a port above 1023 with %s", address, flag)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, &settingError{fmt.Sprintf("%s: %s is not an address of this machine", flag, address)}
	case isAddr:
		return nil, &settingError{fmt.Sprintf("%s: %q: %s", flag, address, addrErr.Err)}
	case unknown:
		return nil, &settingError{fmt.Sprintf("%s: the host of %q is not known", flag, address)}
	case err != nil:
		return nil, fmt.Errorf("listen: %w", err)
	}
	return listener, nil
}

// publicURL returns the public address of the site: the given address, or, if none is given, the
// address of the listener in the form that a browser on this machine can open.
func publicURL(given string, listener net.Listener) (string, error) {
	if given == "" {
		host, port, err := net.SplitHostPort(listener.Addr().String())
		if err != nil {
			return "", fmt.Errorf("listening address: %w", err)
		}
		if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
			host = "localhost"
		}
		return "http://" + net.JoinHostPort(host, port), nil
	}
	u, err := url.Parse(given)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.Path != "" && u.Path != "/" || u.RawQuery != "" {
		return "", &settingError{fmt.Sprintf("--url: %q is not like https://amstel.example", given)}
	}
	return u.Scheme + "://" + u.Host, nil
}
