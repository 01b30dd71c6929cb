package browsertest

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestAvatarIsCutInThePage chooses a picture in the settings, zooms and moves it, and uploads
// it. Another open page shows the new avatar. Without script the middle part is kept.
func TestAvatarIsCutInThePage(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := newSite(t, "ann")
	s.post("ann", "look at me")
	s.shown()
	reader := b.visitor(s, "a reader")
	reader.live("/ann")
	const face = `document.querySelector(".entry-head img").getAttribute("src")`
	reader.sees("the generated picture", face+` === "/system/avatars/ann.svg"`)

	ann := b.person(s, "ann")
	ann.open("/settings")
	ann.choose("#picture-avatar", s.pictures("me.png")...) // 90 x 60 pixels
	const part = `["x", "y", "width"].map((name) => Number(document.querySelector("[name='avatar[" + name + "]']").value).toFixed(2)).join(" ")`
	ann.sees("the part around the middle", part+` === "0.17 0.00 0.67"`)
	ann.eval(`(() => {
		const zoom = document.querySelector("[data-crop=avatar] input[type=range]");
		zoom.value = 2;
		zoom.dispatchEvent(new Event("input"));
	})()`)
	ann.sees("a smaller part", part+` === "0.33 0.25 0.33"`)
	ann.do(chromedp.Focus(chromedp.CSS("[data-crop=avatar] .crop-frame")))
	for range 100 {
		ann.do(chromedp.KeyEvent(kb.ArrowRight))
	}
	ann.sees("the part at the right edge", part+` === "0.67 0.25 0.33"`)
	ann.leave("[data-crop=avatar] button.primary")
	const own = `document.querySelector("[data-crop=avatar] .picture-avatar")`
	ann.sees("the avatar", own+`.naturalWidth === 100 && `+own+`.getAttribute("src").startsWith("/system/avatars/")`)
	reader.sees("the avatar on the open page", face+`.endsWith(".jpg")`)
	reader.same()

	plain := b.person(s, "ann")
	plain.withoutScript()
	plain.do(chromedp.Navigate(s.url + "/settings"))
	plain.choose("#picture-cover", s.pictures("wide.png")...)
	plain.leave("[data-crop=cover] button.primary")
	plain.sees("the cover", `document.querySelector("[data-crop=cover] img.picture-cover").naturalWidth === 800`)
}
