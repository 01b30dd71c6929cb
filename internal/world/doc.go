// Package world makes random writes on a site, for tests: people write posts and comments,
// like, subscribe, request, invite, ban, exclude, hide, change their statuses, move posts,
// rename themselves, and delete their accounts. All writes go through the methods of a
// [timeline.Store]. The same seed gives the same writes.
//
// A write that a rule refuses is no fault; [Refused] tells a refusal from a fault. Every text
// contains a secret of its own ([Secrets]), so that a test can search for the text wherever
// it must not be.
package world
