package mail

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// said returns notices in words, as package web does.
func said(_ catalogue.Language, p *timeline.NoticePage) (all []Notice) {
	for _, n := range p.Notices {
		all = append(all, Notice{Said: fmt.Sprintf("%s of %s <%s>", n.Kind, p.Users[n.By].Name, n.PostText), Comment: n.CommentText, Path: fmt.Sprint("/p/", n.Post)})
	}
	return all
}

// TestNoticesAreMailed follows notices from the write to the mail, in both its forms, with the headers that let a mail program stop such
// mails. A notice is mailed once.
func TestNoticesAreMailed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := d.worker(d.smtp.transport(t), nil)
	w.opts.Notices = said
	ctx := t.Context()
	bert, err := d.store.SignUp(ctx, timeline.NewUser{Name: "bert", Email: "bert@example.org", NoPassword: true})
	d.must(err)
	secret, err := d.store.NewEmailLink(ctx, d.anna, "anna@example.org")
	d.must(err)
	d.must(d.store.ConfirmEmail(ctx, secret))
	d.must(d.store.SetMailWish(ctx, d.anna, timeline.MailWish{Often: timeline.MailSoon}))
	_, err = d.store.Pool().Exec(ctx, `delete from mails`)
	d.must(err)
	d.wait(time.Hour)
	post, err := d.store.CreatePost(ctx, d.anna, timeline.NewPost{To: []string{"user"}, Text: "soup & bread"})
	d.must(err)
	_, err = d.store.AddComment(ctx, bert, post, timeline.NewComment{Text: "with <cheese>"})
	d.must(err)
	hidden, err := d.store.CreatePost(ctx, bert, timeline.NewPost{To: []string{"user"}, Text: "a secret for @anna"})
	d.must(err)
	d.must(d.store.DeletePost(ctx, bert, hidden))

	d.wait(10 * time.Minute)
	w.queueNotices(ctx)
	d.wantOutcomes(d.work(w), "sent")
	mail := d.smtp.only(t)
	token, err := d.store.StopToken(ctx, d.anna)
	d.must(err)
	header := mail.msg(t).Header
	for name, want := range map[string]string{
		"Subject": "1 new notification on amstel.example", "List-Unsubscribe": "<https://amstel.example/users/stop/" + token + ">",
		"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
	} {
		if got := decoded(t, header.Get(name)); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	plain, html := mail.parts(t)
	link := fmt.Sprintf("https://amstel.example/p/%d", post)
	if !strings.Contains(plain, "comment of bert <soup & bread>\nwith <cheese>\n"+link+"\n") || !strings.Contains(plain, "/users/stop/"+token) {
		t.Errorf("the plain text is:\n%s", plain)
	}
	if !strings.Contains(html, `href="`+link+`"`) || !strings.Contains(html, "soup &amp; bread") || !strings.Contains(html, "with &lt;cheese&gt;") || strings.Contains(html, "<cheese>") {
		t.Errorf("the HTML is:\n%s", html)
	}
	if strings.Contains(plain+html, "secret") {
		t.Error("the mail has words of a post that was deleted")
	}

	d.wait(10 * time.Minute)
	w.queueNotices(ctx)
	d.wantOutcomes(d.work(w))
	// A notice that was read between the look and the mail is not mailed.
	_, err = d.store.AddComment(ctx, bert, post, timeline.NewComment{Text: "again"})
	d.must(err)
	d.wait(10 * time.Minute)
	w.queueNotices(ctx)
	d.must(d.store.ReadNoticesOf(ctx, d.anna, post))
	d.wantOutcomes(d.work(w), "dropped")
	if d.smtp.count() != 1 {
		t.Errorf("%d mails arrived, want 1", d.smtp.count())
	}
}
