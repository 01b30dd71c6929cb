// Package metrics counts and measures the work of a process, for Prometheus. [New] makes a
// registry, to which the parts of the process add their metrics. Nothing is global.
//
// Numbers that a part keeps itself are read when the metrics are read: the numbers of a node
// ([Metrics.Node]), of its sockets ([Metrics.Sockets]) and of the connections ([Metrics.Pool]).
// Events are recorded as they happen: requests, turns, builds and periodic jobs.
//
// The package keeps one rule: no label identifies a person or quotes a text, and each label has few
// values, all known beforehand: kinds of river, patterns of routes, codes, classes, jobs. So the
// metrics do not grow with the requests of visitors.
//
// Metrics tell much about a server. [Readers] decides which clients may read them.
package metrics
