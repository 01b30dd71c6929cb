package metrics

import (
	"slices"
	"strconv"
	"time"
)

// HTTP adds the requests that a site answers.
func (m *Metrics) HTTP() {
	m.requests = m.counters("http_requests_total", "Requests, by the pattern of their route (other: none) and the class of their answer (gone: nobody waited for it).", "route", "method", "class")
	m.answered = m.histograms("http_request_duration_seconds", "How long answering took; a socket's upgrade is not among them.", []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}, "route", "method")
	m.refused = m.counters("http_refused_total", "Requests that came to nothing, by the code that JSON tells: throttled, invalid, behind, fault and so on.", "code")
}

// methods are those that are told apart.
var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

// other is what stands for all that is not told apart.
const other = "other"

// Request is told of a request that was answered: the pattern of its route, never
// its path, and its status; 0: nobody waited for it.
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

// upgraded is the status of a request that became a socket.
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

// Refused is told of a request that came to nothing, by the code of its failure.
func (m *Metrics) Refused(code string) { m.refused.WithLabelValues(code).Inc() }
