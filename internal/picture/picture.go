// Package picture makes uploaded pictures safe to show: from the bytes of a stranger it makes new
// bytes, without metadata, turned as the camera was held and in sRGB, and the smaller renditions
// that pages and clients show.
//
// A picture passes two gates. [Inspect] reads its header in this process, in Go, and refuses other
// types and pictures beyond the [Limits], before a pixel is decoded. Then vipsthumbnail of libvips
// decodes and encodes the picture, in a child process with limits of the kernel for memory and
// time: a picture that breaks a codec breaks the child alone.
//
// The package stores nothing, and knows no people and no posts.
package picture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os/exec"
	"time"

	"golang.org/x/image/webp"
)

// The reasons for which a picture is refused. The same bytes will be refused again, see [Refusal].
var (
	ErrType    = errors.New("this is no JPEG, PNG, GIF, WebP or AVIF picture")
	ErrBytes   = errors.New("the picture has too many bytes")
	ErrPixels  = errors.New("the picture has too many pixels")
	ErrFrames  = errors.New("the picture has too many frames")
	ErrDamaged = errors.New("the picture is damaged or incomplete")
	ErrEffort  = errors.New("the picture can't be decoded within the limits of memory and time")
)

// ErrNoTool is the error of [New] without vipsthumbnail.
var ErrNoTool = errors.New("vipsthumbnail was not found: on Debian, apt-get install libvips-tools")

// Refusal returns the reason why a picture is refused, as one of the errors above and without
// the tool's words, for display. It returns nil if the error is not the picture's fault: then
// another try may help.
func Refusal(err error) error {
	for _, why := range []error{ErrType, ErrBytes, ErrPixels, ErrFrames, ErrDamaged, ErrEffort} {
		if errors.Is(err, why) {
			return why
		}
	}
	return nil
}

// DefaultBytes is the default of [Limits] for Bytes.
const DefaultBytes = 20 << 20

// Limits bound the pictures that are accepted, and the cost of making their renditions. A zero
// stands for the default.
type Limits struct {
	Bytes  int           // of the upload; 20 MB
	Side   int           // the longer side, in pixels; 16,383, as much as WebP can have
	Pixels int           // of all frames together; 70 million
	Frames int           // 600
	Memory int           // address space of a child process, in bytes; 1 GB
	CPU    time.Duration // of a child process, in whole seconds; 20 s
	Wall   time.Duration // of a child process, on the wall; 2 minutes
	Output int           // bytes of a rendition; 64 MB
}

// orDefault returns the limits with the defaults for zeros.
func (l Limits) orDefault() Limits {
	return Limits{
		Bytes: cmp.Or(l.Bytes, DefaultBytes), Side: cmp.Or(l.Side, 16383), Pixels: cmp.Or(l.Pixels, 70_000_000), Frames: cmp.Or(l.Frames, 600),
		Memory: cmp.Or(l.Memory, 1<<30), CPU: cmp.Or(l.CPU, 20*time.Second), Wall: cmp.Or(l.Wall, 2*time.Minute), Output: cmp.Or(l.Output, 64<<20),
	}
}

// A Format is the format of a picture.
type Format string

// The formats that are read. All but AVIF are written, too.
const (
	JPEG Format = "jpeg"
	PNG  Format = "png"
	GIF  Format = "gif"
	WebP Format = "webp"
	AVIF Format = "avif"
)

// MediaType returns the format as a Content-Type.
func (f Format) MediaType() string { return "image/" + string(f) }

// A Rendition is a picture in one size and format that contains nothing but pixels.
type Rendition struct {
	Format        Format
	Width, Height int
	Bytes         []byte
}

// A Picture has the renditions of an upload.
type Picture struct {
	Uploaded    Format // the upload's format
	Frames      int    // of the upload and of Original; 1 of a picture that does not move
	Transparent bool   // whether a pixel is transparent
	Original    Rendition
	Medium      Rendition // within 1100 x 700, as Mokum's clients show it; of the first frame, like all below
	Thumb       Rendition // 300 wide at most
	Grid        Rendition // within 660 x 440, for a row of pictures in a post
	Grid2x      Rendition // the same for screens with two pixels a point
}

// A box is the area into which a rendition fits. No rendition is larger than its original.
type box struct{ width, height int }

var (
	mediumBox = box{1100, 700}
	thumbBox  = box{300, 600}
	gridBox   = box{660, 440}
	grid2xBox = box{1320, 880}
)

// A Maker creates the renditions of pictures.
type Maker struct {
	tool   string
	limits Limits
	slots  chan struct{} // one for each child process that may run
}

// New returns a maker that runs at most so many child processes at a time. It returns
// [ErrNoTool] if vipsthumbnail is not installed.
func New(limits Limits, processes int) (*Maker, error) {
	tool, err := exec.LookPath("vipsthumbnail")
	if err != nil {
		return nil, ErrNoTool
	}
	return &Maker{tool, limits.orDefault(), make(chan struct{}, max(1, processes))}, nil
}

// How renditions are encoded. A transparent picture becomes white in a JPEG. [strip] makes sure
// that the metadata is gone.
const (
	asOriginalJPEG = ".jpg[Q=90,strip,background=255]"
	asOriginalWebP = ".webp[Q=90,strip]"
	asJPEG         = ".jpg[Q=82,strip,background=255]"
	asPNG          = ".png[strip]"
	asGIF          = ".gif[strip]"
	asWebP         = ".webp[Q=80,strip]"
)

// Make returns the renditions of an upload. If the picture is at fault, and not the tool or
// the machine, [Refusal] returns why.
func (m *Maker) Make(ctx context.Context, upload []byte) (*Picture, error) {
	header, err := Inspect(upload, m.limits)
	if err != nil {
		return nil, err
	}
	p := &Picture{Uploaded: header.Format, Frames: header.Frames}
	moving, whole := header, box{m.limits.Side, m.limits.Side}
	header.Frames = 1
	// The WebP encoder drops transparency that no pixel uses, so this rendition tells whether
	// the others need a format with transparency.
	if p.Grid2x, p.Transparent, err = m.rendition(ctx, upload, header, grid2xBox, asWebP); err != nil {
		return nil, err
	}
	still := asJPEG
	if p.Transparent {
		still = asPNG
	}
	for _, v := range []struct {
		to     *Rendition
		header Header
		box    box
		as     string
	}{
		{&p.Original, moving, whole, asOriginal(moving.Format, p.Transparent)},
		{&p.Medium, header, mediumBox, still},
		{&p.Thumb, header, thumbBox, still},
		{&p.Grid, header, gridBox, asWebP},
	} {
		if *v.to, _, err = m.rendition(ctx, upload, v.header, v.box, v.as); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Small returns one rendition of an upload's first frame, in the size of [Picture] Grid. Its errors
// are those of [Maker.Make].
func (m *Maker) Small(ctx context.Context, upload []byte) (Rendition, error) {
	header, err := Inspect(upload, m.limits)
	if err != nil {
		return Rendition{}, err
	}
	header.Frames = 1
	made, _, err := m.rendition(ctx, upload, header, gridBox, asWebP)
	return made, err
}

// asOriginal returns the encoding of an upload's original: the uploaded format, except for AVIF,
// which many clients can't show.
func asOriginal(uploaded Format, transparent bool) string {
	switch {
	case uploaded == GIF:
		return asGIF
	case uploaded == WebP:
		return asOriginalWebP
	case uploaded == PNG, transparent:
		return asPNG
	}
	return asOriginalJPEG
}

// rendition creates one rendition of an upload, and reports whether a pixel of the rendition may
// be transparent. header has one frame if the rendition is of the first frame only.
func (m *Maker) rendition(ctx context.Context, upload []byte, header Header, within box, as string) (Rendition, bool, error) {
	made, err := m.run(ctx, upload, header, within, as)
	if header.Profile && errors.Is(err, ErrDamaged) { // perhaps it is the profile alone
		header.Profile = false
		made, err = m.run(ctx, upload, header, within, as)
	}
	if err != nil {
		return Rendition{}, false, err
	}
	format, ok := formatOf(made)
	if ok {
		made, ok = strip(format, made)
	}
	if !ok {
		return Rendition{}, false, errors.New("vipsthumbnail wrote no picture")
	}
	config, err := configOf(format, made)
	if err != nil {
		return Rendition{}, false, fmt.Errorf("vipsthumbnail wrote a damaged picture: %w", err)
	}
	return Rendition{format, config.Width, config.Height, made}, config.ColorModel == color.NYCbCrAModel, nil
}

// configOf reads the size and the colours in the header of a picture; not of AVIF.
func configOf(format Format, data []byte) (image.Config, error) {
	read := map[Format]func(*bytes.Reader) (image.Config, error){
		JPEG: func(r *bytes.Reader) (image.Config, error) { return jpeg.DecodeConfig(r) },
		PNG:  func(r *bytes.Reader) (image.Config, error) { return png.DecodeConfig(r) },
		GIF:  func(r *bytes.Reader) (image.Config, error) { return gif.DecodeConfig(r) },
		WebP: func(r *bytes.Reader) (image.Config, error) { return webp.DecodeConfig(r) },
	}[format]
	return read(bytes.NewReader(data))
}
