package world

import (
	"context"
	"fmt"

	"amstel.dev/amstel/timeline"
)

func (w *World) makeGroup(ctx context.Context, who *Person, g timeline.NewGroup) error {
	g.Name = fmt.Sprintf("group%d", w.groups)
	w.groups++
	id, err := w.store.CreateGroup(ctx, who.ID, g)
	if err != nil {
		return fmt.Errorf("make %s: %w", g.Name, err)
	}
	w.Groups = append(w.Groups, &Group{ID: id, Name: g.Name, admins: []*Person{who}})
	return nil
}

// groupAndAdmin returns a group and a person, most often an administrator of the group.
func (w *World) groupAndAdmin() (*Group, *Person) {
	g := pick(w, w.Groups)
	return g, w.admin(g)
}

func (w *World) groupStatus(ctx context.Context, _ *Person) error {
	g, admin := w.groupAndAdmin()
	status := pick(w, []string{"public", "protected", "private", "disallow-robots"})
	return w.store.EditGroup(ctx, admin.ID, g.Name, timeline.GroupEdit{Status: &status})
}

func (w *World) groupSettings(ctx context.Context, _ *Person) error {
	g, admin := w.groupAndAdmin()
	posting, joining := pick(w, []string{"anybody", "members", "admins"}), pick(w, []string{"open", "request"})
	return w.store.EditGroup(ctx, admin.ID, g.Name, timeline.GroupEdit{Posting: &posting, Joining: &joining})
}

func (w *World) renameGroup(ctx context.Context, _ *Person) error {
	g, admin := w.groupAndAdmin()
	name := fmt.Sprintf("%s-%d", g.Name[:min(len(g.Name), 20)], w.rng.IntN(1000))
	if err := w.store.EditGroup(ctx, admin.ID, g.Name, timeline.GroupEdit{Name: &name}); err != nil {
		return err
	}
	g.Name = name
	return nil
}

func (w *World) administrator(ctx context.Context, _ *Person) error {
	g, admin := w.groupAndAdmin()
	who := w.other(admin)
	if err := w.store.AddAdmin(ctx, admin.ID, g.Name, who.Name); err != nil {
		return err
	}
	g.admins = append(remove(g.admins, who), who)
	return nil
}

// stepDown removes an administrator, by their own action or by that of another administrator.
func (w *World) stepDown(ctx context.Context, _ *Person) error {
	g, admin := w.groupAndAdmin()
	who := admin
	if len(g.admins) > 0 && w.likely(50) {
		who = pick(w, g.admins)
	}
	if err := w.store.RemoveAdmin(ctx, admin.ID, g.Name, who.Name); err != nil {
		return err
	}
	g.admins = remove(g.admins, who)
	return nil
}
