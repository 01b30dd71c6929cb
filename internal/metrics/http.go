package metrics

import (
	"slices"
	"strconv"
	"time"
)

// HTTP adds the metrics of requests.
func (m *Metrics) HTTP() {
	m.requests = m.counters("http_requests_total", "Requests, by the pattern of their route (other: none) and the class of their answer (gone: the client had gone).", "route", "method", "class")
	m.answered = m.histograms("http_request_duration_seconds", "How long answers took, without upgrades to sockets.", []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}, "route", "method")
	m.refused = m.counters("http_refused_total", "Requests that failed, by the code in the JSON answer: throttled, invalid, behind, fault and so on.", "code")
}

// methods are the methods that have label values of their own.
var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

// other is the label value of everything without a label value of its own.
const other = "other"

// Request records an answered request: the pattern of its route (never the path) and its status,
// or 0 if the client had gone.
func (m *Metrics) Request(route, method string, status int, took time.Duration) {
	if route == "" || route == "/*" {
		route = other
	}
	if !slices.Contains(methods, method) {
		method = other
	}
	m.requests.WithLabelValues(route, method, class(status)).Inc()
	if status != upgraded {
		m.answered.WithLabelValues(route, method).Observe(took.Seconds())
	}
}

// upgraded is the status of an upgrade to a socket.
const upgraded = 101

func class(status int) string {
	switch {
	case status == 0:
		return "gone"
	case status < 100 || status > 599:
		return other
	}
	return strconv.Itoa(status/100) + "xx"
}

// Refused records a failed request, by the code of its failure.
func (m *Metrics) Refused(code string) { m.refused.WithLabelValues(code).Inc() }
