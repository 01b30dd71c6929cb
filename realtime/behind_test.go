package realtime_test

import (
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"amstel.dev/amstel/realtime"
	liveclient "amstel.dev/amstel/realtime/client"
)

func TestPagesAreToldThatTheNodeIsBehind(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		b.fill(home, 3)
		clients := []*client{b.open(everything, "", ""), b.open(everything, "", ""), b.open(home, "7", "")}
		expect := func(behind bool, within time.Duration) {
			t.Helper()
			began := time.Now()
			for _, c := range clients {
				if f := c.next(); f.Type != "behind" || f.Behind != behind || time.Since(began) > within {
					t.Errorf("after %v came %+v", time.Since(began), f)
				}
			}
		}
		b.rivers.SetAge(2100 * time.Millisecond)
		expect(true, time.Second)
		if !b.server.Stats().Behind {
			t.Error("the node does not say that it is behind")
		}
		// The node shows the state it has, and tells a newly opened page at once that the node
		// is behind.
		b.rivers.Put(everything, fold(9, 1, 9000, "late"))
		clients[0].nextPatch()
		clients[1].nextPatch()
		late := b.open(everything, "", "")
		if !late.page.Behind {
			t.Error("a hello does not tell that the node is behind")
		}
		late.same(everything)
		clients = append(clients, late)

		// To come up for a moment is not enough.
		b.rivers.SetAge(1500 * time.Millisecond)
		for _, c := range clients[:1] {
			c.silent(5 * time.Second)
		}
		clients[0] = b.open(everything, "", "") // the silent socket was dropped
		b.rivers.SetAge(300 * time.Millisecond)
		expect(false, time.Second)
		if c := b.open(everything, "", ""); c.page.Behind {
			t.Error("a hello tells that the node is behind when it is not any more")
		}
	})
}

func TestAPageThatComesToANodeBehindIsToldFirst(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		b.rivers.SetAge(5 * time.Second)
		c := b.open(everything, "", "")
		if !c.page.Behind {
			t.Error("the first page is not told")
		}
		c.silent(10 * time.Second)
	})
}

func TestPollsTellThatTheNodeIsBehind(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		page := b.visit(everything, "", "")
		for age, want := range map[time.Duration]bool{time.Second: false, 3 * time.Second: true} {
			b.rivers.SetAge(age)
			status, body := b.poll(page.River, page.Path, page.Epoch, "2")
			if told := strings.Contains(body, `"behind":true`); status != 200 || told != want {
				t.Errorf("at an age of %v: %d %s", age, status, body)
			}
			if _, _, err := page.Take([]byte(body)); err != nil {
				t.Error(err)
			}
		}
	})
}

// poll asks for changes as a page without a socket does.
func (b *bench) poll(river, page, epoch, counter string) (int, string) {
	b.Helper()
	query := url.Values{"river": {river}, "page": {page}, "epoch": {epoch}, "counter": {counter}}
	answer, err := b.net.HTTP().Get("http://site.test/live/changes?" + query.Encode())
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	var body strings.Builder
	if err := answer.Write(&body); err != nil {
		b.Fatal(err)
	}
	_, text, _ := strings.Cut(body.String(), "\r\n\r\n")
	return answer.StatusCode, text
}

func TestPagesAreToldThatTheirPaceIsStretched(t *testing.T) {
	slow := &slowRender{}
	within(t, func(c *realtime.Config) { c.Render = slow }, func(b *bench) {
		b.fill(everything, 3)
		c := b.open(everything, "", "")
		if c.page.Pace != 200 {
			t.Errorf("a hello tells of a pace of %d", c.page.Pace)
		}
		time.Sleep(time.Second)
		slow.takes.Store(int64(600 * time.Millisecond))
		frames := make(chan *liveclient.Frame, 100) // all are read at once
		go func() {
			defer close(frames)
			for {
				data, err := liveclient.Read(b.Context(), c.conn)
				if err != nil {
					return
				}
				_, f, err := c.page.Take(data)
				if err != nil {
					t.Error(err)
				}
				frames <- f
			}
		}()
		var paces []int64
		next := func() string {
			f := <-frames
			if f.Type == "pace" {
				paces = append(paces, f.MS)
			}
			return f.Type
		}
		for i := range 6 {
			synctest.Wait()
			b.rivers.Put(everything, fold(1, 2+i, 1000, strings.Repeat("x", i+1)))
			for next() != "patch" {
			}
		}
		if b.server.Stats().Pace != 1200*time.Millisecond {
			t.Errorf("the pace is %v", b.server.Stats().Pace)
		}
		if d := b.open(everything, "", ""); d.page.Pace != 800 {
			t.Errorf("who comes now is told of %d", d.page.Pace)
		}
		slow.takes.Store(0)
		b.rivers.Put(everything, fold(1, 20, 1000, "last"))
		for len(paces) == 0 || paces[len(paces)-1] != 200 { // the pace returns to normal, although nothing changes any more
			next()
		}
		if len(paces) < 3 || paces[0] != 400 || paces[1] != 800 {
			t.Errorf("told of paces %v", paces)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		c.same(everything)
		synctest.Wait()
		if b.server.Stats().Pace != 200*time.Millisecond {
			t.Errorf("at last the pace is %v", b.server.Stats().Pace)
		}
	})
}
