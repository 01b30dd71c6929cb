package browsertest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// phone makes the tab one of a phone with a touch screen.
func (tb *tab) phone() {
	tb.Helper()
	tb.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile), chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
		return err
	}))
}

// fingers tests that fingers hit the links and buttons of comments: each one beside a text is 44 pixels
// high, and no other one covers its middle, nor the lower part of a link in the text above.
func fingers(t *testing.T, b *browser) {
	s := newSite(t, "ann", "bob")
	post := s.post("bob", "a post")
	for i := range 6 {
		s.comment([]string{"ann", "bob"}[i%2], post, "a comment for"+strings.Repeat(" @bob", 9+i))
		s.comment("ann", post, "short")
	}
	s.shown()
	ann := b.person(s, "ann")
	ann.phone()
	ann.live(fmt.Sprintf("/bob/%d", post))
	if !value[bool](ann, `matchMedia("(pointer: coarse)").matches`) {
		t.Fatal("the tab has no touch screen")
	}
	pressed := value[[]string](ann, `[...document.querySelectorAll(".comment :is(a, button, summary)")].filter((e) => e.checkVisibility()).map((e) => {
		e.scrollIntoView({block: "center", behavior: "instant"});
		const box = e.getClientRects()[0];
		const inText = e.closest(".text") !== null;
		const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height * (inText ? 0.8 : 0.5));
		return ((inText || box.height >= 44) && e.contains(hit) ? "" : box.height + " px, hit " + hit?.outerHTML + ": ") + e.outerHTML;
	})`)
	if len(pressed) < 40 {
		t.Errorf("only %d links and buttons: %q", len(pressed), pressed)
	}
	for _, one := range pressed {
		if one[0] != '<' {
			t.Error(one)
		}
	}
}
