// The error of a request that failed.

/** A Failure is the answer to a request that failed. Without an answer the status is 0. */
export class Failure extends Error {
	constructor(
		/** The HTTP status. */
		readonly status: number,
		/** The stable code of the error, such as "not_found". */
		readonly code: string,
		/** A sentence in English. */
		message: string,
		/** Why each field was refused, with the code "invalid". */
		readonly fields: Record<string, string> = {},
		/** After how many seconds the request may be sent again, if the server says so. */
		readonly retryAfter?: number,
		options?: ErrorOptions,
	) {
		super(message, options);
		this.name = "Failure";
	}
}

/** Returns the Failure of an answer. */
export async function failureOf(response: Response): Promise<Failure> {
	const text = await response.text().catch(() => "");
	let said: { error?: string; code?: string; fields?: Record<string, string> } = {};
	try {
		said = (JSON.parse(text) as typeof said | null) ?? {};
	} catch {
		// The answer is from something before the server, such as a proxy.
	}
	const wait = Number(response.headers.get("Retry-After"));
	return new Failure(
		response.status,
		said.code ?? "",
		said.error ?? `The server answered ${response.status}.`,
		said.fields,
		wait > 0 ? wait : undefined,
	);
}
