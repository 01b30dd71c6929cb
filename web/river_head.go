package web

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
	"amstel.dev/amstel/web/address"
	"amstel.dev/amstel/web/catalogue"
	"amstel.dev/amstel/web/page"
)

// heads returns the head of a page about a person or a group; nil for both on other
// pages.
func (s *Server) heads(q *request, v *riverPage) (*page.UserHead, *page.GroupHead) {
	back := v.address.Path
	if card := v.view.Users[v.address.Owner.User]; v.address.Owner.User != 0 && card != nil {
		return &page.UserHead{
			Card: card, Counts: v.facts.counts.shown(), Relation: s.relation(q, v.view.Sets, v.address.Owner), Tab: tabOf(v.address.Key.What),
			Signed: q.who.signedIn(), ReturnTo: back,
		}, nil
	}
	if card := v.view.Groups[v.address.Owner.Group]; v.address.Owner.Group != 0 && card != nil {
		return nil, &page.GroupHead{
			Card: card, Counts: v.facts.counts.shown(), Relation: s.relation(q, v.view.Sets, v.address.Owner), Tab: tabOf(v.address.Key.What),
			Signed: q.who.signedIn(), ReturnTo: back, Admins: v.facts.admins, Members: v.facts.members,
		}
	}
	return nil, nil
}

func tabOf(kind river.Kind) page.Tab {
	switch kind {
	case river.KindComments:
		return page.TabComments
	case river.KindLikes:
		return page.TabLikes
	case river.KindPhotos, river.KindGroupPhotos:
		return page.TabPhotos
	case river.KindPrivate:
		return page.TabPrivate
	case river.KindDay:
		return page.TabCalendar
	}
	return page.TabPosts
}

// title returns the title of the page.
func (v *riverPage) title(words catalogue.Language) string {
	switch v.address.Key.What {
	case river.KindList:
		return words.KindTitleList(v.address.Name)
	case river.KindHashtag, river.KindSearch:
		if v.address.Tag() != "" {
			return v.address.Name
		}
		return words.KindTitleSearch(firstWords(v.address.Name, 60))
	case river.KindPost:
		e := &v.view.Entries[0]
		by := words.EntrySomeone()
		if card := v.view.Users[e.Fold.Author]; card != nil {
			by = card.DisplayName
		}
		about := words.EntryNsfw()
		if !e.Fold.Text.NSFW {
			about = beginning(words, e.Fold.Text.Text, firstFile(e.Fold.Attachments), 60)
		}
		return words.KindTitlePost(by, about)
	}
	if name := ownTitle(words, v.address.Key.What); name != "" {
		if l, of := text.FindLanguage(v.address.Lang); of {
			name = words.KindInLanguage(name, l.Own)
		}
		return name
	}
	name := v.address.Owner.Name
	if card := v.view.Users[v.address.Owner.User]; v.address.Owner.User != 0 && card != nil {
		name = card.DisplayName
	}
	if card := v.view.Groups[v.address.Owner.Group]; v.address.Owner.Group != 0 && card != nil {
		name = card.DisplayName
	}
	switch v.address.Key.What {
	case river.KindComments:
		return words.KindTitleComments(name)
	case river.KindLikes:
		return words.KindTitleLikes(name)
	case river.KindPhotos, river.KindGroupPhotos:
		return words.KindTitlePhotos(name)
	case river.KindPrivate:
		return words.KindTitlePrivate(name)
	case river.KindDay:
		return words.KindTitleDay(name, address.DayInWords(words, v.address.Key.Query))
	}
	return name
}

// ownTitle returns the title of a page that is not about one person or group, or an empty string
// for other pages.
func ownTitle(words catalogue.Language, kind river.Kind) string {
	switch kind {
	case river.KindHome:
		return words.KindHome()
	case river.KindDirects:
		return words.KindDirects()
	case river.KindFavs:
		return words.KindFavs()
	case river.KindDiscussions:
		return words.KindDiscussions()
	case river.KindMentions:
		return words.KindMentions()
	case river.KindFYEO:
		return words.KindFyeo()
	case river.KindEverything:
		return words.KindEverything()
	case river.KindBestOf:
		return words.KindBest()
	case river.KindMostFaved:
		return words.KindFaved()
	}
	return ""
}

// about returns the description of a page of the whole site, or an empty string for other pages.
func (v *riverPage) about(words catalogue.Language) string {
	about := ""
	switch v.address.Key.What {
	case river.KindEverything:
		about = words.KindEverythingAbout()
	case river.KindBestOf:
		about = words.KindBestAbout()
	case river.KindMostFaved:
		about = words.KindFavedAbout()
	}
	if l, of := text.FindLanguage(v.address.Lang); of && about != "" {
		return words.KindInLanguage(l.Own, about)
	}
	return about
}

// factsFor is pageFacts for a request; a web feed has nothing above its entries.
func (s *Server) factsFor(q *request, sets *timeline.Sets, where address.Address) *headFacts {
	if q.feed != nil {
		return new(headFacts)
	}
	return s.pageFacts(q.Context(), sets, where, q.html)
}

// pageFacts reads the facts above a page's entries, which no river holds. JSON needs only the
// counts.
func (s *Server) pageFacts(ctx context.Context, sets *timeline.Sets, where address.Address, html bool) *headFacts {
	facts := headFacts{counts: s.counts.headCounts(ctx, sets, where.Owner)}
	if !html {
		return &facts
	}
	if where.Owner.Group != 0 {
		facts.admins, facts.members = s.groupAdmins.shown(ctx, sets, where.Owner.Group, where.Owner.Name)
	}
	switch where.Key.What {
	case river.KindBestOf:
		facts.weights = s.rivers.Site().BestOf
	case river.KindMostFaved:
		facts.weights = s.rivers.Site().MostFaved
	}
	switch where.Key.What {
	case river.KindEverything, river.KindBestOf, river.KindMostFaved:
		facts.languages = s.addresses.Languages.InUse(ctx)
	case river.KindHome, river.KindUser, river.KindGroup, river.KindDirects, river.KindPrivate, river.KindFYEO:
		if sets != nil && sets.MayAct() {
			facts.languages = s.addresses.Languages.InUse(ctx) // for the form for a new post
		}
	case river.KindDay:
		facts.days = s.daysAround(ctx, where)
	case river.KindSearch:
		var viewer timeline.UserID
		if sets != nil {
			viewer = sets.User
		}
		facts.found = s.findFew(ctx, viewer, where.Search)
	}
	return &facts
}

// kindHead returns the facts that distinguish the page from others of its kind, and the links to
// its other forms.
func (s *Server) kindHead(words catalogue.Language, v *riverPage) page.KindHead {
	head := page.KindHead{Name: v.address.Name}
	switch v.address.Key.What {
	case river.KindHome, river.KindList:
		head.Pickers = append(head.Pickers, v.orders(words))
	case river.KindEverything, river.KindBestOf, river.KindMostFaved:
		head.Language, _ = text.FindLanguage(v.address.Lang)
		if v.address.Ranked() {
			head.Pickers = append(head.Pickers, v.rankings(words), v.periods(words))
			_, period := timeline.RankedOf(v.address.Key.TheirID)
			head.Points = page.PointsRule(words, v.facts.weights, period)
		}
		head.Pickers = append(head.Pickers, v.languages(words, v.facts.languages))
	case river.KindDay:
		head.Days = v.days(words)
	}
	if v.address.Tag() != "" {
		head.Tag = v.address.Tag()
	}
	return head
}

// orders returns the links to the orders of a home.
func (v *riverPage) orders(words catalogue.Language) page.Picker {
	picker := page.Picker{Label: words.KindOrder()}
	for _, o := range []struct {
		order river.Order
		text  string
	}{{river.OrderOwn, words.KindOrderFresh()}, {river.OrderCreated, words.KindOrderNew()}, {river.OrderTop, words.KindOrderTop()}} {
		picker.Choices = append(picker.Choices, page.PickerLink{Text: o.text, Href: v.address.Link(v.part.Ordered(o.order)), Current: v.part.Order == o.order})
	}
	return picker
}

// rankings returns the links to the two rankings.
func (v *riverPage) rankings(words catalogue.Language) page.Picker {
	best, faved := v.address, v.address
	tail := strings.TrimPrefix(strings.TrimPrefix(v.address.Path, page.BestOfPath), page.MostFavedPath)
	best.Path, faved.Path = page.BestOfPath+tail, page.MostFavedPath+tail
	return page.Picker{Label: words.KindRanking(), Choices: []page.PickerLink{
		{Text: words.KindBest(), Href: best.Top(), Current: v.address.Key.What == river.KindBestOf},
		{Text: words.KindFaved(), Href: faved.Top(), Current: v.address.Key.What == river.KindMostFaved},
	}}
}

func (v *riverPage) periods(words catalogue.Language) page.Picker {
	picker := page.Picker{Label: words.KindPeriod()}
	current := v.address.With.Get("period")
	for _, p := range []struct{ name, text string }{{"", words.KindRising()}, {"day", words.KindDay()}, {"week", words.KindWeek()}, {"month", words.KindMonth()}, {"ever", words.KindEver()}} {
		of := v.address
		if of.With = nil; p.name != "" {
			of.With = url.Values{"period": {p.name}}
		}
		picker.Choices = append(picker.Choices, page.PickerLink{Text: p.text, Href: of.Top(), Current: p.name == current})
	}
	return picker
}

// languages returns the links to the page in each used language. A site with one language needs
// none.
func (v *riverPage) languages(words catalogue.Language, used []text.Language) page.Picker {
	picker := page.Picker{Label: words.KindLanguage(), Long: true}
	if len(used) == 0 || len(used) == 1 && v.address.Lang == "" {
		return picker
	}
	all := v.address
	if all.Path = strings.TrimSuffix(v.address.Path, "/"+v.address.Lang); v.address.Path == "/" {
		all.Path = page.EverythingPath
	}
	if v.address.Lang != "" && !slices.ContainsFunc(used, func(l text.Language) bool { return l.Code == v.address.Lang }) {
		if l, known := text.FindLanguage(v.address.Lang); known {
			used = append(slices.Clone(used), l)
		}
	}
	picker.Choices = []page.PickerLink{{Text: words.KindAllLanguages(), Href: all.Top(), Current: v.address.Lang == ""}}
	for _, l := range used {
		of := all
		of.Path += "/" + l.Code
		picker.Choices = append(picker.Choices, page.PickerLink{Text: l.Own, Lang: l.Code, Href: of.Top(), Current: l.Code == v.address.Lang})
	}
	return picker
}

// beginning returns the beginning of a post or comment, with at most n characters: its first
// words or, without a text, the description or the kind of its first file.
func beginning(words catalogue.Language, text string, file timeline.FirstFile, n int) string {
	if begins := firstWords(cmp.Or(text, file.Alt), n); begins != "" {
		return begins
	}
	switch file.Kind {
	case "image":
		return words.FilePhoto()
	case "audio":
		return words.FileAudio()
	case "video":
		return words.FileVideo()
	}
	return firstWords(cmp.Or(file.FileName, words.FileNoText()), n)
}

// firstFile returns the first of the files of a post or comment.
func firstFile(files []timeline.Attachment) timeline.FirstFile {
	if len(files) == 0 {
		return timeline.FirstFile{}
	}
	return timeline.FirstFile{Kind: files[0].Kind, FileName: files[0].FileName, Alt: files[0].Alt}
}

// firstWords returns the beginning of a text on one line, with at most n characters.
func firstWords(text string, n int) string {
	line := strings.Join(strings.Fields(text), " ")
	runes := []rune(line)
	if len(runes) <= n {
		return line
	}
	cut := string(runes[:n])
	if at := strings.LastIndexByte(cut, ' '); at > n/2 {
		cut = cut[:at]
	}
	return cut + "…"
}
