package openapi

import (
	"strconv"
)

// failureNames are the names of the answers to requests that failed, by their statuses.
var failureNames = map[int]string{
	400: "BadRequest", 401: "Unauthorized", 403: "Forbidden", 404: "NotFound", 405: "MethodNotAllowed", 408: "TooSlow", 409: "Conflict", 413: "TooLarge",
	415: "UnsupportedMediaType", 422: "Invalid", 429: "TooManyRequests", 500: "Fault", 503: "Unavailable", 507: "SiteFull",
}

// FailureName returns the document's name for the answer to failed requests with a status; empty if the
// document has no such answer.
func FailureName(status int) string { return failureNames[status] }

// Failures returns the sentence of each code of a failure, by the status of the answer.
func Failures() map[int]map[string]string {
	all := make(map[int]map[string]string)
	for _, m := range membersOf(collected().common.failures) {
		status, _ := strconv.Atoi(m.key)
		all[status] = make(map[string]string)
		for _, code := range membersOf(m.value) {
			if code.key != "$about" {
				all[status][code.key] = code.value.Value
			}
		}
	}
	return all
}

// failures returns the answers to requests that failed, in the form of OpenAPI.
func (c *collection) failures() *object {
	all := newObject()
	for _, m := range membersOf(c.common.failures) {
		status, _ := strconv.Atoi(m.key)
		var codes []string
		examples := newObject()
		for _, code := range membersOf(m.value) {
			if code.key == "$about" {
				continue
			}
			codes = append(codes, code.key)
			body := newObject("error", code.value.Value, "err", code.value.Value, "code", code.key)
			switch code.key {
			case "invalid":
				body.set("fields", newObject("text", "is empty"))
			case "fault":
				body.set("incident", "K7Q2M4XA")
			}
			examples.set(code.key, newObject("value", body))
		}
		schema := newObject("type", "object", "allOf", refs([]string{"Failure"}), "properties", newObject("code", enumOf(codes)))
		answer := newObject("description", textUnder(m.value, "$about"))
		if status == 429 || status == 503 {
			answer.set("headers", newObject("Retry-After", newObject(
				"description", "in how many seconds another request may succeed", "schema", newObject("type", "integer", "minimum", 0))))
		}
		if status == 429 {
			answer.at("headers").set("RateLimit", newObject("description", "the requests that are left of each quota that counts", "schema", newObject("type", "string")))
			answer.at("headers").set("RateLimit-Policy", newObject("description", "the quotas that count", "schema", newObject("type", "string")))
		}
		answer.set("content", newObject("application/json", newObject("schema", schema, "examples", examples)))
		all.set(failureNames[status], answer)
	}
	return all
}
