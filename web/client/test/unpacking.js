// Browsers know deflate-raw; the Node.js of Debian 12 does not yet. Here it may
// also take as long as a test wants.

import { inflateRawSync } from "node:zlib";

const turn = () => new Promise((done) => setImmediate(done));

/** Makes unpacking each message take as many turns of the event loop as `turns` says. */
export function unpacking(turns = () => 0) {
	globalThis.DecompressionStream = class extends TransformStream {
		constructor(format) {
			if (format !== "deflate-raw") {
				throw new TypeError(`what is ${format}?`);
			}
			const parts = [];
			super({
				transform: (part) => void parts.push(part),
				async flush(controller) {
					const packed = Buffer.concat(parts);
					for (let i = turns(packed); i > 0; i--) {
						await turn();
					}
					controller.enqueue(new Uint8Array(inflateRawSync(packed)));
				},
			});
		}
	};
}
