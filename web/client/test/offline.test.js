import assert from "node:assert/strict";
import { test } from "node:test";
import { filesOf, mayKeep, offlinePage, offlineShell } from "../build/worker/offline.js";

const page = `<!doctype html><html lang="en"><head><title>Ann &amp; &lt;Bob&gt; · Amstel</title><meta name="offline" content="As of {at}; $&amp; nothing."><link rel="icon" href="/static/favicon.1.svg"><link rel="stylesheet" href="/static/amstel.2.css"><script type="module" src="/static/client.3.js"></script></head><body><main class="column" id="content"><form method="post"><button>Send</button></form><p>&lt;form href=&#34;/static/mine.css&#34;&gt;</p><img src="/static/other.png"></div></body></html>`;
const at = new Date(2026, 10, 22, 12, 30);

test("a page without a connection says of when it is, and its forms can't be used", () => {
	const html = offlinePage(page, at, new Date(2026, 10, 22, 20, 0));
	assert.match(html, /<html data-offline lang="en">/);
	assert.ok(
		html.includes(
			`<main class="column" id="content"><p class="notice offline" role="status">As of 12:30; $&amp; nothing.</p><form inert method="post">`,
		),
		html,
	);
	assert.ok(html.includes("<p>&lt;form href"), "a text has changed");
	assert.match(offlinePage(page, at, new Date(2026, 10, 23, 20, 0)), /As of Nov 22, 12:30;/);
	assert.match(
		offlinePage(page.replace(`lang="en"`, `lang="ru"`), at, new Date(2026, 10, 23, 20, 0)),
		/As of 22 нояб\., 12:30;/,
	);
});

test("a page is kept if its head has a notice", () => {
	assert.ok(mayKeep(page));
	assert.ok(!mayKeep(page.replace(/<meta[^>]*>/, "")));
	assert.ok(!mayKeep(`<html><head></head><body><meta name="offline" content="x"></body></html>`));
});

test("the files of a page are those of its head", () => {
	assert.deepEqual(filesOf(page), ["/static/favicon.1.svg", "/static/amstel.2.css", "/static/client.3.js"]);
	assert.deepEqual(filesOf(`<head><meta content="href=&#34;/static/a.css&#34;"></head>`), []);
});

test("the page for all others links to the pages that are kept", () => {
	const shell = `<html lang="en"><head></head><body><section id="kept" hidden><h2>Pages</h2><ul></ul></section></body></html>`;
	assert.ok(offlineShell(shell, [], at).includes(`<section id="kept" hidden>`));
	const html = offlineShell(shell, [{ url: `https://amstel.example/s?q=%23tea&x="<i>`, html: page, at }], at);
	assert.ok(
		html.includes(
			`<section id="kept"><h2>Pages</h2><ul><li><a href="/s?q=%23tea&#38;x=%22%3Ci%3E">Ann &amp; &lt;Bob&gt;</a> <time class="hint">12:30</time></li></ul>`,
		),
		html,
	);
});
