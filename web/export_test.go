package web

import "github.com/go-chi/chi/v5"

// Routes returns the routes of the site, for tests that walk all of them.
func (s *Server) Routes() chi.Routes { return s.routes.(chi.Routes) }
