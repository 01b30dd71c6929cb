package query_test

import (
	"fmt"

	"amstel.dev/amstel/timeline/query"
)

// Parse turns a search text into the conditions that a post must meet.
func ExampleParse() {
	search, err := query.Parse(`boats "red sail" -storm #amstel from:@Anna from:bert after:2024-05-01`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("words %q\n", search.Words)
	fmt.Printf("without %q\n", search.Not.Words)
	fmt.Printf("hashtags %q\n", search.Tags)
	fmt.Printf("by one of %q\n", search.From)
	fmt.Printf("since %s\n", search.After)
	// Output:
	// words ["boats" "red sail"]
	// without ["storm"]
	// hashtags ["amstel"]
	// by one of ["anna" "bert"]
	// since 2024-05-01
}

// Parse refuses a text that is not a search, and says why.
func ExampleParse_refused() {
	for _, typed := range []string{"-storm", "in:comments from:anna", "boats before:May"} {
		_, err := query.Parse(typed)
		fmt.Println(err)
	}
	// Output:
	// q only says what must not be there: add what to look for
	// q needs a word to look for in comments
	// q has a day that is not written like 2024-12-31, or that there never was: “May”
}

// String returns the canonical form of a search: two texts that mean the same search have the same form.
func ExampleSearch_String() {
	search, err := query.Parse(`FROM:bert  #Amstel boats from:anna -"red sail"`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(search)
	// Output:
	// boats -"red sail" #amstel from:anna from:bert
}
