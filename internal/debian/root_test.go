package debian

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A root is a copy of the machine's system: an overlay in a mount namespace of its own, so that
// nothing in the root changes the machine. Its processes have a PID namespace, and are killed when
// the test ends, or when the test's process dies.
type root struct {
	t      *testing.T
	holder string // the process that keeps the namespaces
	path   string // of the root, in the mount namespace
}

// copySystem is the program of the holder. The overlay is in memory, because the file system of a
// container may not be able to carry it. /proc is the machine's until the root has its own, so the
// holder reads its process id as the machine sees it.
const copySystem = `
read pid rest </proc/self/stat
mount -t tmpfs tmpfs "$1"
mkdir "$1/changes" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/changes,workdir=$1/work" "$1/root"
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$1/root/tmp"
mount -t tmpfs tmpfs "$1/root/run"
echo "$pid"
exec cat
`

// newRoot makes a root without Amstel.
func newRoot(t *testing.T) *root {
	t.Helper()
	r := &root{t: t, path: filepath.Join(t.TempDir(), "root")}
	holder := exec.Command("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", copySystem, "sh", filepath.Dir(r.path))
	if os.Geteuid() != 0 {
		holder.Args = append([]string{"sudo", "-n"}, holder.Args...)
		holder.Path, _ = exec.LookPath("sudo")
	}
	in, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	holder.Stderr = &said
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = holder.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = in.Close()
		_ = holder.Wait()
		missing(t, fmt.Sprintf("no copy of the system can be made, which takes root and the right to mount: %s", said.String()))
	}
	r.holder = strings.TrimSpace(line)
	r.run(`dpkg --purge amstel 2>/dev/null; rm -rf /etc/amstel /var/lib/amstel /var/backups/amstel; ! id amstel 2>/dev/null || deluser --quiet --system amstel`)
	return r
}

// missing fails the test if CI is set, and else skips the test.
func missing(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip("SKIPPED, NOT TESTED: " + why)
}

// command returns a command that runs a shell script in the root.
func (r *root) command(script string) *exec.Cmd {
	args := []string{"nsenter", "--target", r.holder, "--mount", "--pid", "chroot", r.path, "/usr/bin/env", "-i", "LANG=C.UTF-8",
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "/bin/sh", "-ec", script}
	if os.Geteuid() != 0 {
		args = append([]string{"sudo", "-n"}, args...)
	}
	return exec.Command(args[0], args[1:]...)
}

// try runs a shell script in the root, and returns what it printed and whether it succeeded.
func (r *root) try(script string) (string, bool) {
	out, err := r.command(script).CombinedOutput()
	return string(out), err == nil
}

// run runs a shell script in the root, and returns what it printed. A script that fails ends the
// test.
func (r *root) run(script string) string {
	r.t.Helper()
	out, ok := r.try(script)
	if !ok {
		r.t.Fatalf("%s\nfails in the root:\n%s", script, out)
	}
	return out
}

// put copies a file of the machine into the root.
func (r *root) put(from, to string) {
	r.t.Helper()
	file, err := os.Open(from)
	if err != nil {
		r.t.Fatal(err)
	}
	defer file.Close()
	cmd := r.command("cat >" + to)
	cmd.Stdin = file
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("%s: %v: %s", to, err, out)
	}
}

// A service is a running unit of the root.
type service struct {
	root *root
	name string
	cmd  *exec.Cmd
	log  bytes.Buffer
	url  string // of the site
}

// start runs the program of a unit as systemd does, without the limits: as the unit's user, and with
// the unit's settings. It waits until the unit prints the address of its site.
func (r *root) start(unit string) *service {
	r.t.Helper()
	s := &service{root: r, name: unit}
	s.cmd = r.command(fmt.Sprintf(`
cd /var/lib/amstel
echo $$ >/run/%[1]s.pid
set -a
. /etc/amstel/amstel.env
exec setpriv --reuid=amstel --regid=amstel --clear-groups --no-new-privs -- %[2]s`, unit, r.setting(unit, "ExecStart")))
	s.cmd.Stderr = &s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	reader := bufio.NewReader(out)
	line, err := reader.ReadString('\n')
	if err != nil {
		_ = s.cmd.Wait()
		r.t.Fatalf("%s did not start: %s", unit, s.log.String())
	}
	s.url = strings.TrimSpace(line)
	return s
}

// stop stops a service as systemd does, by SIGTERM.
func (s *service) stop() {
	s.root.t.Helper()
	s.root.run("kill -TERM $(cat /run/" + s.name + ".pid)")
	if err := s.cmd.Wait(); err != nil {
		s.root.t.Errorf("%s ended with %v: %s", s.name, err, s.log.String())
	}
}

// setting returns the value of a setting of an installed unit.
func (r *root) setting(unit, name string) string {
	r.t.Helper()
	for line := range strings.Lines(r.run("cat /usr/lib/systemd/system/" + unit)) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+"="); ok {
			return value
		}
	}
	r.t.Fatalf("%s has no %s", unit, name)
	return ""
}
