package timeline

import (
	"fmt"
	"slices"
	"time"
)

// The names of the sources of posts; see package timeline/inbox.
const (
	SourceRead     = "read"     // the timelines
	SourceTimed    = "timed"    // an inbox of documents, each with the entries of one period
	SourceSized    = "sized"    // an inbox of documents, each with a fixed number of entries
	SourceCapped   = "capped"   // an inbox of the newest entries alone, made by a read
	SourceSegments = "segments" // an inbox of segments: for each author a ring of the newest entries
	SourceHybrid   = "hybrid"   // an inbox of entries, except of feeds with many subscribers
)

// sourceNames lists the sources, the default first.
var sourceNames = []string{SourceRead, SourceTimed, SourceSized, SourceCapped, SourceSegments, SourceHybrid}

// sourceKinds lists the kinds of rivers of which the source can be chosen.
var sourceKinds = []string{
	"home", "list", "user", "user_private", "user_fyeo", "user_comments", "user_likes", "group", "directs", "favs",
	"discussions", "mentions", "everything", "hashtag",
}

// embedNames lists the combinations of fields that an inbox can keep with an entry.
var embedNames = []string{"none", "author", "text", "data", "author+text", "author+data", "text+data", "author+text+data"}

// SourceSettings are a site's settings for sources: which kinds of rivers use which source, and
// the sizes of each source's parts.
type SourceSettings struct {
	// ByKind has the sources by the kinds of [SourceKinds]; empty: SourceRead.
	ByKind [14]string
	// Embed says which fields of a post an inbox keeps with the entry: "none", or some of
	// author, text and data, joined by "+".
	Embed string
	// Period is how long a document of SourceTimed is.
	Period time.Duration
	// Depth is how many entries a fill brings, and the least that an inbox keeps; it does not
	// apply to SourceCapped and SourceSegments. Sized is the number of entries of a document of
	// SourceSized, Cap that of an inbox of SourceCapped, and Slots that of a segment.
	Depth, Sized, Cap, Slots float64
	// Hybrid is a number of subscribers. SourceHybrid reads the timeline of a feed with so many
	// subscribers or more, instead of writing each of its posts to their inboxes.
	Hybrid float64
	// FanoutLimit is a number that bounds two things, for every source; 0: no limit. A timeline
	// that feeds so many inboxes or more is read, and its posts are not written to the inboxes.
	// A river that so many timelines or more feed has no inbox.
	FanoutLimit float64
	// Idle is how long an inbox that a read made is kept after the last read.
	Idle time.Duration
}

// Of returns the source of a kind of rivers.
func (s *SourceSettings) Of(kind string) string {
	if i := slices.Index(sourceKinds, kind); i >= 0 && s.ByKind[i] != "" {
		return s.ByKind[i]
	}
	return SourceRead
}

// Used reports whether any kind of rivers has a source other than the timelines.
func (s *SourceSettings) Used() bool {
	for _, kind := range sourceKinds {
		if s.Of(kind) != SourceRead {
			return true
		}
	}
	return false
}

// SourceKinds returns the kinds of rivers of which the source can be chosen.
func SourceKinds() []string { return slices.Clone(sourceKinds) }

// Sources returns the names of all sources.
func Sources() []string { return slices.Clone(sourceNames) }

// fields returns the settings of sources.
func (s *SourceSettings) fields() []siteField {
	var fields []siteField
	for i, kind := range sourceKinds {
		fields = append(fields, siteField{
			key: "source." + kind, initial: SourceRead, value: &s.ByKind[i], choices: sourceNames,
			about: fmt.Sprintf("Where rivers of the kind %s find their posts: in the timelines (read), or in inboxes that writes fill.", kind),
		})
	}
	number := func(key string, value any, initial, least, most float64, orZero bool, about string) {
		fields = append(fields, siteField{
			key: "source." + key, initial: initial, value: value, about: about, least: least, most: most, orZero: orZero,
			bounds: fmt.Sprintf("is a number from %v to %v", least, most),
		})
	}
	fields = append(fields, siteField{key: "source.embed", initial: embedNames[0], value: &s.Embed, choices: embedNames,
		about: "Which fields of a post an inbox keeps with the entry. The other fields are read when a page is made."})
	number("period_hours", &s.Period, 24*7, 1.0/60, 24*366, false, "How many hours a document of the source timed is for.")
	number("depth", &s.Depth, 500, 1, 100_000, false, "How many entries the sources timed, sized and hybrid keep at least.")
	number("sized", &s.Sized, 50, 1, 10_000, false, "How many entries a document of the source sized has.")
	number("cap", &s.Cap, 500, 1, 100_000, false, "How many entries an inbox of the source capped has.")
	number("slots", &s.Slots, 50, 1, 10_000, false, "How many entries the source segments keeps of each author.")
	number("hybrid", &s.Hybrid, 1000, 1, 1e9, false, "From how many subscribers on the source hybrid reads a feed instead of writing to inboxes.")
	number("fanout_limit", &s.FanoutLimit, 0, 1, 1e9, true, "From how many inboxes on a timeline is read instead of written to inboxes, and from how many timelines on a river has no inbox. 0 means no limit.")
	number("idle_hours", &s.Idle, 24*30, 1, 24*366, false, "For how many hours after the last visit an inbox is kept that a visit made.")
	for i := range fields {
		fields[i].operator = true
	}
	return fields
}
