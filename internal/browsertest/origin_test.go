package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"amstel.dev/amstel/timeline"
)

// fayeFile is the client of Faye for browsers, which npm installs beside the compiler of the client.
const fayeFile = "../../web/client/node_modules/faye/client/faye-browser-min.js"

// anotherSite starts a server of another origin, with an empty page and the client of Faye.
func anotherSite(t *testing.T) *httptest.Server {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/faye.js" {
			http.ServeFile(w, r, filepath.FromSlash(fayeFile))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>Another site</title><script src=/faye.js></script>")
	}))
	t.Cleanup(other.Close)
	return other
}

// fayeFromAnotherSite listens to a river from a page of another origin, with the client that
// Mokum's programs used, by each of its ways to connect. Each one gets a post, and the post's
// deletion.
func fayeFromAnotherSite(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	token, err := s.store.NewToken(t.Context(), s.ids["bob"], timeline.TokenSpec{Name: "from elsewhere", Scopes: timeline.AllScopes})
	s.must(err)
	tab := b.visitor(s, "visitor")
	tab.open("/about")
	tab.eval(fmt.Sprintf("location.href = %s", quote(anotherSite(t).URL)))
	tab.sees("the other site", "document.title === 'Another site' && typeof Faye === 'object'")
	tab.eval(fmt.Sprintf(`(async () => {
		const site = %s;
		window.heard = {};
		const page = await (await fetch(site + "/ann.json", { headers: { "X-API-Token": %s } })).json();
		const ways = ["websocket", "cross-origin-long-polling", "callback-polling"];
		for (const way of ways) {
			heard[way] = [];
			const client = new Faye.Client(site + "/faye", { retry: 1 });
			for (const other of ways) if (other !== way && other !== "callback-polling") client.disable(other); // all of them shake hands by callback-polling
			client.subscribe("/rivers/" + page.river.uuid, (data) => heard[way].push(data.post?.text ?? "deleted " + data.deleted)).then(() => heard[way].push("subscribed"));
		}
	})()`, quote(s.url), quote(token)))
	everywhere := func(what string) string {
		return fmt.Sprintf("Object.keys(heard).length === 3 && Object.values(heard).every((told) => told.includes(%s))", quote(what))
	}
	tab.sees("three clients that listen", everywhere("subscribed"))
	post := s.post("ann", "live from afar")
	tab.sees("the new post", everywhere("live from afar"))
	s.must(s.store.DeletePost(t.Context(), s.ids["ann"], post))
	tab.sees("that the post is gone", everywhere(fmt.Sprint("deleted ", post)))
}

// fromAnotherSite uses the API and a socket from a page of another origin, as the single-page
// client of Mokum did: with a token and preflights, and never with the session of the browser.
func fromAnotherSite(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "hello")
	s.shown()
	token, err := s.store.NewToken(t.Context(), s.ids["bob"], timeline.TokenSpec{Name: "from elsewhere", Scopes: timeline.AllScopes})
	s.must(err)
	other := anotherSite(t)

	ann := b.person(s, "ann")
	ann.open("/") // the browser has a session of the site
	ann.eval(fmt.Sprintf("location.href = %s", quote(other.URL)))
	ann.sees("the other site", "document.title === 'Another site'")
	ann.eval(fmt.Sprintf(`(async () => {
		const site = %[1]s, token = %[2]s, post = %[3]s;
		window.did = [];
		const ask = async (method, path, body) => {
			const headers = { "X-API-Token": token, "X-River-Signature": window.uuid ?? "", Accept: "application/json", "Content-Type": "application/json" };
			const response = await fetch(site + path, { method, headers, body: body && JSON.stringify(body) });
			did.push(method + " " + response.status);
			return response.json();
		};
		const page = await ask("GET", "/ann.json");
		window.uuid = page.river.uuid;
		const made = await ask("POST", "/api/v1/posts/" + post + "/comments.json", { comment: { text: "from elsewhere" } });
		did.push(made.entries[uuid].post.comments[0].text);
		await ask("PATCH", "/api/v1/posts/" + post + "/comments/" + made.id, { comment: { text: "changed" } });
		await ask("PUT", "/api/v1/posts/" + post + "/comments/" + made.id + ".json", { comment: { text: "changed again" } });
		await ask("DELETE", "/api/v1/posts/" + post + "/comments/" + made.id);
		did.push((await ask("GET", "/api/v1/whoami.json")).user.name);
		token0 = await fetch(site + "/index.json", { credentials: "omit" });
		did.push("visitor " + (await token0.json()).river.what);
		did.push(await fetch(site + "/index.json", { credentials: "include" }).then(() => "with the session", () => "not with the session"));
		const socket = new WebSocket(site.replace("http", "ws") + "/live", "amstel.v1");
		socket.onopen = () => did.push("the socket of a session opened");
		socket.onerror = () => did.push("no socket with the session");
	})().catch((e) => did.push(String(e)))`, quote(s.url), quote(token), quote(fmt.Sprint(post))))
	ann.sees("all that the other site may do", `did.join() === [
		"GET 200", "POST 200", "from elsewhere", "PATCH 200", "PUT 200", "DELETE 200", "GET 200", "bob", "visitor everything", "not with the session", "no socket with the session",
	].join() || (console.log(did), false)`)

	// In a browser without a session the socket of a public page opens, and hears.
	visitor := b.visitor(s, "visitor")
	visitor.open("/about")
	visitor.eval(fmt.Sprintf("location.href = %s", quote(other.URL)))
	visitor.sees("the other site", "document.title === 'Another site'")
	visitor.eval(fmt.Sprintf(`(async () => {
		const site = %s;
		window.did = [];
		const page = await (await fetch(site + "/ann.json")).json();
		const socket = new WebSocket(site.replace("http", "ws") + "/live", "amstel.v1");
		socket.onopen = () => socket.send(JSON.stringify({ type: "sub", river: page.river.uuid, page: "/ann", epoch: page.river.epoch, counter: page.river.counter,
			position: page.river.position, have: page.entries.map((e) => [e.id, e.tag]), as: "json" }));
		socket.onmessage = ({ data }) => {
			const frame = JSON.parse(data);
			did.push(frame.type, ...(frame.ops ?? []).map((op) => op.entry.text));
		};
	})()`, quote(s.url)))
	visitor.sees("the answer of the socket", `did.includes("hello")`)
	s.post("ann", "live from afar")
	visitor.sees("the new post", `did.includes("live from afar")`)
}
