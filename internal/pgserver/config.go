package pgserver

import "errors"

// A Profile is the purpose of a server, which decides how the server treats the disk.
type Profile int

const (
	// Durable keeps its data folder, and loses no committed transaction.
	Durable Profile = iota
	// Test keeps nothing: it does not sync its files, has them in memory if there is room, and
	// removes its folder in Stop.
	Test
)

// Database is the name of the database of a durable server.
const Database = "amstel"

// ErrMissing reports that no PostgreSQL is installed.
var ErrMissing = errors.New("PostgreSQL is not installed")

// A Config describes a server to start.
type Config struct {
	// Profile is Durable by default.
	Profile Profile
	// Data is the folder in which the server makes its own folder. The Test profile finds a
	// place by itself.
	Data string
	// Copy is a folder made by [Server.CopyTo]. The Test profile begins with a copy of its
	// cluster, which takes a fifth of the time of initdb. Empty means a new cluster.
	Copy string
	// Programs is the folder with postgres and initdb. If it is empty, they are looked
	// for on PATH and in the usual places.
	Programs string
	// Elsewhere is the folder for the data if this process is root, and the unprivileged
	// user of the server can't enter Data. Empty means /var/lib/amstel.
	Elsewhere string
	// Notice is called with a sentence for the operator of the server. It may be nil.
	Notice func(sentence string)
}

func (c Config) notice(sentence string) {
	if c.Notice != nil {
		c.Notice(sentence)
	}
}

func (c Config) fallbackData() string {
	if c.Elsewhere != "" {
		return c.Elsewhere
	}
	return "/var/lib/amstel"
}
