package web_test

import (
	"strings"
	"testing"

	"amstel.dev/amstel/internal/nodetest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/web"
)

// subscription returns what a browser sends when its reader turns pushes on.
func subscription(endpoint string) object {
	return object{"endpoint": endpoint, "expirationTime": nil, "keys": object{"p256dh": nodetest.PushKey, "auth": "BTBZMqHH6r4Tts7J_aSIgg"}}
}

// TestPushesAreTurnedOnAndOff: a browser gets pushes when its page has sent an endpoint, and none after the form of the page was pressed, on this
// device or another.
func TestPushesAreTurnedOnAndOff(t *testing.T) {
	t.Parallel()
	const api, settings = "/api/v1/notifications/receivers", "/settings/notices"
	b := setup(t, "alice", "bobby")
	alice, phone, bobby := b.session("alice"), b.session("alice"), b.session("bobby")
	page := b.browser("alice")
	if html := page.get(settings).html(); !strings.Contains(html, `aria-labelledby="pushes" hidden`) || !strings.Contains(html, `data-push="`+nodetest.PushKey+`"`) {
		t.Error("the page has no hidden section with the key")
	}
	alice.send("POST", api, subscription("https://push.example/1")).ok()
	phone.send("POST", api, subscription("https://push.example/2")).ok()
	phone.send("POST", api, subscription("https://push.example/3")).ok()
	list := alice.get(api + ".json").ok()
	if all := list.at("receivers").([]any); len(all) != 2 || list.at("key") != nodetest.PushKey || list.at("receivers", 0, "current") != false || list.at("receivers", 1, "current") != true {
		t.Errorf("the browsers are %s", list.body)
	}
	if strings.Contains(list.body, "push.example") {
		t.Errorf("the list has an endpoint: %s", list.body)
	}
	for name, bad := range map[string]object{
		"an address of http": subscription("http://push.example/1"),
		"no address":         {"keys": object{"p256dh": nodetest.PushKey, "auth": "BTBZMqHH6r4Tts7J_aSIgg"}},
		"a short secret":     {"endpoint": "https://push.example/1", "keys": object{"p256dh": nodetest.PushKey, "auth": "BTBZ"}},
		"no base64":          {"endpoint": "https://push.example/1", "keys": object{"p256dh": nodetest.PushKey, "auth": "%"}},
	} {
		if a := alice.send("POST", api, bad); a.status != 422 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	if a := b.as("alice").send("POST", api, subscription("https://push.example/4")); a.status != 403 || a.at("code") != "not_by_token" {
		t.Errorf("by a token: %d", a.status)
	}
	first, second := list.id("receivers", 0, "id"), list.id("receivers", 1, "id")
	if a := bobby.send("DELETE", api+"/"+first, nil); a.status != 404 {
		t.Errorf("another person's browser: %d", a.status)
	}
	if html := page.get(settings).html(); strings.Contains(html, `aria-labelledby="pushes" hidden`) || strings.Count(html, api) != 2 {
		t.Error("the page does not list the browsers")
	}
	page.press("DELETE", api+"/"+first+".json", "return_to", settings).leadsTo(settings)
	page.get(settings).says("That device gets no more notifications.")
	alice.send("DELETE", api+"/"+second, nil).ok()
	if list := alice.get(api).ok(); len(list.at("receivers").([]any)) != 0 {
		t.Errorf("at last the browsers are %s", list.body)
	}
}

// TestSiteWithoutPushes has neither the section nor the endpoints.
func TestSiteWithoutPushes(t *testing.T) {
	t.Parallel()
	b := setupOn(t, pgtest.New(t), web.Config{}, "alice")
	if html := b.browser("alice").get("/settings/notices").html(); strings.Contains(html, "pushes") {
		t.Error("the page has the section")
	}
	alice := b.session("alice")
	if a := alice.get("/api/v1/notifications/receivers"); a.status != 404 {
		t.Errorf("the list: %d", a.status)
	}
	if a := alice.send("POST", "/api/v1/notifications/receivers", subscription("https://push.example/1")); a.status != 404 {
		t.Errorf("turning on: %d", a.status)
	}
}
