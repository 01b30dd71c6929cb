package wirejson

import "testing"

func TestEncode(t *testing.T) {
	t.Parallel()
	if got, err := Encode(map[string]any{"text": "a < b & c > d"}); string(got) != `{"text":"a < b & c > d"}` || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got := string(MustEncode("line\n")); got != `"line\n"` {
		t.Errorf("%q", got)
	}
	if _, err := Encode(make(chan int)); err == nil {
		t.Error("a channel was encoded")
	}
}
