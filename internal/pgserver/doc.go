// Package pgserver runs a private PostgreSQL: for `amstel serve` on a data
// folder that is kept, and for tests on one that is thrown away.
//
// A private server listens on a unix socket in a short folder of its own that
// only its user can enter, and never on the network. It runs as an
// unprivileged user when started by root, as PostgreSQL wants it, and ends
// with the process that started it, however that process ends.
//
// The law it keeps: a data folder has one owner at a time, the process that
// holds the lock file in it. Other processes join the server that runs there;
// when the owner stops, one of them takes the server over at the same address.
//
// What is stored in the database is not known here.
package pgserver
