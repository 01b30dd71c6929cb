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
	// connections is how many a process opens at most, unless the URL says
	// otherwise (pool_max_conns). The library's own default is four.
	connections = 16
	// connectWithin is how long connecting may take, unless the URL says
	// otherwise (connect_timeout).
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

// lettingGo sets the limits by which the primary ends the transactions of a node that vanished. Otherwise their
// locks would keep all others waiting until TCP notices, which takes hours. No transaction of
// the project is idle for long between two statements.
const lettingGo = `
	set idle_in_transaction_session_timeout = '30s';
	set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set tcp_user_timeout = '15s'`
