package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"amstel.dev/amstel/cmd/internal/certificate"
)

// checkCertificates looks at the certificates that amstel serve gets by itself, and returns the worst finding
// about them.
func (d *doctor) checkCertificates(context.Context) finding {
	if len(d.TLS) == 0 {
		return found(stateOK, "amstel serve has none of its own: without --tls a proxy ends TLS")
	}
	var texts []string
	worst := stateOK
	for _, host := range d.TLS {
		one := d.checkCertificate(host)
		if one.State == stateProblem || one.State == stateWarning && worst == stateOK {
			worst = one.State
		}
		texts = append(texts, one.Text)
	}
	return found(worst, "%s", strings.Join(texts, "; "))
}

// checkCertificate looks at the certificate of a host in the data folder.
func (d *doctor) checkCertificate(host string) finding {
	kept, err := certificate.Read(certificates(d.Data), host)
	switch {
	case errors.Is(err, certificate.ErrNone):
		return found(stateWarning, "there is no certificate of %s yet: amstel serve --tls gets it when it starts, if the name leads to this machine and ports 80 and 443 are open; its log says why not", host)
	case err != nil:
		return failed(err)
	}
	file := filepath.Join(certificates(d.Data), host)
	if info, err := os.Stat(file); err == nil && info.Mode().Perm()&0o077 != 0 {
		return found(stateProblem, "other users can read the key of %s: run chmod 600 %s", host, file)
	}
	return d.checkEnd(kept, fmt.Sprintf("the certificate of %s, got by amstel serve,", host), "the certificate of "+host)
}
