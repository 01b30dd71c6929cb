// A client of Amstel: the API, and pages that stay up to date.

export { Amstel, uuidOf, type NewPost, type Options } from "./amstel.js";
export { Failure } from "./failure.js";
export { LiveRiver, type Change, type Watcher } from "./live.js";
export type { Attachment, Card, Cards, Comment, Entry, Group, Notice, Page, PostID, User } from "./types.js";
