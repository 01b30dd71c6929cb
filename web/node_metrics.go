package web

import "net/http"

// metrics serves the metrics if the configuration allows it, else with 404.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	if s.config.Metrics == nil || s.config.MayMeasure == nil || !s.config.MayMeasure(r) {
		s.handle(notFound)(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	s.config.Metrics.ServeHTTP(w, r)
}
