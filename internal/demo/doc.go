// Package demo has an invented community for people who want to see a site live: about twenty people
// with groups, a few weeks of posts and comments, and an account for a guest.
//
// [Make] writes the community into an empty primary, by an import. [Run] lets its people act through the
// API, as any program can: they post, comment and like at a rhythm that a person can follow, and they
// answer what the guest and other people write. The file community.toml has all people and texts.
//
// The site does not grow without limit: before a post is written, the oldest posts of the invented
// people are deleted, so that a fixed number stays. Posts of other people stay.
package demo
