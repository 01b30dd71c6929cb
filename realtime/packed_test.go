package realtime_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	liveclient "amstel.dev/amstel/realtime/client"
)

// raw reads a message unchanged and as JSON.
func (c *client) raw() (kind websocket.MessageType, size int, text []byte) {
	c.Helper()
	kind, message, err := c.conn.Read(c.Context())
	if err != nil {
		c.Fatal(err)
	}
	text, err = liveclient.Unpacked(kind, message)
	if err != nil {
		c.Fatalf("a message of %d bytes: %v", len(message), err)
	}
	return kind, len(message), text
}

func TestFramesForManySocketsAreCompressed(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 3)
		clients := make([]*client, 10)
		for i := range clients {
			clients[i] = b.open(everything, "", "")
		}
		synctest.Wait()
		time.Sleep(time.Second)
		before := b.server.Stats()
		b.rivers.Put(everything, fold(1, 2, 1000, strings.Repeat("the same again and again ", 100)))
		var texts [][]byte
		packed := 0
		for _, c := range clients {
			kind, size, text := c.raw()
			if kind == websocket.MessageBinary {
				packed++
				if size >= len(text) {
					t.Errorf("%d bytes were packed to %d", len(text), size)
				}
			}
			texts = append(texts, text)
			if _, _, err := c.page.Take(text); err != nil {
				t.Error(err)
			}
			c.same(everything)
		}
		for _, text := range texts {
			if !bytes.Equal(text, texts[0]) {
				t.Errorf("%.100s is not %.100s", text, texts[0])
			}
		}
		synctest.Wait()
		after := b.server.Stats()
		if packed != 7 || after.Compressed-before.Compressed != 7 || after.Shared-before.Shared != 9 || after.Composed-before.Composed != 1 {
			t.Errorf("%d came packed; %+v", packed, after)
		}
		// A short message is not compressed.
		time.Sleep(time.Second)
		b.rivers.Put(everything, fold(1, 3, 1000, "short"))
		for _, c := range clients {
			if kind, _, text := c.raw(); kind != websocket.MessageText {
				t.Errorf("packed: %s", text)
			}
		}
	})
}

// TestFramesOfAViewersRiverAreNotCompressed: the length of a compressed frame depends on how
// alike its parts are, so the author of a comment could guess the text beside the comment.
func TestFramesOfAViewersRiverAreNotCompressed(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(home, 3)
		clients := make([]*client, 10)
		for i := range clients {
			clients[i] = b.open(home, "7", "")
		}
		b.rivers.Put(home, fold(1, 2, 1000, strings.Repeat("the same again and again ", 100)))
		for _, c := range clients {
			if kind, _, text := c.raw(); kind != websocket.MessageText {
				t.Errorf("packed: %.100s", text)
			}
		}
	})
}

// TestPagesOfAllLengthsShareOneFrame: pages that show different parts of the river may need the
// same changes. They share one frame.
func TestPagesOfAllLengthsShareOneFrame(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 60)
		var clients []*client
		for i := range 12 {
			clients = append(clients, b.open(everything, "", fmt.Sprintf("?count=%d", 2+i)))
		}
		synctest.Wait()
		time.Sleep(time.Second)
		before := b.server.Stats()
		b.rivers.Put(everything, fold(60, 2, 60_000, strings.Repeat("for all of them ", 200)))
		for _, c := range clients {
			c.nextPatch()
			c.same(everything)
		}
		synctest.Wait()
		after := b.server.Stats()
		if drawn, shared := after.Rendered-before.Rendered, after.Shared-before.Shared; drawn != 1 || shared != 11 {
			t.Errorf("drawn %d times, shared by %d", drawn, shared)
		}
	})
}

// TestPagesThatReconnectShareOneReset connects many pages that send none of their entries.
func TestPagesThatReconnectShareOneReset(t *testing.T) {
	within(t, nil, func(b *bench) {
		b.fill(everything, 60)
		before := b.server.Stats()
		for range 6 {
			c := b.dial("")
			c.page = liveclient.NewPage(b.rivers.Name(everything, nil), "/everything/0")
			c.write(string(c.page.Sub()))
			for c.next().Type != "reset" {
			}
			c.same(everything)
		}
		synctest.Wait()
		after := b.server.Stats()
		if drawn, packed := after.Rendered-before.Rendered, after.Compressed-before.Compressed; drawn != 50 || packed != 2 { // nothing is kept for a single page
			t.Errorf("drawn %d times, packed %d times", drawn, packed)
		}
	})
}
