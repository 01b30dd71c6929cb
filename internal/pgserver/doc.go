// Package pgserver runs a private PostgreSQL: for `amstel serve` with a data folder that is
// kept, and for tests with one that is removed afterwards.
//
// A private server listens on a unix socket in a folder that only its user can enter, and
// never on the network. If root starts it, it runs as an unprivileged user, because
// PostgreSQL refuses to run as root. It ends with the process that started it, even if that
// process is killed.
//
// The package keeps one law: a data folder has one owner at a time, the process that holds
// the lock file in it. Other processes join the server of the owner. When the owner stops,
// one of them starts the server again, at the same address.
//
// The package knows nothing of what the database stores.
package pgserver
