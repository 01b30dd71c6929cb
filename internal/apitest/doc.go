// Package apitest checks the requests and answers of a site in tests by the documents of package
// openapi: requests and JSON answers by the OpenAPI document ([Hold]), and frames of open pages by
// their JSON Schema ([Tap]).
//
// The documents allow fields that they do not name, because later versions add some. This package
// allows none, so that tests find each field that the documents lack.
package apitest
