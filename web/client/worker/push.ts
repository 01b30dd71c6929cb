// Notices that pop up: the server sends them through the push service of the browser's maker, encrypted for this browser.

declare const self: ServiceWorkerGlobalScope;

/** A message of the server. */
export interface Message {
	title: string;
	body: string;
	/** Of the page that the notice is about. */
	path: string;
	lang: string;
	/** A notification replaces an earlier one with the same tag. */
	tag: string;
}

/** Shows a message as a notification. */
export async function show({ title, body, path, lang, tag }: Message): Promise<void> {
	await self.registration.showNotification(title, { body, lang, tag, data: path, icon: "/apple-touch-icon.png" });
}

/** Opens the page of a notification: in the tab that shows the page already, or in a new one. */
export async function open(notification: Notification): Promise<void> {
	notification.close();
	const address = new URL(String(notification.data), location.origin);
	const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
	const tab = tabs.find(({ url }) => url === address.href);
	await (tab ? tab.focus() : self.clients.openWindow(address));
}

/** Gets a new endpoint in place of one that the browser has given up, and tells the server. */
export async function renew(before: PushSubscription | null): Promise<void> {
	if (before) {
		const endpoint = await self.registration.pushManager.subscribe(before.options);
		await fetch("/api/v1/notifications/receivers", {
			method: "POST",
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify(endpoint),
		});
	}
}

/** Removes the notifications that are shown, because their reader signs out. */
export async function clear(): Promise<void> {
	for (const notification of await self.registration.getNotifications()) {
		notification.close();
	}
}
