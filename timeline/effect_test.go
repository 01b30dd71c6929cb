package timeline

import (
	"context"
	"testing"
)

// TestEffect checks the [Effect] of each write that takes a right away. If the same write, made again,
// finds nothing to do, it checks that too. A few other writes are there for comparison.
func TestEffect(t *testing.T) {
	t.Parallel()
	type world struct {
		*site
		post, group, direct PostID
		comment             CommentID
	}
	all := Effect{Changed: true, Revoked: true}
	for _, tt := range []struct {
		name string
		do   func(w world, ctx context.Context) error
		want Effect
	}{
		{"a like", func(w world, ctx context.Context) error { return w.Like(ctx, w.user("carl"), w.post) }, Effect{Changed: true}},
		{"an edited text", func(w world, ctx context.Context) error {
			return w.EditPost(ctx, w.user("anna"), w.post, PostEdit{Text: new("other")})
		}, Effect{Changed: true}},
		{"a session", func(w world, ctx context.Context) error {
			_, err := w.NewSession(ctx, w.user("anna"), false, "")
			return err
		}, Effect{}},
		{"what is refused", func(w world, ctx context.Context) error {
			if err := w.DeletePost(ctx, w.user("bert"), w.post); err == nil {
				t.Error("bert deletes anna's post")
			}
			return nil
		}, Effect{}},
		{"a name", func(w world, ctx context.Context) error {
			return w.SetProfile(ctx, w.user("anna"), ProfileEdit{DisplayName: new("A.")})
		}, Effect{Changed: true}},
		{"an unban", func(w world, ctx context.Context) error {
			w.must(w.Ban(t.Context(), w.user("anna"), "carl"))
			return w.Unban(ctx, w.user("anna"), "carl")
		}, Effect{Changed: true}},

		{"a status", func(w world, ctx context.Context) error {
			return w.SetProfile(ctx, w.user("anna"), ProfileEdit{Status: new("private")})
		}, all},
		{"a group's status", func(w world, ctx context.Context) error {
			return w.EditGroup(ctx, w.user("eva"), "kitchen", GroupEdit{Status: new("private")})
		}, all},
		{"who posts in a group", func(w world, ctx context.Context) error {
			return w.EditGroup(ctx, w.user("eva"), "kitchen", GroupEdit{Posting: new("admins")})
		}, all},
		{"a move", func(w world, ctx context.Context) error {
			return w.EditPost(ctx, w.user("anna"), w.post, PostEdit{To: []string{"user_fyeo"}})
		}, all},
		{"a deletion", func(w world, ctx context.Context) error { return w.DeletePost(ctx, w.user("anna"), w.post) }, all},
		{"a comment's deletion", func(w world, ctx context.Context) error {
			return w.DeleteComment(ctx, w.user("bert"), w.post, w.comment)
		}, all},
		{"a post out of a group", func(w world, ctx context.Context) error {
			return w.RemoveFromGroup(ctx, w.user("eva"), w.group, "kitchen")
		}, all},
		{"a direct left", func(w world, ctx context.Context) error { return w.LeaveDirect(ctx, w.user("bert"), w.direct) }, all},
		{"a subscription's end", func(w world, ctx context.Context) error {
			return w.Unsubscribe(ctx, w.user("bert"), FeedName{Name: "anna"})
		}, all},
		{"a second end of it", func(w world, ctx context.Context) error {
			return w.Unsubscribe(ctx, w.user("carl"), FeedName{Name: "anna"})
		}, Effect{Revoked: true}},
		{"a subscriber put out", func(w world, ctx context.Context) error {
			return w.RemoveSubscriber(ctx, w.user("anna"), FeedName{Name: "anna"}, "bert")
		}, all},
		{"a ban", func(w world, ctx context.Context) error { return w.Ban(ctx, w.user("anna"), "bert") }, all},
		{"a second ban", func(w world, ctx context.Context) error {
			w.must(w.Ban(t.Context(), w.user("anna"), "bert"))
			return w.Ban(ctx, w.user("anna"), "bert")
		}, Effect{Revoked: true}},
		{"an exclusion", func(w world, ctx context.Context) error {
			return w.Exclude(ctx, w.user("anna"), FeedName{Name: "anna"}, "bert")
		}, all},
		{"an administration's end", func(w world, ctx context.Context) error {
			w.must(w.AddAdmin(t.Context(), w.user("eva"), "kitchen", "anna"))
			return w.RemoveAdmin(ctx, w.user("eva"), "kitchen", "anna")
		}, all},
		{"an account's deletion", func(w world, ctx context.Context) error {
			w.must(w.SetPassword(t.Context(), w.user("anna"), "a password of hers"))
			return w.DeleteAccount(ctx, w.user("anna"), "a password of hers")
		}, all},
		{"several writes", func(w world, ctx context.Context) error {
			w.must(w.Ban(ctx, w.user("anna"), "bert"))
			return w.Like(ctx, w.user("carl"), w.post)
		}, all},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newVillage(t)
			w := world{site: s, post: s.post("anna"), group: s.post("anna", "group:kitchen"), direct: s.post("anna", "direct:bert")}
			w.comment = s.comment("bert", w.post)
			ctx, effect := WithEffect(t.Context())
			w.must(tt.do(w, ctx))
			if got := effect.Take(); got != tt.want {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
			if got := effect.Take(); got != (Effect{}) {
				t.Errorf("%+v is left", got)
			}
		})
	}
}
