import assert from "node:assert/strict";
import { test } from "node:test";
import { Link } from "../build/link.js";

/** A link with a clock that is set by hand and no luck. */
function linked({ random = 1, hidden = false } = {}) {
	const clock = { now: 0, day: 0 };
	const link = new Link(
		() => clock.now,
		() => random,
		() => clock.day,
	);
	const step = (event) => link.step(event);
	/** Lets time go by. */
	const pass = (ms) => {
		clock.now += ms;
		while (ms > 20_000) {
			ms -= 20_000;
			clock.day += 20_000;
			step({ on: "focused" }); // as the clock's own timer would have it looked at
		}
		clock.day += ms;
	};
	const started = step({ on: "start", hidden });
	/** A connection that came about. */
	const meet = () => [...step({ on: "opened" }), ...step({ on: "hello", beat: 25_000 })];
	return { clock, step, pass, meet, started, link };
}
const names = (effects) => effects.map((effect) => effect.do + (effect.timer ? " " + effect.timer : ""));
const wait = (effects, timer) => effects.findLast((effect) => effect.do === "set" && effect.timer === timer)?.ms;
const told = (effects) => effects.find((effect) => effect.do === "standing")?.standing;
const closed = (code = 1006) => ({ on: "closed", code });
const rang = (timer) => ({ on: "expired", timer });

test("a page connects and subscribes", () => {
	const { step, started } = linked();
	assert.ok(names(started).includes("open"));
	assert.ok(names(step({ on: "opened" })).includes("sub"));
	assert.deepEqual(names(step({ on: "resubscribe" })), []); // it has told already
	step({ on: "hello", beat: 25_000 });
	assert.deepEqual(names(step({ on: "resubscribe" })), ["sub", "set silence"]);
});

test("a closed connection is retried after rand(0, min(30 s, 0.5·2ⁿ s))", () => {
	const { step } = linked();
	for (const ms of [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]) {
		assert.equal(wait(step(closed()), "retry"), ms);
		assert.ok(names(step(rang("retry"))).includes("open"));
	}
	assert.equal(wait(linked({ random: 0 }).step(closed()), "retry"), 0);
});

test("n is reset after 30 s of a stable connection, and not before", () => {
	for (const [stable, ms] of [
		[29_999, 2000],
		[30_000, 500],
	]) {
		const { step, pass, meet } = linked();
		(step(closed()), step(rang("retry")), step(closed()), step(rang("retry")));
		meet();
		pass(stable);
		assert.equal(wait(step(closed()), "retry"), ms);
	}
	const { step, pass, meet } = linked();
	(step(closed()), step(rang("retry")), step(closed()), step(rang("retry")));
	meet();
	pass(60_000);
	step({ on: "suspended" }); // however it ends
	step({ on: "shown" });
	assert.equal(wait(step(closed()), "retry"), 500);
});

test("after a bye the page connects once within the time that the server named", () => {
	const { step, meet } = linked();
	meet();
	assert.equal(wait(step({ on: "bye", within: 5000 }), "silence"), 10_000);
	const effects = step(closed(1012));
	assert.equal(wait(effects, "retry"), 5000);
	assert.equal(wait(effects, "banner"), 15_000); // nothing is wrong
	step(rang("retry"));
	assert.equal(wait(step(closed()), "retry"), 500);
});

test("a connection that is silent for twice the beat is dropped", () => {
	const { step } = linked();
	assert.equal(wait(step({ on: "opened" }), "silence"), 20_000);
	assert.equal(wait(step({ on: "hello", beat: 25_000 }), "silence"), 50_000);
	assert.equal(wait(step({ on: "frame" }), "silence"), 50_000);
	const effects = step(rang("silence"));
	assert.equal(names(effects)[0], "close");
	assert.equal(wait(effects, "retry"), 500);
});

test("the beat and the restart time of a server are limited to sensible values", () => {
	const { step } = linked();
	step({ on: "opened" });
	for (const [beat, ms] of [
		[1, 10_000],
		[1e12, 1_200_000],
		[0, 1_200_000],
	]) {
		assert.equal(wait(step({ on: "hello", beat }), "silence"), ms);
	}
	assert.equal(wait(step({ on: "bye", within: 1e12 }), "silence"), 65_000);
});

test("after a final code the page does not connect again", () => {
	for (const [code, standing] of [
		[4400, "refused"],
		[4401, "signed out"],
		[4403, "forbidden"],
		[4429, "too many"],
	]) {
		const { step } = linked();
		step({ on: "opened" });
		const effects = step(closed(code));
		assert.equal(told(effects), standing);
		assert.equal(wait(effects, "retry"), undefined);
		for (const event of [{ on: "shown" }, { on: "online" }, rang("retry"), { on: "suspended" }]) {
			assert.deepEqual(step(event), []);
		}
	}
	for (const code of [1000, 1001, 1006, 1012, 1013, 4008, 4011]) {
		const { step } = linked();
		step({ on: "opened" });
		assert.equal(wait(step(closed(code)), "retry"), 500, String(code));
	}
});

test("a hidden page reports it, sleeps after a minute and connects when it is shown", () => {
	const { step, pass, meet } = linked();
	meet();
	const effects = step({ on: "hidden" });
	assert.equal(wait(effects, "report"), 5000);
	assert.equal(wait(effects, "sleep"), 60_000);
	assert.deepEqual(step({ on: "hidden" }), []); // it is already
	assert.deepEqual(step(rang("report")), [{ do: "vis", hidden: true }]);
	pass(60_000);
	assert.ok(names(step(rang("sleep"))).includes("close"));
	assert.deepEqual(step(closed()), []);
	assert.deepEqual(step({ on: "online" }), []);
	assert.ok(names(step({ on: "shown" })).includes("open"));
});

test("a page that is shown within a minute stays connected, and reports both changes", () => {
	const { step, meet } = linked();
	meet();
	step({ on: "hidden" });
	assert.deepEqual(names(step({ on: "shown" })), ["clear sleep", "clear report"]); // after a glance at another
	step({ on: "hidden" });
	step(rang("report"));
	assert.deepEqual(step({ on: "shown" }).at(-1), { do: "vis", hidden: false });
	assert.deepEqual(step(rang("sleep")), []);
});

test("a page that connects while it is hidden reports it", () => {
	const { step, meet, started } = linked({ hidden: true });
	assert.equal(wait(started, "sleep"), 60_000);
	assert.equal(wait(meet(), "report"), 5000);
	assert.deepEqual(step(rang("report")), [{ do: "vis", hidden: true }]);
});

test("a page that the browser restores from its cache connects", () => {
	const { step, pass, meet } = linked();
	meet();
	assert.ok(names(step({ on: "suspended" })).includes("close"));
	assert.deepEqual(step({ on: "hidden" }), []); // nothing is waited for there
	pass(60_000);
	assert.ok(names(step({ on: "shown" })).includes("open"));
});

test("the banner appears after ten seconds, and goes with the next hello", () => {
	const { step, meet } = linked();
	meet();
	assert.equal(wait(step(closed()), "banner"), 10_000);
	assert.equal(told(step(rang("banner"))), "away");
	step(rang("retry"));
	assert.equal(wait(step(closed()), "banner"), undefined);
	step(rang("retry"));
	assert.equal(told(meet()), "here");
	assert.equal(wait(linked().started, "banner"), 10_000); // nor does the first one come about at all
});

test("a short interruption shows no banner", () => {
	const { step, meet } = linked();
	meet();
	step(closed());
	step(rang("retry"));
	const effects = meet();
	assert.ok(names(effects).includes("clear banner"));
	assert.equal(told(effects), undefined);
});

/** A page that polls, because its upgrades failed. */
function refused(options) {
	const page = linked(options);
	(page.step(closed()), page.step(rang("retry")));
	(page.step(closed()), page.step(rang("retry")));
	return { ...page, third: page.step(closed()) };
}

test("after three failed upgrades the page polls, soon and then every 15 to 30 s, until a hello", () => {
	for (const [random, first, ms] of [
		[0, 0, 15_000],
		[1, 5000, 30_000],
	]) {
		const { step, meet, third } = refused({ random });
		assert.equal(wait(third, "poll"), first);
		const effects = step(rang("poll"));
		assert.equal(effects[0].do, "poll");
		assert.equal(wait(effects, "poll"), ms);
		assert.equal(wait(step({ on: "polled", status: 503 }), "poll"), undefined); // it is set
		step(rang("retry"));
		assert.equal(wait(step({ on: "opened" }), "poll"), undefined);
		assert.deepEqual(names(step(rang("poll"))), ["set poll"]);
		assert.ok(names(meet()).includes("clear poll") || names(step({ on: "hello", beat: 0 })).includes("set silence"));
		assert.deepEqual(step(rang("poll")), []);
	}
});

test("a connection without a hello counts as failed, unless the server asks to reconnect", () => {
	const attempt = (step, code) => {
		step({ on: "opened" });
		const effects = step(closed(code));
		step(rang("retry"));
		return effects;
	};
	const { step } = linked();
	(attempt(step, 1006), attempt(step, 1006));
	assert.equal(wait(attempt(step, 1006), "poll"), 5000);
	const spoken = linked();
	for (const code of [4011, 1013, 4008, 1012, 4011]) {
		assert.equal(wait(attempt(spoken.step, code), "poll"), undefined);
	}
});

test("polls that are answered remove the banner, and sockets are tried less often", () => {
	const { step, link } = refused();
	step(rang("banner"));
	step(rang("poll"));
	assert.ok(link.polls);
	const effects = step({ on: "polled", status: 200 });
	assert.equal(told(effects), "here");
	assert.equal(wait(effects, "retry"), 2000);
	step(rang("retry"));
	const failed = step(closed());
	assert.equal(wait(failed, "retry"), 300_000);
	assert.equal(wait(failed, "banner"), undefined); // all that happens is told
	const gone = step({ on: "polled", status: 0 });
	assert.equal(wait(gone, "banner"), 10_000);
	assert.ok(wait(gone, "retry") <= 30_000);
});

test("a poll that is refused ends the link", () => {
	for (const [status, standing] of [
		[401, "signed out"],
		[403, "forbidden"],
		[422, "refused"],
	]) {
		assert.equal(told(refused().step({ on: "polled", status })), standing);
	}
	assert.equal(told(refused().step({ on: "polled", status: 404 })), undefined);
});

test("a page that polled before it slept polls at once when it is shown", () => {
	const { step, pass } = refused();
	step({ on: "hidden" });
	pass(60_000);
	step(rang("sleep"));
	pass(1000);
	const effects = names(step({ on: "shown" }));
	assert.ok(effects.includes("open") && effects.includes("poll"), effects.join());
});

test("when the network is back, an open connection is tested", () => {
	const { step, pass, meet } = linked();
	meet();
	pass(2000);
	assert.deepEqual(step({ on: "online" }), [{ do: "sub" }, { do: "set", timer: "silence", ms: 5000 }]);
	assert.deepEqual(step({ on: "online" }), []); // it is being tested
	assert.deepEqual(step({ on: "frame" }), []); // may be of before
	assert.equal(wait(step({ on: "hello", beat: 25_000 }), "silence"), 50_000);
	step({ on: "online" });
	assert.equal(wait(step(rang("silence")), "retry"), 500);
	const effects = names(step({ on: "online" }));
	assert.ok(effects.includes("open"), effects.join());
});

test("a connection is tested after a sleep of the machine, at the first event of any kind", () => {
	for (const first of [{ on: "focused" }, { on: "frame" }, rang("clock"), rang("silence")]) {
		for (const stood of [true, false]) {
			// some clocks stand still while the machine sleeps
			const { clock, step, meet } = linked();
			meet();
			clock.day += 8 * 3600_000;
			clock.now += stood ? 0 : 8 * 3600_000;
			const effects = step(first);
			assert.deepEqual(
				effects.slice(0, 2),
				[{ do: "sub" }, { do: "set", timer: "silence", ms: 5000 }],
				first.on + first.timer,
			);
			assert.ok(!names(effects).includes("close"));
		}
	}
	const { clock, step, meet } = linked();
	meet();
	clock.day -= 8 * 3600_000; // set back by hand
	assert.deepEqual(step({ on: "focused" }), []);
});

test("a page without a connection connects at once after a sleep of the machine, without a banner", () => {
	const { clock, step, meet } = linked();
	meet();
	step(closed());
	clock.now += 2000;
	clock.day += 3600_000;
	const effects = step(rang("banner"));
	assert.equal(told(effects), undefined);
	assert.ok(names(effects).includes("open"));
	assert.equal(wait(effects, "banner"), 10_000);
});

test("a page that is shown repeatedly does not connect repeatedly", () => {
	const { step, pass } = linked();
	let opened = 0;
	for (let i = 0; i < 100; i++) {
		step(closed());
		step({ on: "hidden" });
		opened += names(step({ on: "shown" })).filter((name) => name === "open").length;
		pass(100);
	}
	assert.ok(opened <= 10, `${opened} tries in ten seconds`);
});

test("a page that subscribes too often drops its connection, with longer and longer pauses", () => {
	const { step, pass, meet } = linked();
	meet();
	let waits = [];
	for (let i = 0; i < 25; i++) {
		const effects = step({ on: "resubscribe" });
		pass(1000);
		if (names(effects)[0] === "close") {
			waits.push(wait(effects, "retry"));
			step(rang("retry"));
			meet();
		} else {
			step({ on: "hello", beat: 25_000 });
		}
	}
	assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000]);
});

test("a message that can't be read ends the connection", () => {
	const { step, meet } = linked();
	for (const ms of [500, 1000, 2000]) {
		meet();
		const effects = step({ on: "unreadable" });
		assert.equal(names(effects)[0], "close");
		assert.equal(wait(effects, "retry"), ms);
		step(rang("retry"));
	}
});
