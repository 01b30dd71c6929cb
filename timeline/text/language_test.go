package text

import "testing"

func TestDetectLang(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"The quick brown fox jumps over the lazy dog, and that was all that happened today.", "en"},
		{"Heute ist das Wetter in Berlin sehr schön, und wir gehen an den Fluss spazieren.", "de"},
		{"Aujourd'hui il pleut à Amsterdam et nous restons à la maison.", "fr"},
		{"Vandaag regent het de hele dag in Amsterdam en ik blijf lekker thuis met een boek", "nl"},
		{"De kinderen spelen buiten in de tuin, maar straks moeten ze weer naar binnen komen omdat het eten klaar is.", "nl"},
		{"Dit reën vandag die hele dag in Kaapstad en ek bly lekker by die huis met 'n goeie boek om te lees.", "af"},
		{"Het water in de gracht is warm en de dag is lang.", ""}, // each word may be Afrikaans too
		{"Вчера вечером мы долго гуляли по набережной, а потом вернулись домой и пили чай с вареньем, которое привезла бабушка.", "ru"},
		{"Сегодня в Амстердаме идёт дождь, и мы никуда не пошли.", "ru"},
		{"Сьогодні в Києві дуже гарна погода, тож ми пішли гуляти до річки.", "uk"},
		{"Сёння ў Мінску вельмі добрае надвор'е, і мы пайшлі гуляць да ракі.", "be"},
		{"Данас је у Београду веома лепо време, па смо отишли у шетњу поред реке.", "sr"},
		{"Бүгін Алматыда ауа райы өте жақсы, сондықтан біз өзенге серуендеуге шықтық.", ""}, // an unsupported language
		{"今天天气很好", "zh"},
		{"今日は良い天気ですね", "ja"},
		{"좋은 아침입니다", "ko"},
		{"Γειά σου κόσμε", "el"},
		{"امروز هوا خیلی خوب است و ما به پارک می رویم تا با دوستانمان بازی کنیم", "fa"},
		// Too short, or empty.
		{"", ""},
		{"ok", ""},
		{"Hello world", ""},
		{"Привет!", ""},
		{"git-svn: typofix", ""},
		{"12345 67890 !!!", ""},
		{"👍👍👍", ""},
		// In two alphabets.
		{"It rains today, and we stay home. Сегодня в Амстердаме идёт дождь, и мы дома.", ""},
		// A link has no language.
		{"https://example.org/the-quick-brown-fox-jumps-over-the-lazy-dog-and-that-was-all", ""},
		{"@the_quick_brown_fox_jumps_over @the_lazy_dog #and_that_was_all_that_happened", ""},
		{"Сьогодні в Києві дуже гарна погода, тож ми пішли гуляти до річки. https://example.org/a-long-address-in-latin-letters @somebody #tag", "uk"},
	} {
		if got := Detect(tt.text); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}
