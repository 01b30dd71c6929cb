// Turns on notices that pop up on this device. Turning off is a form of the page, which needs no script.

import { renew } from "./export.js";

/** Shows the button that turns notices on, if the browser can show them. */
export function startPush(): void {
	const box = document.querySelector<HTMLElement>("[data-push]");
	const section = box?.closest("section");
	if (
		!box ||
		!section ||
		!("serviceWorker" in navigator) ||
		!("PushManager" in window) ||
		!("Notification" in window)
	) {
		return;
	}
	const button = box.querySelector("button")!;
	const status = box.querySelector<HTMLElement>("[role=status]")!;
	box.hidden = section.hidden = false;
	button.addEventListener("click", async () => {
		button.disabled = true;
		status.textContent = "";
		try {
			await turnOn(box.dataset["push"]!);
			await renew(section);
			section.querySelector("h2")!.scrollIntoView({ block: "nearest" });
		} catch {
			status.textContent = (Notification.permission === "denied" ? box.dataset["denied"] : box.dataset["failed"]) ?? "";
			button.disabled = false;
		}
	});
}

/** Asks the viewer and the browser's push service, and tells the server the endpoint. */
async function turnOn(key: string): Promise<void> {
	if ((await Notification.requestPermission()) !== "granted") {
		throw new Error("the viewer does not want notifications");
	}
	const { pushManager } = await navigator.serviceWorker.ready;
	const how = { userVisibleOnly: true, applicationServerKey: key };
	const endpoint = await pushManager.subscribe(how).catch(async () => {
		// The browser may have an endpoint for another key, from before the site was set up anew.
		await (await pushManager.getSubscription())?.unsubscribe();
		return pushManager.subscribe(how);
	});
	const answer = await fetch("/api/v1/notifications/receivers", {
		method: "POST",
		headers: { "Content-Type": "application/json", Accept: "application/json" },
		body: JSON.stringify(endpoint),
	});
	if (!answer.ok) {
		throw new Error(`the server answers ${answer.status}`);
	}
}
