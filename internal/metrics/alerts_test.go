package metrics

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The examples for those who watch a site.
const (
	rulesFile     = "../../docs/prometheus/amstel.rules.yml"
	dashboardFile = "../../docs/grafana/amstel.json"
)

var (
	// used matches a metric in an expression of Prometheus, with what is compared with its labels.
	used = regexp.MustCompile(`\b((?:amstel|process|go)_\w+)(?:\{([^}]*)\})?`)
	// matched matches the name of a label in braces, and grouped the labels after by.
	matched = regexp.MustCompile(`(\w+) *(?:=~|!~|!=|=)`)
	grouped = regexp.MustCompile(`by \(([^)]*)\)`)
)

// unknown lists the metrics of an expression that the server does not serve, and the labels that
// no metric of the expression has.
func unknown(m *Metrics, served, expression string) (found []string) {
	labels := []string{"instance", "le"} // of Prometheus, and of histograms
	metrics := used.FindAllStringSubmatch(expression, -1)
	for _, metric := range metrics {
		if !strings.Contains(served, "\n"+metric[1]+" ") && !strings.Contains(served, "\n"+metric[1]+"{") {
			found = append(found, metric[1])
		}
		own := []string{"instance", "job"}
		for _, d := range m.made {
			if d.name == metric[1] || strings.HasPrefix(metric[1], d.name+"_") && d.kind == "histogram" {
				// Prometheus has a label job of its own.
				own = append(own, strings.Split(strings.ReplaceAll(d.labels, "job", "exported_job"), ", ")...)
			}
		}
		for _, label := range matched.FindAllStringSubmatch(metric[2], -1) {
			if !slices.Contains(own, label[1]) {
				found = append(found, metric[1]+"{"+label[1]+"}")
			}
		}
		labels = append(labels, own...)
	}
	for _, by := range grouped.FindAllStringSubmatch(expression, -1) {
		for label := range strings.SplitSeq(by[1], ", ") {
			if !slices.Contains(labels, label) {
				found = append(found, "by "+label)
			}
		}
	}
	return found
}

// TestAlertsAndDashboardUseMetricsOfTheServer checks that each metric and label of the alerts and
// of the dashboard exists, and that each alert says what happened and where to read what to do. The
// tests of internal/house check that the section exists.
func TestAlertsAndDashboardUseMetricsOfTheServer(t *testing.T) {
	m := all(t)
	served := text(t, m)
	check := func(where, expression string) {
		t.Helper()
		for _, name := range unknown(m, served, expression) {
			t.Errorf("%s: the server has no %s, in %s", where, name, expression)
		}
	}

	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Labels      map[string]string
				Annotations map[string]string
			}
		}
	}
	read, err := os.ReadFile(rulesFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(read, &rules); err != nil {
		t.Fatal(err)
	}
	alerts := 0
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			alerts++
			check(rule.Alert, rule.Expr)
			if rule.Annotations["summary"] == "" || rule.Annotations["description"] == "" || !strings.HasPrefix(rule.Annotations["runbook"], "docs/running.md#") || rule.Labels["severity"] == "" {
				t.Errorf("%s lacks a severity, a summary, a description or a runbook", rule.Alert)
			}
		}
	}

	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if read, err = os.ReadFile(dashboardFile); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(read, &dashboard); err != nil {
		t.Fatal(err)
	}
	queries := 0
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			queries++
			check(panel.Title, target.Expr)
		}
	}
	if alerts < 10 || queries < 20 {
		t.Errorf("there are only %d alerts and %d queries", alerts, queries)
	}
}

// TestUnknownMetricsAreFound: a metric or a label that the server lacks is found wherever an
// expression has it.
func TestUnknownMetricsAreFound(t *testing.T) {
	m := all(t)
	served := text(t, m)
	for _, tt := range []struct{ expression, want string }{
		{`amstel_ready == 0`, ""},
		{`rate(amstel_turn_duration_seconds_bucket[5m])`, ""},
		{`time() - max by (exported_job) (amstel_job_last_success_timestamp_seconds{exported_job="rank"})`, ""},
		{`amstel_redy == 0`, "amstel_redy"},
		{`amstel_ready > 1 or rate(amstel_turns_total[5m]) > 0`, "amstel_turns_total"},
		{`amstel_ready_bucket`, "amstel_ready_bucket"},
		{`amstel_http_requests_total{status="5xx"}`, "amstel_http_requests_total{status}"},
		{`sum by (instance, kind) (amstel_http_requests_total)`, "by kind"},
	} {
		if got := strings.Join(unknown(m, served, tt.expression), " "); got != tt.want {
			t.Errorf("%s: found %q, want %q", tt.expression, got, tt.want)
		}
	}
}
