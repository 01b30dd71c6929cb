package timeline

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// A Preview is the description that a linked page gives of itself. A preview never changes: a later
// fetch of the same address makes another preview.
type Preview struct {
	Address string     `json:"address"` // of the link, as [text.Link] returns it
	Title   string     `json:"title"`
	Site    string     `json:"site"`            // the name of the site, or else its host
	About   string     `json:"about,omitempty"` // a short description
	Picture *Rendition `json:"picture,omitempty"`
}

// PreviewPicture is the name of the one rendition of a preview's picture.
const PreviewPicture = "preview"

// sharedFor is how long after the fetch of a page new posts use its preview, instead of fetching
// the page again.
const sharedFor = 6 * time.Hour

// previewsOn is the condition that the site shows previews, as the setting says or by default.
const previewsOn = `coalesce((select (value->>'link_previews')::boolean from site_settings), true)`

// previewJSON is the query of the preview of a post as JSON, for a [Preview]; null if there is
// nothing to show.
const previewJSON = `
	select jsonb_build_object('address', v.address, 'title', v.title, 'site', v.site, 'about', v.about, 'picture',
		case when v.picture is not null then jsonb_build_object(
			'name', '` + PreviewPicture + `', 'file', encode(v.picture, 'hex'), 'media_type', v.media_type,
			'size', v.size, 'width', v.width, 'height', v.height) end)
	from previews v where v.id = posts.preview_id and v.state = 'ready' and ` + previewsOn

// link returns the address of the page to preview for a post with this text, or an empty string.
func (s *Store) link(said string, wanted bool) string {
	if !wanted {
		return ""
	}
	return text.Link(said, s.url)
}

// preview returns the id of the preview of an address, and queues the page for a fetch unless it
// was fetched lately. It returns nil if the address is empty, or if the site shows no previews. The
// row of the preview is locked until the transaction ends, so that no worker finishes the preview
// before the post that gets it is committed.
func (tx *txn) preview(ctx context.Context, address string, now time.Time) (id *int64, err error) {
	const find = `
		select id from previews where address = $1 and (state = 'queued' or due_at > $2) and ` + previewsOn + `
		order by id desc limit 1 for share`
	// If another transaction queues the page at the same time, the update, which changes nothing,
	// locks the row of that transaction.
	const queue = `
		insert into previews (address, host, state, due_at) select $1, $2, 'queued', $3 where ` + previewsOn + `
		on conflict (address) where state = 'queued' do update set host = excluded.host
		returning id`
	if address == "" {
		return nil, nil
	}
	err = tx.QueryRow(ctx, find, address, now).Scan(&id)
	if !errors.Is(err, pgx.ErrNoRows) {
		return id, err
	}
	at, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	err = tx.QueryRow(ctx, queue, address, at.Host, now).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return id, err
}

// setPreview sets or removes the preview of an edited post's first link. An unchanged link keeps
// its preview. The caller has locked the post and written its text.
func (s *Store) setPreview(ctx context.Context, tx *txn, post PostID, wanted *bool) error {
	const query = `
		select p.text, p.link_preview, p.preview_id, coalesce(v.address, '')
		from posts p left join previews v on v.id = p.preview_id where p.id = $1`
	const update = `
		update posts set link_preview = $2, preview_id = $3, version = version + 1
		where id = $1 and (link_preview <> $2 or preview_id is distinct from $3)`
	var said, address string
	var was bool
	var id *int64
	if err := tx.QueryRow(ctx, query, post).Scan(&said, &was, &id, &address); err != nil {
		return err
	}
	if wanted == nil {
		wanted = &was
	}
	if link := s.link(said, *wanted); id == nil || link != address {
		var err error
		if id, err = tx.preview(ctx, link, s.db.Now()); err != nil {
			return err
		}
	}
	tag, err := tx.Exec(ctx, update, post, *wanted, id)
	if err == nil && tag.RowsAffected() > 0 {
		tx.Note(Change{Kind: ChangePost, Post: post})
	}
	return err
}

// PreviewFile returns the picture of the preview of a post. It returns [ErrNotFound] if there is no
// picture, or if the viewer may not read the post.
func (s *Store) PreviewFile(ctx context.Context, viewer UserID, post PostID) (f AttachedFile, err error) {
	defer primary.Wrap(&err, "picture of the preview of post %d", post)
	const query = `select (` + previewJSON + `) from posts where id = $1`
	err = s.db.View(ctx, func(q primary.Querier) error {
		sets, err := ReadSets(ctx, q, viewer)
		if err != nil {
			return err
		}
		if _, err := readablePlaces(ctx, q, sets, post); err != nil {
			return err
		}
		var p *Preview
		if err := q.QueryRow(ctx, query, post).Scan(&p); err != nil {
			return err
		}
		if p == nil || p.Picture == nil {
			return ErrNotFound
		}
		f = AttachedFile{Rendition: *p.Picture, FileName: PreviewPicture, Kind: "image"}
		return nil
	})
	return f, err
}
