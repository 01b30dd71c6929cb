package world

import (
	"context"

	"amstel.dev/amstel/timeline"
)

// An event is a kind of write, and how often it happens relative to the other kinds.
type event struct {
	what   string
	weight int
	do     func(*World, context.Context, *Person) error
}

// events are all kinds of writes. Their functions are below, or in the files about people,
// groups, posts and homes.
var events = []event{
	{"post", 16, (*World).publish},
	{"comment", 30, (*World).comment},
	{"like", 22, (*World).like},
	{"unlike", 3, (*World).unlike},
	{"fav", 7, (*World).fav},
	{"unfav", 2, (*World).unfav},
	{"like comment", 8, (*World).likeComment},
	{"unlike comment", 2, (*World).unlikeComment},
	{"edit post", 5, (*World).editPost},
	{"delete post", 1, (*World).deletePost},
	{"disable comments", 1, (*World).disableComments},
	{"edit comment", 2, (*World).editComment},
	{"delete comment", 2, (*World).deleteComment},
	{"delete history", 1, (*World).deleteHistory},
	{"attach", 4, (*World).attach},
	{"preview", 6, (*World).preview},
	{"choose preview", 2, (*World).choosePreview},
	{"move", 4, (*World).move},
	{"remove from group", 2, (*World).removeFromGroup},
	{"add recipients", 2, (*World).addRecipients},
	{"leave direct", 2, (*World).leaveDirect},

	{"subscribe", 8, (*World).subscribe},
	{"subscribe forward only", 3, (*World).subscribeForward},
	{"forward only", 2, (*World).setForward},
	{"unsubscribe", 2, (*World).unsubscribe},
	{"withdraw", 1, (*World).withdraw},
	{"answer request", 4, (*World).answerRequest},
	{"invite", 4, (*World).invite},
	{"answer invitation", 4, (*World).answerInvitation},
	{"remove subscriber", 2, (*World).removeSubscriber},
	{"exclude", 3, (*World).exclude},
	{"readmit", 2, (*World).readmit},
	{"ban", 2, (*World).ban},
	{"unban", 4, (*World).unban},
	{"hide post", 2, (*World).hidePost},
	{"show post", 1, (*World).showPost},
	{"hide person", 2, (*World).hidePerson},

	{"make list", 2, (*World).makeList},
	{"rename list", 1, (*World).renameList},
	{"delete list", 1, (*World).deleteList},
	{"add to list", 6, (*World).addToList},
	{"remove from list", 2, (*World).removeFromList},
	{"mute", 3, (*World).mute},
	{"unmute", 2, (*World).unmute},
	{"own posts", 2, (*World).ownPosts},
	{"kinds of notices", 1, (*World).noticeKinds},
	{"read notices", 3, (*World).readNotices},
	{"imported feed", 3, (*World).importFeed},
	{"language of a post", 3, (*World).correctLang},
	{"language of a person", 1, (*World).language},
	{"rank", 2, (*World).rank},
	{"lift", 2, (*World).lift},
	{"bump", 1, (*World).bump},
	{"previews", 1, (*World).previews},

	{"status", 5, (*World).status},
	{"whose directs", 1, (*World).whoseDirects},
	{"display name", 1, (*World).displayName},
	{"rename", 1, (*World).rename},
	{"group status", 2, (*World).groupStatus},
	{"group settings", 1, (*World).groupSettings},
	{"rename group", 1, (*World).renameGroup},
	{"administrator", 3, (*World).administrator},
	{"step down", 2, (*World).stepDown},
	{"delete account", 1, (*World).deleteAccount},
	{"come back", 1, (*World).comeBack},
	{"erase account", 1, (*World).eraseAccount},
	{"suspend", 1, (*World).suspend},
	{"restore", 4, (*World).restore},
	{"report", 4, (*World).report},
	{"decide report", 3, (*World).decideReport},
	{"hold", 3, (*World).hold},
	{"decide held", 2, (*World).decideHeld},
	{"sign up", 1, (*World).signUpAnother},
	{"work off", 2, (*World).runAccountJob},
}

func (w *World) subscribe(ctx context.Context, who *Person) error {
	_, err := w.store.Subscribe(ctx, who.ID, w.feed(who), timeline.SubscribeOptions{})
	return err
}

func (w *World) subscribeForward(ctx context.Context, who *Person) error {
	_, err := w.store.Subscribe(ctx, who.ID, w.feed(who), timeline.SubscribeOptions{ForwardOnly: true})
	return err
}

func (w *World) setForward(ctx context.Context, who *Person) error {
	return w.store.SetForwardOnly(ctx, who.ID, w.feed(who), w.likely(60))
}

func (w *World) unsubscribe(ctx context.Context, who *Person) error {
	return w.store.Unsubscribe(ctx, who.ID, w.feed(who))
}

func (w *World) withdraw(ctx context.Context, who *Person) error {
	return w.store.Withdraw(ctx, who.ID, w.feed(who))
}

// answerRequest accepts or rejects a request to a person's feed or group; mostly it accepts.
func (w *World) answerRequest(ctx context.Context, who *Person) error {
	for range len(w.People) {
		requests, err := w.store.Requests(ctx, who.ID)
		if err != nil {
			return err
		}
		if len(requests) > 0 {
			if one := pick(w, requests); w.likely(80) {
				return w.store.Accept(ctx, who.ID, one.UUID)
			} else {
				return w.store.Reject(ctx, who.ID, one.UUID)
			}
		}
		who = pick(w, w.People)
	}
	return errNothing
}

func (w *World) invite(ctx context.Context, who *Person) error {
	feed, owner := w.feedAndOwner(who)
	_, err := w.store.Invite(ctx, owner.ID, feed, w.other(owner).Name)
	return err
}

// answerInvitation accepts or declines an invitation, or withdraws it as its sender.
func (w *World) answerInvitation(ctx context.Context, who *Person) error {
	for range len(w.People) {
		invitations, err := w.store.Invitations(ctx, who.ID)
		if err != nil {
			return err
		}
		if len(invitations) == 0 {
			who = pick(w, w.People)
			continue
		}
		one := pick(w, invitations)
		switch {
		case w.likely(70):
			return w.store.AcceptInvitation(ctx, who.ID, one.UUID)
		case w.likely(50):
			return w.store.EndInvitation(ctx, who.ID, one.UUID)
		default:
			return w.store.EndInvitation(ctx, one.From, one.UUID)
		}
	}
	return errNothing
}

// removeSubscriber ends a person's subscription, or expels a member from a group.
func (w *World) removeSubscriber(ctx context.Context, who *Person) error {
	feed, owner := w.feedAndOwner(who)
	return w.store.RemoveSubscriber(ctx, owner.ID, feed, w.other(owner).Name)
}

func (w *World) exclude(ctx context.Context, who *Person) error {
	feed, owner := w.feedAndOwner(who)
	return w.store.Exclude(ctx, owner.ID, feed, w.other(owner).Name)
}

func (w *World) readmit(ctx context.Context, who *Person) error {
	feed, owner := w.feedAndOwner(who)
	return w.store.Readmit(ctx, owner.ID, feed, w.other(owner).Name)
}

func (w *World) ban(ctx context.Context, who *Person) error {
	return w.store.Ban(ctx, who.ID, w.other(who).Name)
}

// unban ends an existing ban: a random pair would hardly ever have one, and bans would
// accumulate.
func (w *World) unban(ctx context.Context, who *Person) error {
	for range len(w.People) {
		banned, err := w.store.Banned(ctx, who.ID)
		if err != nil {
			return err
		}
		for _, id := range banned {
			for _, p := range w.People {
				if p.ID == id {
					return w.store.Unban(ctx, who.ID, p.Name)
				}
			}
		}
		who = pick(w, w.People)
	}
	return errNothing
}

func (w *World) hidePost(ctx context.Context, who *Person) error {
	if p := w.post(); p != nil {
		return w.store.HidePost(ctx, who.ID, p.ID)
	}
	return errNothing
}

func (w *World) showPost(ctx context.Context, who *Person) error {
	if p := w.post(); p != nil {
		return w.store.ShowPost(ctx, who.ID, p.ID)
	}
	return errNothing
}

func (w *World) hidePerson(ctx context.Context, who *Person) error {
	parts := timeline.HiddenParts{Posts: w.likely(40), Comments: w.likely(40)}
	if w.likely(30) {
		return w.store.ShowUser(ctx, who.ID, w.other(who).Name, parts)
	}
	return w.store.HideUser(ctx, who.ID, w.other(who).Name, parts)
}
