package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// fromAnotherSite uses the API and a socket from a page of another origin, as the single-page
// client of Mokum did: with a token and preflights, and never with the session of the browser.
func fromAnotherSite(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("ann", "hello")
	s.shown()
	token, err := s.store.NewToken(t.Context(), s.ids["bob"], "from elsewhere")
	s.must(err)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>Another site</title>")
	}))
	t.Cleanup(other.Close)

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

	// In a browser without a session the socket of a page for everybody opens, and hears.
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
