package realtime

// A socketSet is a set of sockets that can be listed. The list is made once after each change and
// is never written to again, so callers may keep the list.
type socketSet struct {
	all  map[*socket]struct{}
	list []*socket // nil: not made since the last change
}

func newSocketSet() socketSet { return socketSet{all: map[*socket]struct{}{}} }

func (set *socketSet) add(sock *socket) {
	set.all[sock] = struct{}{}
	set.list = nil
}

// remove removes a socket and returns how many are left.
func (set *socketSet) remove(sock *socket) int {
	delete(set.all, sock)
	set.list = nil
	return len(set.all)
}

// members returns the sockets, in no order.
func (set *socketSet) members() []*socket {
	if set.list == nil && len(set.all) > 0 {
		set.list = make([]*socket, 0, len(set.all))
		for sock := range set.all {
			set.list = append(set.list, sock)
		}
	}
	return set.list
}
