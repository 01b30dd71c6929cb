package debian

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// build builds the program, and a package of it for each version, without compression. The flags
// are those of the tests, so that only linking takes time.
func build(t *testing.T, versions ...string) []string {
	t.Helper()
	folder := t.TempDir()
	program := filepath.Join(folder, "amstel")
	do := func(env, name string, args ...string) {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = "../..", append(os.Environ(), env)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
	}
	do("", "go", "build", "-ldflags=-s -w", "-o", program, "./cmd/amstel")
	var files []string
	for _, version := range versions {
		file := filepath.Join(folder, version+".deb")
		do("COMPRESS=none", "scripts/package", program, file, version)
		files = append(files, file)
	}
	return files
}

// status returns the status of a page, and the page.
func status(t *testing.T, client *http.Client, address string) (int, string) {
	t.Helper()
	response, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// TestPackage installs the package into a copy of the system, starts its service, signs in, makes a
// backup, upgrades while the service runs, removes and purges. The data outlive everything but the
// purge, the edited settings the upgrade, and a backup all.
func TestPackage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and installs a package")
	}
	t.Parallel()
	packages := build(t, "1.0", "1.1")
	r := newRoot(t)
	r.put(packages[0], "/tmp/1.0.deb")
	// The next version has another settings file.
	r.put(packages[1], "/tmp/next.deb")
	r.run(`dpkg-deb -R /tmp/next.deb /tmp/next && echo '# One more line.' >>/tmp/next/etc/amstel/amstel.env && dpkg-deb -Znone --build /tmp/next /tmp/1.1.deb`)
	// systemd does not run in the root, so the calls of systemctl are written down.
	r.run(`mkdir -p /run/systemd/system
cat >/usr/local/bin/systemctl <<'END'
#!/bin/sh
echo "$*" >>/tmp/calls
[ "$1" != list-units ] || echo 'amstel-web@8081.service loaded active running Amstel'
END
chmod +x /usr/local/bin/systemctl`)
	calls := func() string { return r.run("cat /tmp/calls; : >/tmp/calls") }

	r.run("dpkg -i /tmp/1.0.deb")
	for _, tt := range []struct{ path, want string }{
		{"/etc/amstel/amstel.env", "600 root root"},
		{"/var/lib/amstel", "700 amstel amstel"},
		{"/var/backups/amstel", "700 amstel amstel"},
		{"/usr/bin/amstel", "755 root root"},
	} {
		if got := strings.TrimSpace(r.run("stat -c '%a %U %G' " + tt.path)); got != tt.want {
			t.Errorf("%s is %q after the installation, want %q", tt.path, got, tt.want)
		}
	}
	if said := r.run("dpkg --verify amstel"); said != "" {
		t.Errorf("the installed files differ from the package's: %s", said)
	}
	if said := calls(); strings.Contains(said, "start") {
		t.Errorf("the installation starts a service: %s", said)
	}

	r.run("echo LISTEN=127.0.0.1:0 >>/etc/amstel/amstel.env")
	s := r.start("amstel.service")
	if code, text := status(t, http.DefaultClient, s.url+"/"); code != http.StatusOK || !strings.Contains(text, "data-river=") {
		t.Errorf("the first page answers %d", code)
	}
	r.run("amstelctl user add anna --email anna@example.org --password 'correct horse' --admin")
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	anna := &http.Client{Jar: jar}
	link := strings.TrimSpace(r.run("amstelctl user link anna"))
	response, err := anna.PostForm(link, url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	signedIn := func(s *service, when string) {
		t.Helper()
		if _, text := status(t, anna, s.url+"/"); !strings.Contains(text, `data-viewer="anna"`) {
			t.Errorf("anna is not signed in %s", when)
		}
	}
	signedIn(s, "after she used her link")
	if owners := strings.Fields(r.run("find /var/lib/amstel -printf '%u\n' | sort -u")); strings.Join(owners, " ") != "amstel" {
		t.Errorf("the data belong to %q", owners)
	}
	r.run(". /etc/amstel/amstel.env; export AMSTEL_DATA AMSTEL_TO AMSTEL_KEEP; setpriv --reuid=amstel --regid=amstel --clear-groups " + r.setting("amstel-backup.service", "ExecStart"))
	if said := r.run("amstelctl backups --in /var/backups/amstel"); strings.Count(said, "finished, ") != 1 {
		t.Errorf("after a backup the list says %q", said)
	}

	calls()
	r.run("dpkg -i --force-confdef --force-confold /tmp/1.1.deb")
	if said := calls(); !strings.Contains(said, "try-restart amstel.service\n") || !strings.Contains(said, "try-restart amstel-web@8081.service\n") || strings.Contains(said, "stop") {
		t.Errorf("the upgrade calls systemctl so: %s", said)
	}
	if text := r.run("cat /etc/amstel/amstel.env; ls /etc/amstel"); !strings.Contains(text, "LISTEN=127.0.0.1:0") || strings.Contains(text, "One more line") || !strings.Contains(text, "amstel.env.dpkg-dist") {
		t.Errorf("after the upgrade the settings are %s", text)
	}
	signedIn(s, "while the upgraded service waits for its restart")
	s.stop()
	s = r.start("amstel.service")
	signedIn(s, "after the upgrade")
	s.stop()

	calls()
	if said := r.run("dpkg -r amstel"); !strings.Contains(said, "still in /var/lib/amstel") {
		t.Errorf("the removal says %q", said)
	}
	if said := calls(); !regexp.MustCompile(`disable --now .*amstel\.service`).MatchString(said) || !strings.Contains(said, "stop amstel-web@") {
		t.Errorf("the removal calls systemctl so: %s", said)
	}
	if said, there := r.try("ls /usr/bin/amstel /usr/lib/systemd/system/amstel.service"); there {
		t.Errorf("after the removal there are %s", said)
	}
	r.run("grep -q LISTEN /etc/amstel/amstel.env && test -e /var/lib/amstel/postgres/data/PG_VERSION && id amstel")
	r.run("dpkg -i /tmp/1.1.deb")
	s = r.start("amstel.service")
	signedIn(s, "after the package was removed and installed again")
	s.stop()

	if said := r.run("dpkg -P amstel"); !strings.Contains(said, "still in /var/backups/amstel") {
		t.Errorf("the purge says %q", said)
	}
	for _, left := range []string{"/etc/amstel", "/var/lib/amstel", "/usr/share/doc/amstel", "/usr/lib/systemd/system/amstel.service.d"} {
		if _, there := r.try("ls -d " + left); there {
			t.Errorf("the purge leaves %s", left)
		}
	}
	if _, there := r.try("id amstel"); there {
		t.Error("the purge leaves the user")
	}
	if said := r.run("ls /var/backups/amstel"); !strings.Contains(said, "files") {
		t.Errorf("after the purge the backups are %q", said)
	}
}

// TestUnits checks the units of the installed package by systemd's own tool, their exposure, and that
// the program reads every setting of the settings file.
func TestUnits(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and installs a package")
	}
	t.Parallel()
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		missing(t, "there is no systemd-analyze")
	}
	r := newRoot(t)
	r.put(build(t, "1.0")[0], "/tmp/1.0.deb")
	r.run("dpkg -i /tmp/1.0.deb")
	names := []string{"amstel.service", "amstel-web@8081.service", "amstel-cron.service", "amstel-backup.service", "amstel-backup.timer"}
	if said, ok := r.try("cd /usr/lib/systemd/system && systemd-analyze verify --man=no " + strings.Join(names, " ")); said != "" || !ok {
		t.Errorf("systemd-analyze verify says %s", said)
	}
	for _, name := range names[:4] {
		// The scale is from 0 to 10, in tenths. A service without limits has 96.
		out, ok := r.try("systemd-analyze security --offline=true --threshold=21 --no-pager " + name)
		if !ok {
			t.Errorf("%s is too exposed: %s", name, out)
		}
	}
	help := strings.Join(strings.Fields(r.run("amstel serve --help; amstel backup --help")), " ")
	settings := regexp.MustCompile(`(?m)^#?([A-Z_0-9]+)=`).FindAllStringSubmatch(r.run("cat /etc/amstel/amstel.env"), -1)
	for _, setting := range settings {
		if !strings.Contains(help, "$"+setting[1]+")") && !strings.Contains(help, "$"+setting[1]+",") {
			t.Errorf("amstel.env has %s, which the program does not read", setting[1])
		}
	}
	if len(settings) < 8 {
		t.Errorf("amstel.env has only %d settings", len(settings))
	}
}
