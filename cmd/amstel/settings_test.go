package main

import (
	"strings"
	"testing"
)

func TestSettingsCommand(t *testing.T) {
	t.Parallel()
	_, db := fresh(t)
	listed := must(t, "settings", db)
	for _, line := range []string{"lift ", "bump ", "best_of.like ", "most_faved.half_life_hours "} {
		if !strings.Contains("\n"+listed, "\n"+line) {
			t.Errorf("%s is not listed in\n%s", line, listed)
		}
	}
	if said := must(t, "settings", "best_of.like", "2.5", db); said != "best_of.like is now: 2.5\n" {
		t.Errorf("settings prints %q", said)
	}
	if one := must(t, "settings", "best_of.like", db); !strings.HasPrefix(one, "best_of.like  2.5  ") || strings.Count(one, "\n") != 1 {
		t.Errorf("the setting is shown as %q", one)
	}
	for _, args := range [][]string{{"lift", "perhaps"}, {"nonsense"}, {"nonsense", "1"}, {"most_faved.fav", "0"}} {
		_, said, code := command(t.Context(), append(append([]string{"settings"}, args...), db)...)
		if code != exitUsage || strings.Count(said, "\n") != 1 {
			t.Errorf("amstel settings %q: exit %d: %q", args, code, said)
		}
	}
	if one := must(t, "settings", "lift", db); !strings.HasPrefix(one, "lift  on  ") {
		t.Errorf("a refused value is kept: %q", one)
	}
}
