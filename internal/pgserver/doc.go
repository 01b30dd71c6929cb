// Package pgserver runs a private PostgreSQL: for `amstel serve` with a lasting data folder, and
// for tests with a folder that is removed afterwards.
//
// A private server listens on a unix socket in a folder that only its user can enter, and never on
// the network. A server that root starts runs as an unprivileged user, because PostgreSQL refuses
// to run as root. The server ends with the process that started it, even if the process is killed.
//
// The package keeps one rule: a data folder has one owner at a time, the process that holds the
// lock file in the folder. Other processes join the server of the owner. When the owner stops,
// another process starts the server again, at the same address.
//
// The package knows nothing of the content of the database.
package pgserver
