package timeline

import "amstel.dev/amstel/internal/audit"

// audit fails the test if the primary contradicts itself.
func (s *site) audit() {
	s.t.Helper()
	faults, err := audit.Check(s.t.Context(), s.Pool())
	s.must(err)
	for _, fault := range faults {
		s.t.Error(fault)
	}
}
