// The comments of an entry, which the viewer may have unfolded.

const unfolded = "is-unfolded";

/** Returns the element with the comments of an entry. */
export function commentsOf(article: Element): HTMLElement | null {
	return article.querySelector(":scope > .bem-post__comments");
}

/** Marks the comments of an entry as unfolded. Without the mark, the next change of the entry folds them. */
export function markUnfolded(article: Element, is: boolean): void {
	commentsOf(article)?.classList.toggle(unfolded, is);
}

/** Keeps the comments of an entry as they are if they are unfolded here and folded in the new state of the entry. */
export function keepUnfolded(article: Element, fresh: Element): void {
	const part = commentsOf(article);
	const folded = commentsOf(fresh);
	if (part?.classList.contains(unfolded) && folded?.querySelector(".comment-more")) {
		folded.replaceWith(part.cloneNode(true));
	}
}
