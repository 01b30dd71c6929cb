package web

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"amstel.dev/amstel/internal/identicon"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/page"
	"amstel.dev/amstel/web/static"
	"amstel.dev/amstel/web/webfeed"
)

// site returns the handler of the whole URL space; api adds the routes under /api/v1. Every
// path can also end in .json, which asks for the page as JSON, and makes no difference
// under /api/v1. Paths of rivers can end in .atom, .rss and .feed.json, which ask for web
// feeds. The _method of a form counts as its method.
func (s *Server) site(public *url.URL) chi.Router {
	r := chi.NewRouter()
	r.Use(s.middleware(public)...)
	r.NotFound(s.handle(notFound))
	r.MethodNotAllowed(s.handle(methodNotAllowed))

	// For programs and browsers.
	r.Get("/healthz", s.healthz)
	r.Get("/readyz", s.readyz)
	r.Get("/metrics", s.metrics)
	r.Handle(static.Prefix+"*", static.Handler())
	r.Get("/robots.txt", showRobots)
	r.Get("/favicon.ico", showRoot("favicon.ico", "public, max-age=86400"))
	r.Get("/apple-touch-icon.png", showRoot("apple-touch-icon.png", "public, max-age=86400"))
	r.Get("/service-worker.js", showRoot("service-worker.js", "no-cache"))
	r.Get(page.ManifestFile, s.showManifest)
	r.Get("/system/avatars/{name}.svg", s.handleFile(s.showGenerated("image/svg+xml", identicon.SVG)))
	r.Get("/system/avatars/{name}.png", s.handleFile(s.showGenerated("image/png", generatedPNG)))
	r.Get("/system/avatars/{file}.jpg", s.handleFile(s.showPicture(timeline.Avatar)))
	r.Get("/system/covers/{file}.jpg", s.handleFile(s.showPicture(timeline.Cover)))
	r.Get(page.PublicFiles+"{file}", s.handleFile(s.showPublicFile))
	r.Get(page.Files+"{id:[0-9]+}/{file}", s.handleFile(s.showFile))
	r.Get(page.Files+"preview/{post:[0-9]+}/{file}", s.handleFile(s.showPreviewFile))
	if s.config.Live != nil {
		r.Method(http.MethodGet, livePath, s.readable(s.config.Live))
	}
	if s.config.Changes != nil {
		r.Method(http.MethodGet, changesPath, s.readable(s.config.Changes))
	}
	if s.config.Faye != nil {
		r.Method(http.MethodGet, fayePath, s.config.Faye)
		r.Method(http.MethodPost, fayePath, s.config.Faye)
	}

	// Accounts and sessions.
	r.Get("/users/sign_in", s.handle(s.showSignIn))
	r.Post("/users/sign_in", s.handle(s.signIn))
	r.Get(page.PasskeySignInPath, s.handle(s.askPasskey))
	r.Post(page.PasskeySignInPath, s.handle(s.signInByPasskey))
	r.Get("/users/sign_up", s.handle(s.showSignUp))
	r.Post("/users/sign_up", s.handle(s.signUp))
	r.Post("/users/sign_out", s.handle(s.signOut))
	r.Get(page.ForgotPath, s.handle(s.showForgot))
	r.Post(page.ForgotPath, s.handle(s.mailLink))
	r.Get("/users/link/{secret}", s.handle(s.showLink))
	r.Post("/users/link/{secret}", s.handle(s.useLink))
	r.Get("/users/confirm/{secret}", s.handle(s.showConfirm))
	r.Post("/users/confirm/{secret}", s.handle(s.confirmEmail))
	r.Get(page.ConfirmedPath, s.handle(s.showConfirmed))
	r.Get("/users/stop/{secret}", s.handle(s.showStop))
	r.Post("/users/stop/{secret}", s.handle(s.stopMails))
	r.Get(page.StoppedPath, s.handle(s.showStopped))

	// Pages that are not of rivers.
	r.Get(page.AboutPath, s.handle(s.showAbout))
	r.Get(page.RulesPath, s.handle(s.showRules))
	r.Get(page.ComparePath, s.handle(s.showCompare))
	r.Get(page.KeysPath, s.handle(s.showKeys))
	r.Get(page.StatusPath, s.showStatus)
	r.Get(page.OfflinePath, s.handle(s.showOffline))
	r.Get(page.MailsPath, s.handle(s.showMails))
	for _, path := range []string{page.SettingsPath, page.AccountPath, page.PrivacyPath, page.AppearancePath, page.IntakesPath, page.FeedsPath, page.TokensPath, page.DataPath} {
		r.Get(path, s.handleSignedIn(s.showSettings(path)))
	}
	r.Get(page.DataPath+"/{id:[0-9]+}/{file}", s.bySession(s.downloadExport))
	r.Post("/settings", s.bySession(s.sendSettings()))
	r.Post("/settings/{page}", s.bySession(s.sendSettings()))
	for _, path := range []string{"/settings/apitokens", "/customize/apitokens"} { // Mokum's earlier and later one
		r.Get(path, http.RedirectHandler(page.TokensPath, http.StatusSeeOther).ServeHTTP)
	}
	r.Get("/settings/people", s.handleSignedIn(s.showMyPeople))
	r.Get("/requests", s.handleSignedIn(s.showRequests))
	r.Get("/groups/new", s.handleSignedIn(s.showGroupCreate))

	r.Get(page.MyListsPath, s.handleSignedIn(s.showLists))
	r.Get(page.NoticesPath, s.handleSignedIn(s.showNotices))
	r.Get(page.NoticeSettingsPath, s.handleSignedIn(s.showNoticeSettings))
	r.Get(page.SitePath, s.handleSignedIn(s.showSite))
	r.Get(page.AdminPath, s.asAdmin(s.showAdmin))
	r.Get(page.SuspensionsPath, s.asAdmin(s.showSuspensions))
	r.Get(page.ApplicantsPath, s.asAdmin(s.showApplicants))
	r.Get(page.SignUpLinksPath, s.bySession(s.showSignUpLinks))
	r.Get(page.ReportPath, s.handleSignedIn(s.showReport))
	r.Get(page.ReportsPath, s.asAdmin(s.showReports))

	// The address that share buttons open, and the form on its page.
	r.Post(page.SharePath, s.handleAlike(s.keepShared))
	r.Get(page.SharePath, s.handle(s.showShare))
	r.Get(page.ShareDraftPath("{draft}"), s.handleSignedIn(s.showShared))

	// Pages for finding posts, people and groups.
	r.Get(page.SearchPath, s.handle(s.showSearch))
	r.Get(page.FindPath, s.handle(s.listing(s.showFound)))
	r.Get(page.GroupsPath, s.handle(s.listing(s.showGroups)))

	// Forms that ask for an audience, and change nothing.
	r.Get("/posts/new", s.handleSignedIn(s.showNewPost))
	r.Post("/posts/audience", s.handleSignedIn(s.askPost))
	r.Patch("/{name}/edit", s.asAdmin(s.askGroupEdit))
	r.Post("/{name}/edit", s.asAdmin(s.sendGroupPicture))
	r.Patch("/{name}/{post:[0-9]+}/edit", s.handleSignedIn(s.askPostEdit))

	// Rivers; package address finds the river of each path.
	for _, path := range []string{
		"/", "/index", "/{name}", "/{name}/photos", "/{name}/private", "/{name}/comments", "/{name}/likes", "/{name}/{post:[0-9]+}",
		"/filter/everything", "/filter/best_of", "/filter/most_faved",
		"/filter/everything/{lang}", "/filter/best_of/{lang}", "/filter/most_faved/{lang}",
		"/{name}/calendar/{year}", "/{name}/calendar/{year}/{month}", "/{name}/calendar/{year}/{month}/{day}",
	} {
		r.Get(path, s.handle(s.showRiver))
		if path != "/" { // which is /index there
			s.addFeeds(r, path, s.showFeed)
		}
	}
	s.addFeeds(r, page.SearchPath, s.showFeed)
	s.addFeeds(r, page.PrivateFeeds+"{secret}", s.showPrivateFeed)
	r.Get(page.FeedFiles+"{address:[0-9]+}/{key}/{id:[0-9]+}/{file}", s.handleFeed(s.showFeedFile))
	for _, path := range []string{
		"/user", "/filter/directs", "/filter/favs", "/filter/discussions", "/filter/mentions", "/filter/fyeo", "/list/{list}",
	} {
		r.Get(path, s.handleSignedIn(s.showRiver))
	}
	r.Get("/{name}/calendar", s.handle(s.listing(s.showCalendar)))
	r.Get("/{name}/edit", s.handleSignedIn(s.showGroupEdit))
	r.Get("/{name}/subscribers", s.handle(s.listing(s.showSubscribers)))
	r.Get("/{name}/subscriptions", s.handle(s.listing(s.showSubscriptions)))
	r.Get("/{name}/{post:[0-9]+}/comments", s.handle(s.listing(s.listComments)))
	r.Get("/{name}/{post:[0-9]+}/likes", s.handle(s.listing(s.listLikes)))
	r.Get("/{name}/across_bans", s.asAdmin(s.showGroupAcross))
	r.Get("/{name}/{post:[0-9]+}/across_bans", s.handleSignedIn(s.showPostAcross))
	r.Get("/{name}/{post:[0-9]+}/history", s.handle(s.showHistory))
	r.Get("/{name}/{post:[0-9]+}/comments/{comment:[0-9]+}/history", s.handle(s.showHistory))
	r.Get("/{name}/{post:[0-9]+}/edit", s.handleSignedIn(s.showPostEdit))
	r.Get("/{name}/{post:[0-9]+}/menu", s.handleSignedIn(s.showPostMenu))
	r.Get("/{name}/{post:[0-9]+}/comments/{comment:[0-9]+}/edit", s.handleSignedIn(s.showCommentEdit))
	r.Get("/{name}/{post:[0-9]+}/comments/{comment:[0-9]+}/delete", s.handleSignedIn(s.showCommentDelete))

	// The API, for readers and for programs; the documents without .json, as in all routes.
	r.Get(page.APIPath, s.handle(s.showAPI))
	r.Get("/api/openapi", showOpenAPI)
	r.Get("/api/live.schema", showLiveSchema)
	r.Route("/api/v1", s.api)
	return r
}

// addFeeds adds the routes of the web feeds of a page.
func (s *Server) addFeeds(r chi.Router, path string, show action) {
	for _, format := range webfeed.Formats {
		r.Get(path+format.Ending, s.handleFeed(show))
	}
}

// api adds the routes of Mokum's API and of ours.
func (s *Server) api(r chi.Router) {
	r.Get("/whoami", s.handleSignedIn(s.showWhoami))
	r.Patch("/password", s.bySession(s.setPassword))
	r.Patch("/email", s.bySession(s.setEmail))
	r.Post("/email/confirmation", s.bySession(s.mailConfirmation))
	r.Delete("/email/confirmation", s.bySession(s.keepEmail))
	r.Get("/sessions", s.bySession(s.listSessions))
	r.Delete("/sessions", s.bySession(s.endOtherSessions))
	r.Delete("/sessions/{id}", s.bySession(s.endOneSession))
	r.Get("/passkeys", s.bySession(s.listPasskeys))
	r.Post("/passkeys", s.bySession(s.addPasskey))
	r.Post("/passkeys/options", s.bySession(s.askNewPasskey))
	r.Patch("/passkeys/{id}", s.bySession(s.renamePasskey))
	r.Delete("/passkeys/{id}", s.bySession(s.removePasskey))
	r.Get("/exports", s.bySession(s.listExports))
	r.Post("/exports", s.bySession(s.startExport))
	r.Delete("/exports/{id}", s.bySession(s.deleteExport))
	r.Get("/tokens", s.handleSignedIn(s.listTokens))
	r.Post("/tokens", s.bySession(s.createToken))
	r.Delete("/tokens/{id}", s.handleSignedIn(s.revokeToken))

	r.Get("/feed_addresses", s.handleSignedIn(s.listFeedAddresses))
	r.Post("/feed_addresses", s.bySession(s.createFeedAddress))
	r.Delete("/feed_addresses/{id}", s.handleSignedIn(s.revokeFeedAddress))

	r.Get("/intakes", s.handleSignedIn(s.listIntakes))
	r.Post("/intakes", s.handleSignedIn(s.addIntake))
	r.Patch("/intakes/{id}", s.handleSignedIn(s.editIntake))
	r.Delete("/intakes/{id}", s.handleSignedIn(s.removeIntake))
	r.Post("/intakes/{id}/look", s.handleSignedIn(s.lookAtIntake))

	r.Post("/users", s.handle(s.signUp))
	r.Get("/users/{name}", s.handle(s.showUser))
	r.Patch("/users/{name}", s.handleSignedIn(s.editUser)) // by id, as clients do
	r.Delete("/users/{name}", s.bySession(s.deleteUser))
	r.Post("/users/{name}/ban", s.handleSignedIn(s.ban))
	r.Delete("/users/{name}/ban", s.handleSignedIn(s.unban))
	r.Post("/users/{name}/exclusion", s.handleSignedIn(s.excludeFromMine))
	r.Delete("/users/{name}/exclusion", s.handleSignedIn(s.readmitToMine))
	r.Post("/users/{name}/hide", s.handleSignedIn(s.hidePosts(true)))
	r.Delete("/users/{name}/hide", s.handleSignedIn(s.hidePosts(false)))
	r.Post("/users/{name}/hide_comments", s.handleSignedIn(s.hideComments(true)))
	r.Delete("/users/{name}/hide_comments", s.handleSignedIn(s.hideComments(false)))
	r.Post("/users/{name}/mute", s.handleSignedIn(s.mute))
	r.Delete("/users/{name}/mute", s.handleSignedIn(s.unmute))

	r.Post("/groups", s.handleSignedIn(s.createGroup))
	r.Get("/groups/{name}", s.handle(s.showGroup))
	r.Patch("/groups/{name}", s.asAdmin(s.editGroup))
	r.Get("/groups/{name}/intakes", s.handleSignedIn(s.listGroupIntakes))
	r.Get("/groups/{name}/admins", s.handle(s.listAdmins))
	r.Post("/groups/{name}/admins/{who}", s.asAdmin(s.addAdmin))
	r.Delete("/groups/{name}/admins/{who}", s.asAdmin(s.removeAdmin))
	r.Post("/groups/{name}/exclusions/{who}", s.asAdmin(s.excludeFromGroup))
	r.Delete("/groups/{name}/exclusions/{who}", s.asAdmin(s.readmitToGroup))

	for path, kind := range map[string]feedKind{
		"/users/{name}": userFeed, "/users/{name}/private": privateFeed, "/groups/{name}": groupFeed,
	} {
		r.Post(path+"/subscribers", s.handleSignedIn(s.subscribe(kind)))
		r.Patch(path+"/subscribers", s.handleSignedIn(s.setPolicy(kind)))
		r.Delete(path+"/subscribers", s.handleSignedIn(s.unsubscribe(kind)))
		manage := s.handleSignedIn // one's own feeds
		if kind == groupFeed {
			manage = s.asAdmin
		}
		r.Delete(path+"/subscribers/{who}", manage(s.removeSubscriber(kind)))
		r.Post(path+"/invitations", manage(s.invite(kind)))
	}
	r.Get("/invitations", s.handleSignedIn(s.listInvitations))
	r.Put("/invitations/{uuid}", s.handleSignedIn(s.acceptInvitation))
	r.Delete("/invitations/{uuid}", s.handleSignedIn(s.endInvitation))
	r.Get("/subscription_requests", s.handleSignedIn(s.listRequests))
	r.Put("/subscription_requests/{uuid}", s.handleSignedIn(s.acceptRequest))
	r.Delete("/subscription_requests/{uuid}", s.handleSignedIn(s.rejectRequest))

	r.Get("/searches", s.handleSignedIn(s.listSearches))
	r.Post("/searches", s.handleSignedIn(s.saveSearch))
	r.Patch("/searches/{id}", s.handleSignedIn(s.renameSearch))
	r.Delete("/searches/{id}", s.handleSignedIn(s.dropSearch))
	r.Get("/suggestions", s.handleSignedIn(s.listSuggestions))
	r.Get("/completions", s.handleSignedIn(s.listing(s.listCompletions)))
	r.Delete("/steps", s.handleSignedIn(s.dismissSteps))

	r.Get("/lists", s.handleSignedIn(s.listLists))
	r.Post("/lists", s.handleSignedIn(s.createList))
	r.Patch("/lists/{id}", s.handleSignedIn(s.renameList))
	r.Delete("/lists/{id}", s.handleSignedIn(s.deleteList))
	r.Post("/lists/{id}/members", s.handleSignedIn(s.addToList))
	r.Delete("/lists/{id}/members", s.handleSignedIn(s.removeFromList))

	r.Get("/notifications", s.handleSignedIn(s.listNotices))
	r.Get("/notifications/unread", s.handleSignedIn(s.countNotices))
	r.Post("/notifications/read", s.handleSignedIn(s.readNotices))
	r.Get("/notifications/settings", s.handleSignedIn(s.listNoticeKinds))
	r.Patch("/notifications/settings", s.handleSignedIn(s.setNoticeKinds))
	r.Get("/notifications/receivers", s.bySession(s.listPushReceivers))
	r.Post("/notifications/receivers", s.bySession(s.addPushReceiver))
	r.Delete("/notifications/receivers/{id}", s.bySession(s.removePushReceiver))

	r.Get("/catch_up", s.handleSignedIn(s.showCatchUp))
	r.Post("/catch_up", s.handleSignedIn(s.noteSeen))
	r.Delete("/catch_up", s.handleSignedIn(s.dismissCatchUp))

	r.Get("/site", s.handle(s.showSiteSettings))
	r.Patch("/site", s.asAdmin(s.editSite))
	r.Get("/suspensions", s.asAdmin(s.listSuspensions))
	r.Post("/suspensions", s.asAdmin(s.suspend))
	r.Delete("/suspensions/{name}", s.asAdmin(s.restore))
	r.Get("/site_changes", s.asAdmin(s.listSiteChanges))
	r.Get("/applicants", s.asAdmin(s.showApplicants))
	r.Patch("/applicants/{id}", s.asAdmin(s.decideApplicant))
	r.Get("/sign_up_links", s.bySession(s.listSignUpLinks))
	r.Post("/sign_up_links", s.bySession(s.createSignUpLink))
	r.Delete("/sign_up_links/{id}", s.bySession(s.revokeSignUpLink))
	r.Get("/held_posts", s.asAdmin(s.listHeld))
	r.Post("/held_posts/{post:[0-9]+}", s.asAdmin(s.releasePost))
	r.Delete("/held_posts/{post:[0-9]+}", s.asAdmin(s.refusePost))
	r.Post("/reports", s.handleSignedIn(s.sendReport))
	r.Get("/reports", s.asAdmin(s.listReports))
	r.Patch("/reports/{id}", s.asAdmin(s.decideReport))

	for path, role := range map[string]timeline.PictureRole{"avatar": timeline.Avatar, "cover": timeline.Cover} {
		r.Post("/"+path+"s", s.handleSignedIn(s.setOwnPicture(role)))
		r.Delete("/"+path+"s", s.handleSignedIn(s.removeOwnPicture(role)))
		r.Post("/groups/{name}/"+path, s.asAdmin(s.setGroupPicture(role)))
		r.Delete("/groups/{name}/"+path, s.asAdmin(s.removeGroupPicture(role)))
	}

	r.Get("/attachments", s.handleSignedIn(s.listUploads))
	r.Post("/attachments", s.handleSignedIn(s.upload))
	r.Delete("/attachments/{id:[0-9]+}", s.handleSignedIn(s.removeUpload))

	r.Get("/audience", s.handleSignedIn(s.showAudience))
	r.Post("/posts", s.handleSignedIn(s.createPost))
	for _, post := range []string{"/posts/{post:[0-9]+}", "/posts/{name}/{post:[0-9]+}"} {
		r.Patch(post, s.handleSignedIn(s.editPost))
		r.Put(post, s.handleSignedIn(s.editPost))
		r.Delete(post, s.handleSignedIn(s.deletePost))
		r.Post(post+"/likes", s.handleSignedIn(s.likePost))
		r.Delete(post+"/likes", s.handleSignedIn(s.unlikePost))
		r.Post(post+"/favs", s.handleSignedIn(s.favPost))
		r.Delete(post+"/favs", s.handleSignedIn(s.unfavPost))
		r.Post(post+"/hide", s.handleSignedIn(s.hidePost))
		r.Delete(post+"/hide", s.handleSignedIn(s.showPostAgain))
		r.Delete(post+"/groups/{group}", s.handleSignedIn(s.removeFromGroup))
		r.Post(post+"/recipients", s.handleSignedIn(s.addRecipients))
		r.Delete(post+"/recipients", s.handleSignedIn(s.leaveDirect))
		r.Post(post+"/comments", s.handleSignedIn(s.createComment))

		comment := post + "/comments/{comment:[0-9]+}"
		r.Get(comment, s.handle(s.showComment))
		r.Post(comment, s.handleSignedIn(s.editComment)) // Mokum's way; the rest is ours
		r.Patch(comment, s.handleSignedIn(s.editComment))
		r.Put(comment, s.handleSignedIn(s.editComment))
		r.Delete(comment, s.handleSignedIn(s.deleteComment))
		for _, of := range []string{post, comment} {
			r.Get(of+"/history", s.handle(s.showHistory))
			r.Delete(of+"/history", s.handleSignedIn(s.deleteHistory))
		}
		r.Post(post+"/clike/{comment:[0-9]+}", s.handleSignedIn(s.likeComment))
		r.Delete(post+"/clike/{comment:[0-9]+}", s.handleSignedIn(s.unlikeComment))
	}
}
