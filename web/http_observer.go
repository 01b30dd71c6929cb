package web

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// An Observer is told what the site does, to count it.
type Observer interface {
	// Request is told of each request: the pattern of its route (empty: it had
	// none), never the path, and its status; 0: nobody waited for the answer.
	Request(route, method string, status int, took time.Duration)
	// Refused is told the code of each failure that was answered.
	Refused(code string)
}

// incidentHeader is what a fault of ours is called by, in its answer and in the log.
const incidentHeader = "Amstel-Incident"

func newIncident() string {
	var id [6]byte
	_, _ = rand.Read(id[:]) // which never fails
	return hex.EncodeToString(id[:])
}
