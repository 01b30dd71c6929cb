package realtime

// A roster is a set of sockets of which lists are made: one after each change,
// however often it is asked for. Who has a list may keep it.
type roster struct {
	all  map[*socket]struct{}
	list []*socket // nil: to be made
}

func newRoster() roster { return roster{all: map[*socket]struct{}{}} }

func (r *roster) add(one *socket) {
	r.all[one] = struct{}{}
	r.list = nil
}

// remove takes a socket out and says how many are left.
func (r *roster) remove(one *socket) int {
	delete(r.all, one)
	r.list = nil
	return len(r.all)
}

// members are the sockets, in no order.
func (r *roster) members() []*socket {
	if r.list == nil && len(r.all) > 0 {
		r.list = make([]*socket, 0, len(r.all))
		for one := range r.all {
			r.list = append(r.list, one)
		}
	}
	return r.list
}
