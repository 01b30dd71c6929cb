// The objects of the API, as docs/wire.md describes them. Fields that only some answers have are
// optional, and a server may send fields that are not listed here.

import type { PostID } from "../src/protocol.js";

export type { PostID };

/** The card of a person or a group. */
export interface Card {
	id: number;
	name: string;
	display_name: string;
	status: string;
	description: string;
	url: string;
	avatar_url: string;
	avatar_width: number;
	avatar_height: number;
	created_at?: string;
	counts?: Record<string, number>;
}

/** A person. */
export interface User extends Card {
	is_you?: boolean;
	you_are_subscribed?: boolean;
	subscribed_to_you?: boolean;
	is_hidden?: boolean;
	is_banned?: boolean;
}

/** A group. */
export interface Group extends Card {
	nsfw: boolean;
	you_are_admin?: boolean;
	you_are_subscribed?: boolean;
	posting?: string;
	joining?: string;
}

/** A picture or file of a post or a comment. */
export interface Attachment {
	id: number;
	user_id: number;
	attachment_file_name: string;
	kind?: "image" | "audio" | "video" | "file";
	media_type?: string;
	size?: number;
	alt?: string;
	original_url?: string;
	original_width?: number;
	original_height?: number;
	medium_url?: string;
	thumb_url?: string;
}

/** A comment. */
export interface Comment {
	id: number;
	post_id: PostID;
	user_id: number;
	text: string;
	text_as_html?: string;
	created_at: string;
	updated_at?: string;
	url: string;
	api_url: string;
	clikes_count?: number;
	user_liked?: boolean;
	can_like?: boolean;
	can_edit?: boolean;
	can_delete?: boolean;
	attachments?: Attachment[];
}

/** A post as one reader is shown it on one page. */
export interface Entry {
	id: PostID;
	url: string;
	api_url: string;
	user_id: number;
	version: number;
	text: string;
	text_as_html?: string;
	lang?: string;
	published_at: string;
	fresh_at: string;
	is_public: boolean;
	status: string;
	is_direct?: boolean;
	nsfw?: boolean;
	reason: Record<string, number[]>;
	timelines?: string[];
	likes: number[];
	more_likes: number;
	fav_count: number;
	user_liked?: boolean;
	user_faved?: boolean;
	/** All comments on the page of the post; elsewhere perhaps the first and the last only. */
	comments: Comment[];
	comments_count: number;
	gap_position: number;
	can_comment: boolean;
	can_edit?: boolean;
	can_delete?: boolean;
	attachments: Attachment[];
	/** A hash of all that this reader is shown. */
	tag: string;
}

/** People and groups by their number. */
export interface Cards {
	users: Record<string, User>;
	groups: Record<string, Group>;
}

/** A page of entries. */
export interface Page extends Cards {
	entries: Entry[];
	river: {
		uuid: string;
		what: string;
		descriptor: string;
		is_single_post: boolean;
		epoch: string;
		counter: number;
		position: number;
		/** Whether the page can be followed. */
		live: boolean;
	};
	older_entries_url?: string;
	newer_entries_url?: string;
}

/** A notice tells a person about an act of another person. */
export interface Notice {
	id: number;
	[field: string]: unknown;
}
