import assert from "node:assert/strict";
import { test } from "node:test";
import { Link } from "../build/link.js";

/** A link with a clock that is set by hand and no luck. */
function linked({ random = 1, hidden = false } = {}) {
	const clock = { now: 0 };
	const link = new Link(() => clock.now, () => random);
	const step = (event) => link.step(event);
	const started = step({ on: "start", hidden });
	return { clock, step, started };
}
const names = (effects) => effects.map((effect) => effect.do + (effect.timer ? " " + effect.timer : ""));
const wait = (effects, timer) => effects.find((effect) => effect.do === "set" && effect.timer === timer)?.ms;
const told = (effects) => effects.find((effect) => effect.do === "tell")?.standing;
const closed = (code = 1006) => ({ on: "closed", code });
const rang = (timer) => ({ on: "rang", timer });

test("a page connects and subscribes", () => {
	const { step, started } = linked();
	assert.ok(names(started).includes("open"));
	assert.ok(names(step({ on: "opened" })).includes("sub"));
	assert.deepEqual(names(step({ on: "again" })), ["sub"]);
});

test("it comes back after rand(0, min(30 s, 0.5·2ⁿ s))", () => {
	const { step } = linked();
	for (const ms of [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]) {
		assert.equal(wait(step(closed()), "retry"), ms);
		assert.ok(names(step(rang("retry"))).includes("open"));
	}
	assert.equal(wait(linked({ random: 0 }).step(closed()), "retry"), 0);
});

test("n begins anew after 30 s of a stable connection, and not before", () => {
	for (const [stable, ms] of [[29_999, 2000], [30_000, 500]]) {
		const { clock, step } = linked();
		step(closed()), step(rang("retry")), step(closed()), step(rang("retry"));
		step({ on: "opened" });
		clock.now += stable;
		assert.equal(wait(step(closed()), "retry"), ms);
	}
});

test("after a bye it comes back within the time that was said, once", () => {
	const { step } = linked();
	step({ on: "opened" });
	step({ on: "bye", within: 5000 });
	assert.equal(wait(step(closed(1012)), "retry"), 5000);
	step(rang("retry"));
	assert.equal(wait(step(closed()), "retry"), 500);
});

test("silence for twice the beat ends a connection", () => {
	const { step } = linked();
	assert.equal(wait(step({ on: "opened" }), "silence"), 60_000);
	assert.equal(wait(step({ on: "hello", beat: 25_000 }), "silence"), 50_000);
	assert.equal(wait(step({ on: "heard" }), "silence"), 50_000);
	const effects = step(rang("silence"));
	assert.equal(names(effects)[0], "close");
	assert.equal(wait(effects, "retry"), 500);
});

test("there are codes after which it does not come back", () => {
	for (const [code, standing] of [[4400, "refused"], [4401, "signed out"], [4403, "forbidden"], [4429, "refused"]]) {
		const { step } = linked();
		step({ on: "opened" });
		const effects = step(closed(code));
		assert.equal(told(effects), standing);
		assert.equal(wait(effects, "retry"), undefined);
		assert.deepEqual(step({ on: "shown" }), []);
		assert.deepEqual(step(rang("retry")), []);
	}
	for (const code of [1000, 1001, 1006, 1012, 1013, 4008, 4011]) {
		const { step } = linked();
		step({ on: "opened" });
		assert.equal(wait(step(closed(code)), "retry"), 500, String(code));
	}
});

test("a hidden page says so, sleeps after a minute and comes back when it is shown", () => {
	const { step } = linked();
	step({ on: "opened" });
	const effects = step({ on: "hidden" });
	assert.deepEqual(effects[0], { do: "vis", hidden: true });
	assert.equal(wait(effects, "sleep"), 60_000);
	assert.ok(names(step(rang("sleep"))).includes("close"));
	assert.deepEqual(step(closed()), []);
	assert.ok(names(step({ on: "shown" })).includes("open"));
});

test("a page that is shown in time goes on", () => {
	const { step } = linked();
	step({ on: "opened" });
	step({ on: "hidden" });
	assert.deepEqual(step({ on: "shown" }), [{ do: "clear", timer: "sleep" }, { do: "vis", hidden: false }]);
	assert.deepEqual(step(rang("sleep")), []);
});

test("a page that was put away and taken out again connects", () => {
	const { step } = linked();
	step({ on: "opened" });
	assert.ok(names(step({ on: "left" })).includes("close"));
	assert.ok(names(step({ on: "shown" })).includes("open"));
});

test("the reader is told after ten seconds, and when it is over", () => {
	const { step } = linked();
	step({ on: "opened" });
	assert.equal(wait(step(closed()), "doubt"), 10_000);
	assert.equal(told(step(rang("doubt"))), "away");
	step(rang("retry"));
	assert.equal(wait(step(closed()), "doubt"), undefined);
	step(rang("retry"));
	step({ on: "opened" });
	assert.equal(told(step({ on: "hello", beat: 0 })), "here");
});

test("a short absence is not worth a word", () => {
	const { step } = linked();
	step({ on: "opened" });
	step(closed());
	step(rang("retry"));
	step({ on: "opened" });
	const effects = step({ on: "hello", beat: 0 });
	assert.ok(names(effects).includes("clear doubt"));
	assert.equal(told(effects), undefined);
});

test("after three failed upgrades it polls every 15 to 30 s, until a socket opens", () => {
	for (const [random, ms] of [[0, 15_000], [1, 30_000]]) {
		const { step } = linked({ random });
		assert.equal(wait(step(closed()), "poll"), undefined);
		step(rang("retry"));
		assert.equal(wait(step(closed()), "poll"), undefined);
		step(rang("retry"));
		assert.equal(wait(step(closed()), "poll"), ms);
		assert.deepEqual(step(rang("poll")), [{ do: "poll" }]);
		assert.equal(wait(step({ on: "polled", status: 503 }), "poll"), ms);
		step(rang("retry"));
		assert.ok(names(step({ on: "opened" })).includes("clear poll"));
		assert.deepEqual(step(rang("poll")), []);
	}
});

test("polls that are answered are a connection, and sockets are tried less and less", () => {
	const { step } = linked();
	for (let i = 0; i < 3; i++) {
		step(closed());
		step(rang(i < 2 ? "retry" : "doubt"));
	}
	const effects = step({ on: "polled", status: 200 });
	assert.equal(told(effects), "here");
	assert.equal(wait(effects, "retry"), 2000);
	step(rang("retry"));
	assert.equal(wait(step(closed()), "retry"), 300_000);
	assert.equal(wait(step({ on: "polled", status: 0 }), "retry"), 2000);
});

test("a poll that is refused ends it", () => {
	for (const [status, standing] of [[401, "signed out"], [403, "forbidden"], [404, "forbidden"], [422, "refused"]]) {
		const { step } = linked();
		step(closed()), step(rang("retry")), step(closed()), step(rang("retry")), step(closed());
		assert.equal(told(step({ on: "polled", status })), standing);
	}
});
