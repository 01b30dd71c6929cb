package page

import (
	"net/url"

	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/static"
)

// The colours behind every page, as the stylesheet has them in light and in dark.
const (
	groundLight = "#f7f5f0"
	groundDark  = "#12181b"
)

// ManifestFile is the path of the manifest, without its language.
const ManifestFile = "/manifest.webmanifest"

// ManifestPath returns the address of the manifest in a language.
func ManifestPath(words catalogue.Language) string {
	return ManifestFile + "?lang=" + url.QueryEscape(words.Code())
}

// A Manifest is how a browser installs the site as an app.
type Manifest struct {
	ID          string         `json:"id"` // the app stays the same in other languages
	Name        string         `json:"name"`
	ShortName   string         `json:"short_name"`
	Description string         `json:"description"`
	Lang        string         `json:"lang"`
	Dir         string         `json:"dir"`
	StartURL    string         `json:"start_url"`
	Scope       string         `json:"scope"`
	Display     string         `json:"display"`
	Background  string         `json:"background_color"`
	Theme       string         `json:"theme_color"`
	Icons       []ManifestIcon `json:"icons"`
	Share       ManifestShare  `json:"share_target"`
}

// A ManifestShare is the address at which the installed app receives texts and links from other programs.
type ManifestShare struct {
	Action  string            `json:"action"`
	Method  string            `json:"method"`
	Encoded string            `json:"enctype"`
	Params  map[string]string `json:"params"`
}

// A ManifestIcon is an icon of the app.
type ManifestIcon struct {
	Src     string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose"`
}

// NewManifest returns the manifest of a site with the name, in a language.
func NewManifest(words catalogue.Language, site string) Manifest {
	return Manifest{
		ID: "/", Name: site, ShortName: site, Description: words.WelcomeTitle(), Lang: words.Code(), Dir: "ltr",
		StartURL: "/", Scope: "/", Display: "standalone", Background: groundLight, Theme: groundLight,
		Icons: []ManifestIcon{
			{static.Path("icon-192.png"), "192x192", "image/png", "any"},
			{static.Path("icon-512.png"), "512x512", "image/png", "any"},
			{static.Path("icon-maskable.png"), "512x512", "image/png", "maskable"},
			{static.Path("favicon.svg"), "any", "image/svg+xml", "any"},
		},
		Share: ManifestShare{SharePath, "GET", "application/x-www-form-urlencoded", map[string]string{"url": "u", "title": "t", "text": "q"}},
	}
}
