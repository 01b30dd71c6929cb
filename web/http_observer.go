package web

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// An Observer counts the site's activity. Many goroutines may call its methods at once.
type Observer interface {
	// Request is called after each request with the pattern of its route (empty: none),
	// never the path, its status (0: the client disconnected before the answer), and its
	// duration.
	Request(route, method string, status int, took time.Duration)
	// Refused is called with the code of each failure that was answered.
	Refused(code string)
}

// incidentHeader is the header with the name of a fault of the server, which the log has too.
const incidentHeader = "Amstel-Incident"

func newIncident() string {
	var id [6]byte
	_, _ = rand.Read(id[:]) // which never fails
	return hex.EncodeToString(id[:])
}
