package world

import (
	"context"
	"fmt"

	"amstel.dev/amstel/timeline"
)

func (w *World) signUp(ctx context.Context) error {
	name := fmt.Sprintf("person%d", w.people)
	w.people++
	p := &Person{Name: name, Password: "password of " + name, Picky: w.people%2 == 0}
	id, err := w.store.SignUp(ctx, timeline.NewUser{Name: name, Email: name + "@example.org", Password: p.Password})
	if err != nil {
		return fmt.Errorf("sign up %s: %w", name, err)
	}
	p.ID = id
	w.People = append(w.People, p)
	return nil
}

// signUpAnother signs a person up if another has deleted their account.
func (w *World) signUpAnother(ctx context.Context, _ *Person) error {
	if len(w.People) >= manyPeople {
		return errNothing
	}
	return w.signUp(ctx)
}

func (w *World) status(ctx context.Context, who *Person) error {
	status := pick(w, []string{"public", "public", "public", "disallow-robots", "protected", "protected", "private", "private", "fyeo"})
	return w.store.SetProfile(ctx, who.ID, timeline.ProfileEdit{Status: &status})
}

func (w *World) whoseDirects(ctx context.Context, who *Person) error {
	from := pick(w, []string{"anybody", "anybody", "subscriptions"})
	return w.store.SetProfile(ctx, who.ID, timeline.ProfileEdit{DirectsFrom: &from})
}

func (w *World) displayName(ctx context.Context, who *Person) error {
	name := fmt.Sprintf("%s the %d", who.Name, w.rng.IntN(100))
	return w.store.SetProfile(ctx, who.ID, timeline.ProfileEdit{DisplayName: &name})
}

// language sets the language in which a person writes, or leaves it to detection.
func (w *World) language(ctx context.Context, who *Person) error {
	lang := pick(w, append([]string{""}, Languages...))
	return w.store.SetProfile(ctx, who.ID, timeline.ProfileEdit{Lang: &lang})
}

// rename changes the name of a person, to a new one or one of their old ones.
func (w *World) rename(ctx context.Context, who *Person) error {
	name := fmt.Sprintf("%s-%d", who.Name[:min(len(who.Name), 20)], w.rng.IntN(1000))
	if len(who.oldNames) > 0 && w.likely(30) {
		name = pick(w, who.oldNames)
	}
	if err := w.store.SetProfile(ctx, who.ID, timeline.ProfileEdit{Name: &name}); err != nil {
		return err
	}
	who.oldNames = append(who.oldNames, who.Name)
	who.Name = name
	return nil
}

// deleteAccount deletes an account, unless too few would be left, or the person is the site's
// first administrator. The person may come back until the account is erased.
func (w *World) deleteAccount(ctx context.Context, who *Person) error {
	if who == w.People[0] || len(w.People) <= manyPeople/2+1 || len(w.Gone) > w.people/2 {
		return errNothing
	}
	if err := w.store.DeleteAccount(ctx, who.ID, who.Password); err != nil {
		return err
	}
	w.People, w.Gone, w.leaving = remove(w.People, who), append(w.Gone, who), append(w.leaving, who)
	for _, g := range w.Groups {
		g.admins = remove(g.admins, who)
	}
	return nil
}

// comeBack ends the deletion of an account.
func (w *World) comeBack(ctx context.Context, _ *Person) error {
	if len(w.leaving) == 0 {
		return errNothing
	}
	who := pick(w, w.leaving)
	link, err := w.store.NewLink(ctx, who.ID)
	if err != nil {
		return err
	}
	if _, err := w.store.ComeBack(ctx, link, ""); err != nil {
		return err
	}
	w.People, w.Gone, w.leaving = append(w.People, who), remove(w.Gone, who), remove(w.leaving, who)
	return nil
}

// eraseAccount ends an account that was deleted, as if the time for coming back were over.
func (w *World) eraseAccount(ctx context.Context, _ *Person) error {
	if len(w.leaving) == 0 {
		return errNothing
	}
	who := pick(w, w.leaving)
	if _, err := w.store.Pool().Exec(ctx, `update users set erase_at = 'epoch' where id = $1`, who.ID); err != nil {
		return err
	}
	w.leaving = remove(w.leaving, who)
	return w.store.EraseAccounts(ctx)
}

// suspend suspends an account, unless too few would be left, or the person is the site's first administrator.
func (w *World) suspend(ctx context.Context, who *Person) error {
	if who == w.People[0] || len(w.People) <= manyPeople/2+1 {
		return errNothing
	}
	if err := w.store.Suspend(ctx, who.ID); err != nil {
		return err
	}
	w.People, w.Gone, w.suspended = remove(w.People, who), append(w.Gone, who), append(w.suspended, who)
	return nil
}

// restore ends the suspension of an account.
func (w *World) restore(ctx context.Context, _ *Person) error {
	if len(w.suspended) == 0 {
		return errNothing
	}
	who := pick(w, w.suspended)
	if err := w.store.Restore(ctx, who.ID); err != nil {
		return err
	}
	w.People, w.Gone, w.suspended = append(w.People, who), remove(w.Gone, who), remove(w.suspended, who)
	return nil
}

// runAccountJob works off a chunk of the jobs of deleted and suspended accounts.
func (w *World) runAccountJob(ctx context.Context, _ *Person) error {
	_, err := w.store.RunAccountJob(ctx)
	return err
}
