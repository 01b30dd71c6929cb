package primary

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestTranslateUnreachable: after PostgreSQL has ended a connection, a client may try again.
func TestTranslateUnreachable(t *testing.T) {
	t.Parallel()
	for code, unavailable := range map[string]bool{
		"57P01": true,  // shutting down
		"25P03": true,  // idle in a transaction for too long
		"08006": true,  // the connection failed
		"42601": false, // a syntax error
	} {
		if err := translate(&pgconn.PgError{Code: code}); errors.Is(err, ErrUnavailable) != unavailable {
			t.Errorf("%s is translated to %v", code, err)
		}
	}
}
