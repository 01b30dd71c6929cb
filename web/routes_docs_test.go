package web

import (
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"amstel.dev/amstel/internal/apitest"
	"amstel.dev/amstel/web/openapi"
	"amstel.dev/amstel/web/static"
)

// TestOpenAPINamesEveryRoute compares the routes with the operations of the OpenAPI document, both
// ways: each route is an operation, and each operation is served.
func TestOpenAPINamesEveryRoute(t *testing.T) {
	t.Parallel()
	served := map[string]bool{}
	err := chi.Walk(newSite(t).routes, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if path := apitest.Path(route); method == http.MethodGet || !strings.HasPrefix(path, static.Prefix) {
			served[method+" "+strings.TrimSuffix(path, ".json")] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, topic := range openapi.Topics() {
		for _, o := range topic.Operations {
			documented[o.Method+" "+strings.TrimSuffix(o.Path, ".json")] = true
		}
	}
	documented["GET /"] = true // which is GET /index.json
	if len(documented) < 200 {
		t.Errorf("the document has only %d operations", len(documented))
	}
	for _, route := range slices.Sorted(maps.Keys(served)) {
		if !documented[route] {
			t.Errorf("web/openapi does not have %s", route)
		}
	}
	for _, operation := range slices.Sorted(maps.Keys(documented)) {
		if !served[operation] {
			t.Errorf("web/openapi has %s, which is not served", operation)
		}
	}
}

// TestWireNamesEveryRouteOfTheAPI compares the routes under /api/v1 with the tables of
// docs/wire.md, both ways: each route is in a table, and nothing else is.
func TestWireNamesEveryRouteOfTheAPI(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/wire.md")
	if err != nil {
		t.Fatal(err)
	}
	served := map[string]bool{}
	err = chi.Walk(newSite(t).routes, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		path, ours := strings.CutPrefix(route, "/api/v1")
		if ours && !strings.HasPrefix(path, "/posts/{name}/") { // the other way to write /posts/ID
			served[method+" "+regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(path, "*")] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	documented := documentedRoutes(string(text))
	if len(documented) < 80 {
		t.Errorf("docs/wire.md has only %d routes", len(documented))
	}
	for _, route := range slices.Sorted(maps.Keys(served)) {
		if !documented[route] {
			t.Errorf("docs/wire.md does not have %s", route)
		}
	}
	for _, route := range slices.Sorted(maps.Keys(documented)) {
		if !served[route] {
			t.Errorf("docs/wire.md has %s, which is not served", route)
		}
	}
}

// documentedRoutes returns the routes in the first column of a page's tables, as "POST
// /users/*/ban". It leaves out routes outside /api/v1, and routes that the page calls missing.
func documentedRoutes(page string) map[string]bool {
	documented := map[string]bool{}
	before, rest, _ := strings.Cut(page, "\n## Not served yet\n")
	_, after, _ := strings.Cut(rest, "\n## ")
	word := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(before + "\n## " + after) {
		cell, inTable := strings.CutPrefix(line, "| ")
		cell, _, _ = strings.Cut(cell, " | ")
		if !inTable {
			continue
		}
		var methods, paths []string
		for _, quoted := range word.FindAllStringSubmatch(cell, -1) {
			for part := range strings.FieldsSeq(quoted[1]) {
				if slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, part) {
					methods = append(methods, part)
				} else if path, _, _ := strings.Cut(part, "?"); !strings.HasSuffix(path, ".json") {
					paths = append(paths, "/"+strings.TrimPrefix(path, "/"))
				}
			}
		}
		for _, path := range paths {
			for _, feed := range []string{"users/NAME", "users/NAME/private", "groups/NAME"} {
				one := strings.Replace(path, "FEED", feed, 1)
				for _, method := range methods {
					documented[method+" "+regexp.MustCompile(`\b[A-Z]+\b`).ReplaceAllString(one, "*")] = true
				}
			}
		}
	}
	return documented
}

// TestWireNamesEveryWriteOutsideOfTheAPI compares the routes that write outside /api/v1 with the
// routes that docs/wire.md names: our own pages use the API.
func TestWireNamesEveryWriteOutsideOfTheAPI(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/wire.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n### Requests of our own pages\n")
	section, _, _ = strings.Cut(section, "\n##")
	documented := map[string]bool{}
	for _, found := range regexp.MustCompile("`((?:POST|PUT|PATCH|DELETE) /[^`]*)`").FindAllStringSubmatch(section, -1) {
		documented[found[1]] = true
	}
	err = chi.Walk(newSite(t).routes, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		name := method + " " + route
		if reads := method == http.MethodGet || method == http.MethodHead; !reads && !strings.HasPrefix(route, "/api/v1/") && !strings.HasPrefix(route, "/static/") && !documented[name] {
			t.Errorf("docs/wire.md does not have %s", name)
		}
		delete(documented, name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range documented {
		if name != "POST /users" {
			t.Errorf("docs/wire.md has %s, which is not served", name)
		}
	}
}
