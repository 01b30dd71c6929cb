// Package metrics counts and measures what a process does, for Prometheus: one
// registry, made by [New], which others hand what they have to. Nothing of it is
// global.
//
// What a node and its sockets know of themselves they are asked for when the
// metrics are read ([Metrics.Node], [Metrics.Sockets], [Metrics.Pool]); what can
// only be seen as it happens is told here then: requests, turns, builds and
// periodic jobs.
//
// It keeps one law. No label says who somebody is or what he wrote, and each has
// few values, known beforehand: kinds of river, patterns of routes, codes,
// classes, jobs. So the metrics do not grow with what people ask for.
//
// They tell a lot about a server, so not everybody may read them: see [Readers].
package metrics
