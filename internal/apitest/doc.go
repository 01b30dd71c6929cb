// Package apitest holds what a site of a test is asked and answers against the documents of package
// openapi: requests and JSON answers against the OpenAPI document ([Hold]), frames of open pages
// against their JSON Schema ([Tap]).
//
// The documents allow fields that they do not name, because later versions add some. Here they
// allow none, so that a field without a description is found.
package apitest
