package backup

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"amstel.dev/amstel/internal/pgserver"
)

// passed are the settings of an address that only libpq understands as they are written, and their variables.
var passed = map[string]string{
	"sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT", "sslcert": "PGSSLCERT", "sslkey": "PGSSLKEY", "sslnegotiation": "PGSSLNEGOTIATION",
	"channel_binding": "PGCHANNELBINDING", "target_session_attrs": "PGTARGETSESSIONATTRS", "krbsrvname": "PGKRBSRVNAME",
}

// keyword matches a setting of an address in the form key=value, and its value.
var keyword = regexp.MustCompile(`(\w+)\s*=\s*('(?:[^'\\]|\\.)*'|\S*)`)

// environment returns the variables with which a program of PostgreSQL connects to the database of an address. They are
// variables and not arguments, because other users of the machine can read arguments, and an address may have a
// password. The address may have settings of pgx, which libpq would refuse.
func environment(address string) ([]string, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	var servers, hosts, ports []string
	for _, server := range append([]*pgconn.FallbackConfig{{Host: config.Host, Port: config.Port}}, config.Fallbacks...) {
		port := fmt.Sprint(server.Port)
		if at := net.JoinHostPort(server.Host, port); !slices.Contains(servers, at) { // each is there twice with sslmode=prefer
			servers, hosts, ports = append(servers, at), append(hosts, server.Host), append(ports, port)
		}
	}
	env := []string{
		"PGHOST=" + strings.Join(hosts, ","), "PGPORT=" + strings.Join(ports, ","), "PGUSER=" + config.User, "PGDATABASE=" + config.Database,
		"LC_ALL=C.UTF-8", // messages in English
	}
	if config.Password != "" {
		env = append(env, "PGPASSWORD="+config.Password)
	}
	set := func(key, value string) {
		if name := passed[key]; name != "" && value != "" {
			env = append(env, name+"="+value)
		}
	}
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		at, err := url.Parse(address)
		if err != nil {
			return nil, err
		}
		for key, values := range at.Query() {
			set(key, values[0])
		}
		return env, nil
	}
	for _, found := range keyword.FindAllStringSubmatch(address, -1) {
		value := found[2]
		if inner, ok := strings.CutPrefix(value, "'"); ok {
			value = strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(strings.TrimSuffix(inner, "'"))
		}
		set(found[1], value)
	}
	return env, nil
}

// A tool is a client program of PostgreSQL.
type tool struct {
	path string
	env  []string
}

// newTool returns a program for the database of a site, whose server has a major version.
func newTool(ctx context.Context, s Site, name string, major int) (*tool, error) {
	path, err := pgserver.Tool(ctx, s.Programs, name, major)
	if err != nil {
		return nil, err
	}
	env, err := environment(s.URL)
	if err != nil {
		return nil, err
	}
	return &tool{path, env}, nil
}

// run runs the program to its end. Its error has what the program wrote to the standard error, on one line.
func (t *tool) run(ctx context.Context, in io.Reader, out io.Writer, args ...string) error {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, t.path, append(args, "--no-password")...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, &said
	cmd.Env = append(cmd.Environ(), t.env...)
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %s", t.path, err, strings.Join(strings.Fields(said.String()), " "))
	}
	return nil
}
