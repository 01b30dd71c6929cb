// Package world makes random things happen on a site, for tests: people write,
// like, subscribe, ask, invite, ban, exclude, hide, flip their statuses, move
// posts, leave, rename themselves and go. It does so through the methods of a
// [timeline.Store] and nothing else, repeatably for a seed.
//
// What a rule refuses counts as nothing; [Refused] tells such a refusal
// from a fault. Every text that is written carries a secret of its
// own, see [Secrets], so that a test can look for it wherever it must not be.
package world
