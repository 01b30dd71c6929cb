package world

import (
	"math/rand/v2"
	"slices"

	"amstel.dev/amstel/timeline"
)

// Beside returns a world of the same people, groups and posts that writes by another store, so
// that several goroutines may write at once, each with a world of its own. From then on, none of
// them knows the writes of the others, so more of their writes are refused. number is from 1,
// and differs between the worlds of one site; it is part of new names.
func (w *World) Beside(store *timeline.Store, seed uint64, number int) *World {
	const apart = 100_000
	other := &World{
		store: store, rng: rand.New(rand.NewPCG(seed, 3)), secrets: w.secrets, people: number * apart, groups: number * apart,
		Did: make(map[string]int), Refused: make(map[string]int), Without: w.Without,
	}
	copies := make(map[*Person]*Person)
	person := func(p *Person) *Person {
		if p == nil {
			return nil
		}
		if copies[p] == nil {
			one := *p
			one.oldNames = slices.Clone(p.oldNames)
			copies[p] = &one
		}
		return copies[p]
	}
	for _, p := range w.People {
		other.People = append(other.People, person(p))
	}
	for _, g := range w.Groups {
		one := &Group{ID: g.ID, Name: g.Name}
		for _, p := range g.admins {
			one.admins = append(one.admins, person(p))
		}
		other.Groups = append(other.Groups, one)
	}
	for _, p := range w.Posts {
		one := &Post{ID: p.ID, Author: person(p.Author), Direct: p.Direct}
		for _, c := range p.comments {
			one.comments = append(one.comments, comment{c.id, person(c.by)})
		}
		other.Posts = append(other.Posts, one)
	}
	return other
}
