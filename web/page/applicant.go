package page

import (
	"strconv"

	"amstel.dev/amstel/timeline"
)

// ApplicantsPath is the page on which administrators of the site accept and refuse people who signed up.
const ApplicantsPath = "/settings/applicants"

// ApplicantsModel is the content of the page of applicants.
type ApplicantsModel struct {
	Shell
	Waiting []timeline.Applicant
	People  map[timeline.UserID]*timeline.UserCard // who invited them
}

// applicantAPI returns the address to which the decision about an applicant is sent.
func applicantAPI(a timeline.Applicant) string {
	return "/api/v1/applicants/" + strconv.FormatInt(a.ID, 10) + ".json"
}

// accept returns the form that accepts an applicant.
func (m ApplicantsModel) accept(a timeline.Applicant) actionForm {
	return actionForm{
		Label: m.Words.ApplicantAccept(), Class: "primary", Action: applicantAPI(a), Method: "PATCH", ReturnTo: ApplicantsPath,
		Fields: []sending{{"applicant[accept]", "1"}},
	}
}
