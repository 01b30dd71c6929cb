package pgserver

import "errors"

// A Profile says what a server is for, and with that how it treats the disk.
type Profile int

const (
	// Durable keeps its data folder, and nothing that was committed is lost.
	Durable Profile = iota
	// Test keeps nothing: no fsync, in memory where there is room, the
	// folder removed by Stop.
	Test
)

// Database is the database that a durable server is for.
const Database = "amstel"

// ErrMissing is wrapped when no PostgreSQL is installed.
var ErrMissing = errors.New("PostgreSQL is not installed")

// A Config says what server to run.
type Config struct {
	// Profile is Durable unless said otherwise.
	Profile Profile
	// Data is the folder that the server's own folder is made in. The Test
	// profile finds a place by itself.
	Data string
	// Programs is the folder that holds postgres and initdb. If empty, PATH
	// and the usual places are looked through.
	Programs string
	// Elsewhere is where the data goes when the unprivileged user that root
	// runs PostgreSQL as can't enter Data; /var/lib/amstel if empty.
	Elsewhere string
	// Notice is told, in a sentence, what the person who started the server
	// should know. It may be nil.
	Notice func(sentence string)
}

func (c Config) notice(sentence string) {
	if c.Notice != nil {
		c.Notice(sentence)
	}
}

func (c Config) elsewhere() string {
	if c.Elsewhere != "" {
		return c.Elsewhere
	}
	return "/var/lib/amstel"
}
