package pgserver

// settings returns the options of PostgreSQL for a profile. They are given on the command
// line, so that a folder that an older Amstel made gets today's options too.
func settings(p Profile) []string {
	common := []string{
		"listen_addresses=",
		"unix_socket_permissions=0700",
		"max_connections=200",
		"timezone=UTC",
		"log_timezone=UTC",
		// Compiling a query takes longer than the queries of this server run.
		"jit=off",
		// The others leave segments in /dev/shm when killed, and /dev/shm
		// is 64 MB in a container.
		"dynamic_shared_memory_type=mmap",
	}
	if p == Test {
		return append(common,
			"shared_buffers=64MB",
			"fsync=off",
			"full_page_writes=off",
			// A commit survives when the server is killed, though not when the machine
			// is. Tests depend on it.
			"synchronous_commit=on",
			"max_wal_size=256MB",
			"checkpoint_timeout=1h",
		)
	}
	return append(common,
		"fsync=on",
		"synchronous_commit=on",
		"full_page_writes=on",
		"shared_buffers=256MB",
		"effective_cache_size=1GB",
		"work_mem=16MB",
		"maintenance_work_mem=128MB",
		"wal_compression=on",
		"max_wal_size=2GB",
		"min_wal_size=256MB",
		"checkpoint_timeout=15min",
		"random_page_cost=1.1",
		// Reading timeline entries uses an index-only scan, which needs a recent vacuum.
		"autovacuum_naptime=15s",
		"autovacuum_vacuum_scale_factor=0.05",
		"autovacuum_vacuum_insert_scale_factor=0.05",
		"autovacuum_analyze_scale_factor=0.05",
		"autovacuum_vacuum_cost_limit=2000",
		"log_lock_waits=on",
		"log_line_prefix=%m [%p] %q%u@%d ",
	)
}
