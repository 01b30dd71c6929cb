// Package pool decides how a process connects to the primary: how many connections it opens, and
// how soon it gives up on a vanished primary.
package pool

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// connections is the largest number of connections of a process, unless the URL sets another
	// (pool_max_conns). It replaces the default of the library, which is four on small machines.
	connections = 16
	// connectWithin is how long the opening of a connection may take, unless the URL sets another
	// time (connect_timeout).
	connectWithin = 10 * time.Second
)

// Config returns the configuration of a pool for a URL.
func Config(url string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(url, "pool_max_conns") {
		config.MaxConns = max(config.MaxConns, connections)
	}
	config.ConnConfig.DialFunc = dial
	config.ConnConfig.Tracer = newStrangers(strangersMost(int(config.MaxConns)))
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectWithin
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, lettingGo)
		return err
	}
	return config, nil
}

// lettingGo sets the limits by which the primary ends the transactions of a node that vanished. Without
// them, the locks of these transactions would keep all other nodes waiting until TCP notices, which
// takes hours. No transaction of the project is idle for long between two statements.
const lettingGo = `
	set idle_in_transaction_session_timeout = '30s';
	set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set tcp_user_timeout = '15s'`
