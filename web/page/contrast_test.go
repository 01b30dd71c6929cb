package page

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stylesheet reads the site's stylesheet.
func stylesheet(t *testing.T) string {
	t.Helper()
	css, err := os.ReadFile("../static/amstel.css")
	if err != nil {
		t.Fatal(err)
	}
	return string(css)
}

// A styleRule is a rule of the stylesheet: its selectors, and its declarations as written.
type styleRule struct {
	selectors    []string
	declarations string
}

// styleRules returns the rules of a stylesheet in their order, including rules within @media.
func styleRules(css string) []styleRule {
	css = regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(css, "")
	var rules []styleRule
	for _, found := range regexp.MustCompile(`([^{};]+)\{([^{}]*)\}`).FindAllStringSubmatch(css, -1) {
		rule := styleRule{declarations: strings.TrimSpace(found[2])}
		for selector := range strings.SplitSeq(found[1], ",") {
			rule.selectors = append(rule.selectors, strings.TrimSpace(selector))
		}
		rules = append(rules, rule)
	}
	return rules
}

// colourTokens returns the colours of the light and the dark scheme. A colour that the dark
// scheme does not set is the light one.
func colourTokens(t *testing.T) map[string]map[string]string {
	t.Helper()
	css := stylesheet(t)
	begin := strings.Index(css, "@media (prefers-color-scheme: dark)")
	if begin < 0 {
		t.Fatal("there is no dark scheme")
	}
	end := begin + strings.Index(css[begin:], "\n}\n")
	colour := regexp.MustCompile(`--([a-z-]+):\s*(#[0-9a-f]{6});`)
	schemes := map[string]map[string]string{"light": {}, "dark": {}}
	for _, found := range colour.FindAllStringSubmatch(css[:begin], -1) {
		schemes["light"][found[1]], schemes["dark"][found[1]] = found[2], found[2]
	}
	dark := colour.FindAllStringSubmatch(css[begin:end], -1)
	if len(dark) != len(schemes["light"]) {
		t.Errorf("dark has %d colours, light %d", len(dark), len(schemes["light"]))
	}
	for _, found := range dark {
		schemes["dark"][found[1]] = found[2]
	}
	chosen := css[strings.Index(css, `:root[data-theme="dark"]`):]
	chosen = chosen[:strings.Index(chosen, "\n}\n")]
	if diff := cmp.Diff(dark, colour.FindAllStringSubmatch(chosen, -1)); diff != "" {
		t.Errorf("the dark theme of the browser and the one that is chosen differ (-browser +chosen):\n%s", diff)
	}
	return schemes
}

// luminance returns the relative luminance of a colour, as WCAG 2 defines it.
func luminance(hex string) float64 {
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			return math.NaN()
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func contrast(a, b string) float64 {
	brighter, darker := luminance(a), luminance(b)
	if brighter < darker {
		brighter, darker = darker, brighter
	}
	return (brighter + 0.05) / (darker + 0.05)
}

func TestTextStandsOut(t *testing.T) {
	t.Parallel()
	if got := contrast("#000000", "#ffffff"); math.Abs(got-21) > 0.001 {
		t.Fatalf("black on white is %.3f, want 21", got)
	}
	grounds := []string{"ground", "surface", "water-wash", "brick-wash"}
	pairs := [][2]string{{"on-water", "water"}, {"on-water", "water-deep"}, {"on-brick", "brick"}, {"on-dark", "dark"}, {"brick", "ground"}, {"brick", "surface"}, {"brick", "brick-wash"}}
	for _, on := range grounds {
		for _, text := range []string{"ink", "ink-soft", "water", "water-deep"} {
			pairs = append(pairs, [2]string{text, on})
		}
	}
	for scheme, colours := range colourTokens(t) {
		for _, p := range pairs {
			if got := contrast(colours[p[0]], colours[p[1]]); !(got >= 4.5) {
				t.Errorf("%s: %s %s on %s %s is %.2f, want 4.5", scheme, p[0], colours[p[0]], p[1], colours[p[1]], got)
			}
		}
		// The edges of fields are no text: a contrast of 3 is enough.
		for _, on := range grounds[:2] {
			if got := contrast(colours["edge"], colours[on]); !(got >= 3) {
				t.Errorf("%s: an edge on %s is %.2f, want 3", scheme, on, got)
			}
		}
	}
}

// TestColoursAreTokens: all colours of the stylesheet are tokens at its top, except the colours
// of the logo.
func TestColoursAreTokens(t *testing.T) {
	t.Parallel()
	_, css, found := strings.Cut(stylesheet(t), "/* ---- Ground ---- */")
	if !found {
		t.Fatal("the stylesheet has no end of its tokens")
	}
	colour := regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(`)
	for _, rule := range styleRules(css) {
		for _, selector := range rule.selectors {
			known := strings.HasPrefix(selector, ".logo-")
			if colour.MatchString(rule.declarations) && !known {
				t.Errorf("a colour that is no token: %s { %s }", selector, rule.declarations)
			}
		}
	}
}

// TestClassesAreStyled finds classes in pages that the stylesheet does not style, for example a
// misspelt one.
func TestClassesAreStyled(t *testing.T) {
	t.Parallel()
	css := stylesheet(t)
	unstyled := map[string]bool{"more": true, "stats-item": true, "sheet": true, "river": true, "nav-main": true, "fa-lock": true, "fa-shield": true, "fa-eye": true}
	for _, p := range samplePages() {
		for _, n := range all(parse(t, render(t, p.page)), "[class]") {
			for class := range strings.FieldsSeq(attr(n, "class")) {
				hook := strings.HasPrefix(class, "bem-") || strings.HasPrefix(class, "river-") || strings.HasPrefix(class, "icon-") || strings.HasPrefix(class, "comment-")
				if !hook && !unstyled[class] && !strings.Contains(css, "."+class) {
					t.Errorf("page %s: the stylesheet does not know .%s", p.name, class)
				}
			}
		}
	}
}
