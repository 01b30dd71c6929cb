package main

import (
	"errors"
	"net"
	"strings"
	"testing"
)

func TestListenRefuses(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() })
	for _, tt := range []struct {
		address, want string
		setting       bool
	}{
		{taken.Addr().String(), "another program listens on", false},
		{"8080", "not like", true},
		{"127.0.0.1:", "not like", true},
		{"127.0.0.1:99999", "invalid port", true},
		{"127.0.0.1:nowhere", "not known", true},
		{"203.0.113.7:0", "is not an address of this machine", true},
	} {
		t.Run(tt.address, func(t *testing.T) {
			t.Parallel()
			listener, err := listen(t.Context(), tt.address)
			if err == nil {
				listener.Close()
				t.Fatal("the address is not refused")
			}
			_, setting := errors.AsType[*settingError](err)
			if setting != tt.setting || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, a bad setting: %v; want %q, %v", err, setting, tt.want, tt.setting)
			}
		})
	}
}

// An at is a listener that has an address and cannot listen.
type at struct{ net.Listener }

func (at) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 5000} }

// everywhere is a listener like at, with the address that stands for all addresses of the machine.
type everywhere struct{ net.Listener }

func (everywhere) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv6zero, Port: 5000} }

func TestPublicURL(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		given    string
		listener net.Listener
		want     string // empty: refused
	}{
		{"", at{}, "http://127.0.0.1:5000"},
		{"", everywhere{}, "http://localhost:5000"},
		{"https://amstel.example", at{}, "https://amstel.example"},
		{"https://amstel.example/", at{}, "https://amstel.example"},
		{"https://amstel.example/sub", at{}, ""},
		{"amstel.example", at{}, ""},
		{"ftp://amstel.example", at{}, ""},
		{"https://", at{}, ""},
	} {
		got, err := publicURL(tt.given, tt.listener)
		if got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%q: %q, %v, want %q", tt.given, got, err, tt.want)
		}
	}
}
