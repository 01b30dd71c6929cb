package page

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// The pages of the viewer's settings.
const (
	SettingsPath    = "/settings" // the profile
	AccountPath     = "/settings/account"
	PrivacyPath     = "/settings/privacy"
	MyPeoplePath    = "/settings/people"
	MyListsPath     = "/settings/lists"
	AppearancePath  = "/settings/appearance"
	TokensPath      = "/settings/tokens"
	DataPath        = "/settings/data"
	settingsFormKey = "form"
	sessionsAPI     = "/api/v1/sessions"
	confirmationAPI = "/api/v1/email/confirmation"
)

// A SettingsForm is a form of the settings, by its name in addresses.
type SettingsForm string

// The forms of the settings.
const (
	ProfileForm    SettingsForm = "profile"
	NameForm       SettingsForm = "name"
	EmailForm      SettingsForm = "email"
	PasswordForm   SettingsForm = "password"
	PasskeyForm    SettingsForm = "passkey"  // the forms of passkeys, which are forms of the API
	SessionsForm   SettingsForm = "sessions" // the list of devices, whose buttons are forms of the API
	PrivacyForm    SettingsForm = "privacy"
	AudienceForm   SettingsForm = "audience" // the form of the privacy, which asks and saves nothing
	AppearanceForm SettingsForm = "appearance"
	NoticesForm    SettingsForm = "notices"
	PushForm       SettingsForm = "push" // the list of devices with pushes, whose buttons are forms of the API
	TokenForm      SettingsForm = "token"
	FeedForm       SettingsForm = "feed"
	IntakeForm     SettingsForm = "intake"
	DeleteForm     SettingsForm = "delete"
	SiteForm       SettingsForm = "site"
	SuspendForm    SettingsForm = "suspend"
	ReportForm     SettingsForm = "report"
	SignUpLinkForm SettingsForm = "link"
	DecideForm     SettingsForm = "decide"
	AvatarForm     SettingsForm = "avatar"
	CoverForm      SettingsForm = "cover"
)

// Page returns the path of the page with the form.
func (f SettingsForm) Page() string {
	switch f {
	case NameForm, EmailForm, PasswordForm, PasskeyForm, SessionsForm:
		return AccountPath
	case PrivacyForm, AudienceForm:
		return PrivacyPath
	case AppearanceForm:
		return AppearancePath
	case NoticesForm, PushForm:
		return NoticeSettingsPath
	case TokenForm:
		return TokensPath
	case FeedForm:
		return FeedsPath
	case IntakeForm:
		return IntakesPath
	case DeleteForm:
		return DataPath
	case SiteForm:
		return SitePath
	case SuspendForm:
		return SuspensionsPath
	case ReportForm:
		return ReportPath
	case SignUpLinkForm:
		return SignUpLinksPath
	case DecideForm:
		return ReportsPath
	}
	return SettingsPath
}

// action returns the address to which the form is sent. It is that of the form's page, so
// that the address is right if the form is refused and shown again.
func (f SettingsForm) action() string {
	return f.Page() + "?" + url.Values{settingsFormKey: {string(f)}}.Encode()
}

// SettingsFormOf returns the form that the query of an address names; the profile's if it
// names none.
func SettingsFormOf(query url.Values) SettingsForm {
	if name := query.Get(settingsFormKey); name != "" {
		return SettingsForm(name)
	}
	return ProfileForm
}

// A GroupLeft is a group with no other administrator than the viewer, and the member who becomes its administrator when the
// viewer deletes the account; nil: there is none, and the group is closed.
type GroupLeft struct {
	Group *timeline.GroupCard
	Heir  *timeline.UserCard
}

// SettingsModel is the content of one page of a person's settings.
type SettingsModel struct {
	Shell
	Page     string       // which page, by its path
	Refused  SettingsForm // the form that was refused; empty: none
	Problems Problems     // of the refused form
	Initial  Initial      // the values of the page's fields

	Name, DisplayName, Description, Status string
	DirectsFrom                            string    // "anybody" or "subscriptions"
	KeepsVisits                            bool      // the times of the viewer's visits are kept
	Theme, Density                         string    // as in [Look]; "system" and "comfortable" are the first choices
	TimeZone                               string    // its name; empty: that of the browser
	PageLanguage                           string    // the code of the language of the pages; empty: the browser's
	OwnPosts                               bool      // the viewer's own posts are in their home
	Lang                                   string    // the code of the language in which the viewer writes; empty: detected in each post
	Audience                               *Audience // of the feed as the form has it; nil: not asked

	Pictures *Pictures // nil: nothing can be uploaded

	Email          string
	EmailConfirmed bool
	EmailFailed    bool   // mail to the address came back
	EmailWanted    string // the new address, until the viewer confirms it; empty: none
	Mails          bool   // the site sends mail
	HasPassword    bool
	Forgot         bool // the viewer signed in by a link a short time ago, and may set a password without the old one
	Sessions       []Session
	Passkeys       *Passkeys // nil: the site takes none

	Export *OwnExport // nil: the site makes none
	// GroupsLeft are the groups with no other administrator than the viewer.
	GroupsLeft []GroupLeft

	Tokens   []Token
	NewToken string // the secret of a new token, shown once

	TokenTyped TokenTyped

	Used, Limit int // requests of the viewer in this hour, and their limit; 0: any number

	FeedAddresses []FeedAddress
	FeedChoices   []FeedChoice
	FeedPage      string     // the path of the choice
	NewFeed       []FeedLink // the addresses of a new one, shown once

	Intakes                 []Intake
	IntakesOff              bool          // the site imports no feeds
	IntakePlaces            []Destination // to choose from
	IntakeAddress, IntakeTo string        // as typed
}

// problems returns the problems of a form.
func (m SettingsModel) problems(form SettingsForm) Problems {
	if form != m.Refused {
		return nil
	}
	return m.Problems
}

// A Session is a device on which the viewer is signed in.
type Session struct {
	ID                int64
	Browser, System   string // empty: unknown
	CreatedAt, SeenAt time.Time
	Current           bool // this is the session of the request
}

func (s Session) api() string { return sessionsAPI + "/" + strconv.FormatInt(s.ID, 10) + ".json" }

// device returns the words for the device.
func (s Session) device(words catalogue.Language) string { return words.Device(s.Browser, s.System) }

// A Token is an API token without its secret.
type Token struct {
	ID        int64
	Name      string
	Scopes    []string // read, write, admin
	CreatedAt time.Time
	SeenAt    *time.Time // nil: never used
	ExpiresAt *time.Time // nil: never
	Expired   bool
	Used      int // requests in this hour
	Limit     int // of requests in an hour; 0: none
}

// TokenTyped has the typed values of the form for a new token.
type TokenTyped struct {
	Name   string
	Days   string // after which the token expires; empty: never
	Scopes []string
}

// scopeChoices returns the scopes that a new token can have.
func scopeChoices(words catalogue.Language, chosen []string) []choice {
	all := []choice{
		{Value: "read", Label: words.SettingsScopeRead(), Hint: words.SettingsScopeReadHint()},
		{Value: "write", Label: words.SettingsScopeWrite(), Hint: words.SettingsScopeWriteHint()},
		{Value: "admin", Label: words.SettingsScopeAdmin(), Hint: words.SettingsScopeAdminHint()},
	}
	for i := range all {
		all[i].Checked = slices.Contains(chosen, all[i].Value)
	}
	return all
}

// may returns in words what the token may do.
func (t Token) may(words catalogue.Language) string {
	var labels []string
	for _, c := range scopeChoices(words, t.Scopes) {
		if c.Checked {
			labels = append(labels, c.Label)
		}
	}
	return strings.Join(labels, ", ")
}

// usedOf returns in words how many requests there were in this hour.
func usedOf(words catalogue.Language, used, limit int) string {
	if limit == 0 {
		return words.SettingsQuotaFree(used)
	}
	return words.SettingsQuota(used, strconv.Itoa(limit))
}

// tokenDays are the numbers of days after which the form offers a token to expire.
var tokenDays = []int{7, 30, 90, 365}

func (t Token) api() string { return "/api/v1/tokens/" + strconv.FormatInt(t.ID, 10) + ".json" }

// settingsLinks returns the pages of the viewer's settings.
func (s Shell) settingsLinks() []navLink {
	links := []navLink{
		{Href: SettingsPath, Text: s.Words.SettingsProfile()},
		{Href: AccountPath, Text: s.Words.SettingsAccount()},
		{Href: PrivacyPath, Text: s.Words.SettingsPrivacy()},
		{Href: MyPeoplePath, Text: s.Words.MyPeopleTitle()},
		{Href: MyListsPath, Text: s.Words.ListTitle()},
		{Href: NoticeSettingsPath, Text: s.Words.NoticeTitle()},
		{Href: AppearancePath, Text: s.Words.SettingsAppearance()},
		{Href: IntakesPath, Text: s.Words.IntakeTitle()},
		{Href: FeedsPath, Text: s.Words.FeedTitle()},
		{Href: TokensPath, Text: s.Words.SettingsTokens()},
		{Href: SignUpLinksPath, Text: s.Words.SignUpLinkTitle()},
		{Href: DataPath, Text: s.Words.SettingsData()},
	}
	if s.Viewer != nil && s.Viewer.Admin {
		links = append(links, navLink{Href: AdminPath, Text: s.Words.AdminTitle()}, navLink{Href: SitePath, Text: s.Words.SiteTitle()}, navLink{Href: ReportsPath, Text: s.Words.ReportsTitle()}, navLink{Href: SuspensionsPath, Text: s.Words.SuspensionTitle()}, navLink{Href: ApplicantsPath, Text: s.Words.ApplicantTitle()})
	}
	return links
}

// SettingsTitle returns the name of a page of the settings.
func SettingsTitle(words catalogue.Language, path string) string {
	admin := Shell{Words: words, Viewer: &Viewer{Admin: true}}
	for _, link := range admin.settingsLinks() {
		if link.Href == path {
			return link.Text
		}
	}
	return words.SettingsTitle()
}

// ownPosts returns the choices of whether the viewer's own posts are in their home.
func ownPosts(words catalogue.Language, shown bool) []choice {
	return choose([]choice{
		{Value: "true", Label: words.SettingsOwnShow()},
		{Value: "false", Label: words.SettingsOwnHide(), Hint: words.SettingsOwnHideHint()},
	}, strconv.FormatBool(shown))
}

// visits returns the choices of whether the times of the viewer's visits are kept.
func visits(words catalogue.Language, kept bool) []choice {
	return choose([]choice{
		{Value: "true", Label: words.SettingsVisitsKeep(), Hint: words.SettingsVisitsKeepHint()},
		{Value: "false", Label: words.SettingsVisitsDrop()},
	}, strconv.FormatBool(kept))
}

// directs returns the choices of the setting for the senders of direct messages.
func directs(words catalogue.Language, chosen string) []choice {
	return choose([]choice{
		{Value: "anybody", Label: words.SettingsDirectsAnybody(), Hint: words.SettingsDirectsAnybodyHint()},
		{Value: "subscriptions", Label: words.SettingsDirectsSubscriptions()},
	}, chosen)
}

// themes returns the choices of the theme.
func themes(words catalogue.Language, chosen string) []choice {
	return choose([]choice{
		{Value: "system", Label: words.SettingsThemeSystem()},
		{Value: "light", Label: words.SettingsThemeLight()},
		{Value: "dark", Label: words.SettingsThemeDark()},
	}, chosen)
}

// densities returns the choices of how dense a page is.
func densities(words catalogue.Language, chosen string) []choice {
	return choose([]choice{
		{Value: "comfortable", Label: words.SettingsDensityComfortable()},
		{Value: "compact", Label: words.SettingsDensityCompact(), Hint: words.SettingsDensityCompactHint()},
	}, chosen)
}
