// Lets the viewer choose the part of a picture that becomes an avatar or a cover. Without the
// script the server keeps the part around the middle.

/** The part of a picture to keep: its corner and its width, as fractions of the whole. */
export interface Part {
	x: number;
	y: number;
	width: number;
}

/** The width and height of something, in pixels. */
export interface Size {
	width: number;
	height: number;
}

/**
 * Returns the part that a frame shows. Shape is the height of the frame by its width, zoom is 1 where the picture just
 * fills the frame, and the center is the middle of the part as fractions of the whole.
 */
export function partOf(whole: Size, shape: number, zoom: number, center: { x: number; y: number }): Part {
	const width = Math.min(whole.width, whole.height / shape) / zoom / whole.width;
	const height = (width * whole.width * shape) / whole.height;
	const within = (middle: number, length: number) => Math.min(Math.max(middle - length / 2, 0), 1 - length);
	return { x: within(center.x, width), y: within(center.y, height), width };
}

/** Makes the forms of avatars and covers show the chosen part of the picture. */
export function startCrop(): void {
	for (const form of document.querySelectorAll<HTMLFormElement>("form[data-crop]")) {
		watch(form, form.dataset["crop"]!);
	}
}

function watch(form: HTMLFormElement, role: string): void {
	const file = form.querySelector<HTMLInputElement>("input[type=file]")!;
	const box = form.querySelector<HTMLElement>(".crop")!;
	const frame = box.querySelector<HTMLElement>(".crop-frame")!;
	const image = box.querySelector("img")!;
	const zoom = box.querySelector<HTMLInputElement>("input[type=range]")!;
	const fields = (["x", "y", "width"] as const).map(
		(name) => [name, form.elements.namedItem(`${role}[${name}]`) as HTMLInputElement] as const,
	);
	let center = { x: 0.5, y: 0.5 };

	const show = () => {
		const whole = { width: image.naturalWidth, height: image.naturalHeight };
		const shape = frame.clientHeight / frame.clientWidth;
		if (!whole.width || !shape) {
			return;
		}
		const part = partOf(whole, shape, Number(zoom.value), center);
		const scale = frame.clientWidth / (part.width * whole.width);
		center = { x: part.x + part.width / 2, y: part.y + (part.width * whole.width * shape) / whole.height / 2 };
		image.style.width = `${whole.width * scale}px`;
		image.style.left = `${-part.x * whole.width * scale}px`;
		image.style.top = `${-part.y * whole.height * scale}px`;
		for (const [name, field] of fields) {
			field.value = part[name].toFixed(6);
		}
	};
	/** Moves the picture by some pixels of the screen. */
	const move = (x: number, y: number) => {
		center = { x: center.x - x / image.offsetWidth, y: center.y - y / image.offsetHeight };
		show();
	};

	const choose = () => {
		URL.revokeObjectURL(image.src);
		for (const [, field] of fields) {
			field.value = "";
		}
		const chosen = file.files?.[0];
		box.hidden = !chosen;
		image.removeAttribute("src");
		if (chosen) {
			image.src = URL.createObjectURL(chosen);
		}
	};
	file.addEventListener("change", choose);
	image.addEventListener("load", () => {
		center = { x: 0.5, y: 0.5 };
		zoom.value = "1";
		show();
	});
	// The server may accept a picture that the browser can't show; else it says why not.
	image.addEventListener("error", () => {
		box.hidden = true;
	});
	zoom.addEventListener("input", show);
	window.addEventListener("resize", show);
	frame.addEventListener("pointerdown", (event) => {
		frame.setPointerCapture(event.pointerId);
	});
	frame.addEventListener("pointermove", (event) => {
		if (frame.hasPointerCapture(event.pointerId)) {
			move(event.movementX, event.movementY);
		}
	});
	const steps: Record<string, [number, number]> = {
		ArrowLeft: [8, 0],
		ArrowRight: [-8, 0],
		ArrowUp: [0, 8],
		ArrowDown: [0, -8],
	};
	frame.addEventListener("keydown", (event) => {
		const step = steps[event.key];
		if (step) {
			event.preventDefault();
			move(...step);
		}
	});
	if (file.value) {
		choose(); // chosen before this script came
	}
}
