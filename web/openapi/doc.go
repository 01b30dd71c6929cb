// Package openapi has the description of the HTTP interface for programs, as an OpenAPI 3.1
// document ([Document]), and the JSON Schema of the frames of open pages ([Live]).
//
// The source is a YAML file for each topic, in a form that is shorter than OpenAPI. The package
// reads the files once and makes the two documents of them. Tests hold each request and answer of
// a test's site against the documents (package apitest), and compare the operations with the routes
// of package web, so a route needs its entry here.
//
// # A topic
//
//	topic: Lists                    # the name, and the tag of its operations
//	about: What the topic is about.
//	schemas: {NAME: SCHEMA}         # shapes that several operations have
//	paths: {METHOD PATH: OPERATION}
//	html: {METHOD PATH: SUMMARY}    # pages without JSON
//
// An operation has these keys; only does is required:
//
//	does: Renames a list.           # the summary
//	more: …                         # the rest of the description
//	id: renameList                  # the operationId, otherwise made of method and path
//	also: PUT                       # other methods that do the same
//	who: all                        # or session; otherwise a token or a session is needed
//	scope: admin                    # that a token needs, in FEED of groups alone; otherwise read or write, by the
//	                                # method; none: no token is looked at
//	path: {NAME: TYPE}              # parameters of the path, where common.yaml does not fit
//	query: {NAME: TYPE}             # parameters; $all names sets of common.yaml
//	body: SCHEMA                    # of the JSON; body?: may be left out
//	form: SCHEMA                    # of a multipart form, in place of a body
//	answer: SCHEMA                  # of the JSON
//	type: image/png                 # of an answer that has no schema
//	success: 201                    # in place of 200
//	moves: 301 302                  # redirects
//	fails: 404 409                  # statuses beside those that all such operations have
//	plain: yes                      # no statuses but those that are named
//
// In a path FEED stands for each of the three kinds of feeds, and a post can also be named with
// its author.
//
// # Schemas and types
//
// A schema is a type, or a mapping of names to schemas: an object. A name that ends with ? may be
// absent. $about describes the object, $all names schemas whose fields it has too, $any names
// schemas of which it is one, and $raw is JSON Schema as it stands. A type is written as
//
//	TYPE; description; e.g. EXAMPLE
//
// where TYPE is text, int (0 or more), int A..B, integer, number, bool, true (absent when false),
// any, file, is WORD, one of WORD WORD, list TYPE, map TYPE, TYPE or null, the name of a schema,
// and in answers result WORD|WORD, and effect WORD, which is a result with the effect of a write.
package openapi
