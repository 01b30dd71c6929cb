// Code generated from the catalogues by go generate; DO NOT EDIT.

package catalogue

// AboutCompare says "[Ban, hide, mute or block?] What each of them does.".
func (l Language) AboutCompare() Linked {
	if l == Russian {
		return Linked("[Бан, скрытие, заглушение или закрытый доступ?] Чем они отличаются.")
	}
	return Linked("[Ban, hide, mute or block?] What each of them does.")
}

// AboutHow says "How it works".
func (l Language) AboutHow() string {
	if l == Russian {
		return "Как всё устроено"
	}
	return "How it works"
}

// AboutRiver says "Pages stay up to date while you read: new posts and comments appear on their own, and what you can no longer see disappears. Mokum is an old nickname of Amsterdam, and the Amstel is its river.".
func (l Language) AboutRiver() string {
	if l == Russian {
		return "Страницы обновляются, пока вы читаете: новые посты и комментарии появляются сами, а то, что вам больше не видно, исчезает. Мокум — старое прозвище Амстердама, а Амстел — его река."
	}
	return "Pages stay up to date while you read: new posts and comments appear on their own, and what you can no longer see disappears. Mokum is an old nickname of Amsterdam, and the Amstel is its river."
}

// AboutRules says "Rules of {site}".
func (l Language) AboutRules(site string) string {
	if l == Russian {
		return "Правила сайта " + site
	}
	return "Rules of " + site
}

// AboutRulesSince says "Last changed: {when*}.".
func (l Language) AboutRulesSince() Filled {
	if l == Russian {
		return Filled("Последнее изменение: \x01.")
	}
	return Filled("Last changed: \x01.")
}

// AboutShare says "[The share button]: post pages of other sites here with one press.".
func (l Language) AboutShare() Linked {
	if l == Russian {
		return Linked("[Кнопка «Поделиться»]: отправляйте сюда страницы других сайтов одним нажатием.")
	}
	return Linked("[The share button]: post pages of other sites here with one press.")
}

// AboutStatus says "[Server status]: how fresh pages are, and how this server is doing.".
func (l Language) AboutStatus() Linked {
	if l == Russian {
		return Linked("[Состояние сервера]: насколько свежи страницы и как дела у сервера.")
	}
	return Linked("[Server status]: how fresh pages are, and how this server is doing.")
}

// AboutTitle says "About {site}".
func (l Language) AboutTitle(site string) string {
	if l == Russian {
		return "О сайте " + site
	}
	return "About " + site
}

// AboutTricks says "No tricks".
func (l Language) AboutTricks() string {
	if l == Russian {
		return "Без уловок"
	}
	return "No tricks"
}

// AboutTricksText says "There are no advertisements and no trackers, and pages load nothing from other sites. You can read and write everything without JavaScript. Programs can read any page as JSON by adding .json to its address, and post with your own token.".
func (l Language) AboutTricksText() string {
	if l == Russian {
		return "Здесь нет рекламы и слежки, страницы ничего не загружают с других сайтов. Читать и писать можно и без JavaScript. Программы могут читать любую страницу как JSON, добавив к адресу .json, и писать с вашим токеном."
	}
	return "There are no advertisements and no trackers, and pages load nothing from other sites. You can read and write everything without JavaScript. Programs can read any page as JSON by adding .json to its address, and post with your own token."
}

// AboutWhat says "Amstel is a small social network in the tradition of FriendFeed and Mokum. You subscribe to people and join groups. What they write, like and comment on appears on your home page, and every new comment brings its post back to the top.".
func (l Language) AboutWhat() string {
	if l == Russian {
		return "Amstel — небольшая социальная сеть в традициях FriendFeed и Mokum. Вы подписываетесь на людей и вступаете в группы. Всё, что они пишут, лайкают и комментируют, появляется на вашей главной странице, а новый комментарий снова поднимает пост наверх."
	}
	return "Amstel is a small social network in the tradition of FriendFeed and Mokum. You subscribe to people and join groups. What they write, like and comment on appears on your home page, and every new comment brings its post back to the top."
}

// AboutWho says "Who can read what".
func (l Language) AboutWho() string {
	if l == Russian {
		return "Кто что читает"
	}
	return "Who can read what"
}

// AboutWhoText says "Everyone can read a public feed. A protected feed is for people who are signed in, a private one for approved subscribers, and a direct message for the people it was sent to. Only the places where a post was posted decide this; likes and comments never show it to anyone else. If one person bans another, neither sees what the other writes.".
func (l Language) AboutWhoText() string {
	if l == Russian {
		return "Открытую ленту читают все, защищённую — те, кто вошёл на сайт, закрытую — одобренные подписчики, личное сообщение — те, кому оно отправлено. Это зависит только от того, куда отправлен пост: лайки и комментарии никому другому его не показывают. Если один человек забанил другого, они не видят написанного друг другом."
	}
	return "Everyone can read a public feed. A protected feed is for people who are signed in, a private one for approved subscribers, and a direct message for the people it was sent to. Only the places where a post was posted decide this; likes and comments never show it to anyone else. If one person bans another, neither sees what the other writes."
}

// AccountAbout says "Why do you want to join?".
func (l Language) AccountAbout() string {
	if l == Russian {
		return "Почему вы хотите присоединиться?"
	}
	return "Why do you want to join?"
}

// AccountAboutHint says "An administrator reads this, and then accepts new people or not.".
func (l Language) AccountAboutHint() string {
	if l == Russian {
		return "Это прочтёт администратор и решит, принять ли вас."
	}
	return "An administrator reads this, and then accepts new people or not."
}

// AccountAlready says "Already have an account? [Sign in].".
func (l Language) AccountAlready() Linked {
	if l == Russian {
		return Linked("Уже зарегистрированы? [Войдите].")
	}
	return Linked("Already have an account? [Sign in].")
}

// AccountConfirmLead says "Press the button to confirm that the address, to which we sent this link, is yours.".
func (l Language) AccountConfirmLead() string {
	if l == Russian {
		return "Нажмите кнопку, чтобы подтвердить, что адрес, на который пришла ссылка, ваш."
	}
	return "Press the button to confirm that the address, to which we sent this link, is yours."
}

// AccountConfirmNow says "Confirm the address".
func (l Language) AccountConfirmNow() string {
	if l == Russian {
		return "Подтвердить адрес"
	}
	return "Confirm the address"
}

// AccountConfirmTitle says "Confirm your address".
func (l Language) AccountConfirmTitle() string {
	if l == Russian {
		return "Подтвердите адрес"
	}
	return "Confirm your address"
}

// AccountConfirmedLead says "From now on mail about your account goes to this address. [Go to your home page].".
func (l Language) AccountConfirmedLead() Linked {
	if l == Russian {
		return Linked("Теперь письма о вашем аккаунте будут приходить на этот адрес. [Перейти на главную страницу].")
	}
	return Linked("From now on mail about your account goes to this address. [Go to your home page].")
}

// AccountConfirmedTitle says "The address is confirmed".
func (l Language) AccountConfirmedTitle() string {
	if l == Russian {
		return "Адрес подтверждён"
	}
	return "The address is confirmed"
}

// AccountDisplay says "Your name".
func (l Language) AccountDisplay() string {
	if l == Russian {
		return "Ваше имя"
	}
	return "Your name"
}

// AccountDisplayHint says "Shown on your posts. You can change it any time.".
func (l Language) AccountDisplayHint() string {
	if l == Russian {
		return "Им подписаны ваши посты. Его можно поменять в любой момент."
	}
	return "Shown on your posts. You can change it any time."
}

// AccountEmail says "E-mail".
func (l Language) AccountEmail() string {
	if l == Russian {
		return "E-mail"
	}
	return "E-mail"
}

// AccountEmailHint says "Never shown to anyone.".
func (l Language) AccountEmailHint() string {
	if l == Russian {
		return "Его никто не увидит."
	}
	return "Never shown to anyone."
}

// AccountForgot says "Forgot your password? Ask an administrator of this site for a link to sign in with.".
func (l Language) AccountForgot() string {
	if l == Russian {
		return "Забыли пароль? Попросите администратора сайта прислать вам ссылку для входа."
	}
	return "Forgot your password? Ask an administrator of this site for a link to sign in with."
}

// AccountForgotAsk says "[Forgot your password?]".
func (l Language) AccountForgotAsk() Linked {
	if l == Russian {
		return Linked("[Забыли пароль?]")
	}
	return Linked("[Forgot your password?]")
}

// AccountForgotLead says "Type your username or your e-mail address. We send a link to the address of your account, with which you sign in once and set a new password.".
func (l Language) AccountForgotLead() string {
	if l == Russian {
		return "Введите логин или e-mail. На адрес вашего аккаунта придёт ссылка: по ней можно один раз войти и задать новый пароль."
	}
	return "Type your username or your e-mail address. We send a link to the address of your account, with which you sign in once and set a new password."
}

// AccountForgotSend says "Send the link".
func (l Language) AccountForgotSend() string {
	if l == Russian {
		return "Прислать ссылку"
	}
	return "Send the link"
}

// AccountForgotSent says "If there is such an account, and it has an e-mail address, a mail is on its way. The link in it works for a day.".
func (l Language) AccountForgotSent() string {
	if l == Russian {
		return "Если такой аккаунт есть и у него указан e-mail, письмо уже отправляется. Ссылка в нём действует сутки."
	}
	return "If there is such an account, and it has an e-mail address, a mail is on its way. The link in it works for a day."
}

// AccountForgotSentNone says "No mail after a few minutes? Look among unwanted mail, or [try another address]. If your account has no address, ask an administrator of this site for a link.".
func (l Language) AccountForgotSentNone() Linked {
	if l == Russian {
		return Linked("Письма нет несколько минут? Проверьте папку «Спам» или [попробуйте другой адрес]. Если у аккаунта нет e-mail, попросите ссылку у администратора сайта.")
	}
	return Linked("No mail after a few minutes? Look among unwanted mail, or [try another address]. If your account has no address, ask an administrator of this site for a link.")
}

// AccountForgotTitle says "Forgot your password?".
func (l Language) AccountForgotTitle() string {
	if l == Russian {
		return "Забыли пароль?"
	}
	return "Forgot your password?"
}

// AccountLeavingBack says "Come back".
func (l Language) AccountLeavingBack() string {
	if l == Russian {
		return "Вернуться"
	}
	return "Come back"
}

// AccountLeavingLead says "Everything in it is hidden, and will be erased for good on {day*}. Until then you can come back, and everything is as it was.".
func (l Language) AccountLeavingLead() Filled {
	if l == Russian {
		return Filled("Всё, что в нём есть, скрыто и будет удалено навсегда \x01. До этого дня можно вернуться, и всё станет как было.")
	}
	return Filled("Everything in it is hidden, and will be erased for good on \x01. Until then you can come back, and everything is as it was.")
}

// AccountLeavingStay says "If the account is to be erased, you need not do anything.".
func (l Language) AccountLeavingStay() string {
	if l == Russian {
		return "Если аккаунт и правда больше не нужен, ничего делать не надо."
	}
	return "If the account is to be erased, you need not do anything."
}

// AccountLeavingTitle says "You deleted this account".
func (l Language) AccountLeavingTitle() string {
	if l == Russian {
		return "Вы удалили этот аккаунт"
	}
	return "You deleted this account"
}

// AccountLink says "This link signs you in, once. Then you can set a password.".
func (l Language) AccountLink() string {
	if l == Russian {
		return "По этой ссылке можно войти один раз. После входа задайте пароль."
	}
	return "This link signs you in, once. Then you can set a password."
}

// AccountLogin says "Username or e-mail".
func (l Language) AccountLogin() string {
	if l == Russian {
		return "Логин или e-mail"
	}
	return "Username or e-mail"
}

// AccountName says "Username".
func (l Language) AccountName() string {
	if l == Russian {
		return "Логин"
	}
	return "Username"
}

// AccountNameHint says "The address of your page and your @name: lowercase letters, digits, -\u00a0and\u00a0_.".
func (l Language) AccountNameHint() string {
	if l == Russian {
		return "Адрес вашей страницы и ваше @имя: строчные латинские буквы, цифры, - и _."
	}
	return "The address of your page and your @name: lowercase letters, digits, -\u00a0and\u00a0_."
}

// AccountNew says "New here? [Sign up].".
func (l Language) AccountNew() Linked {
	if l == Russian {
		return Linked("Впервые здесь? [Зарегистрируйтесь].")
	}
	return Linked("New here? [Sign up].")
}

// AccountNext says "You are signed in at once. The next page suggests people and groups to follow.".
func (l Language) AccountNext() string {
	if l == Russian {
		return "Вы сразу войдёте на сайт. На следующей странице мы предложим людей и группы, на которые можно подписаться."
	}
	return "You are signed in at once. The next page suggests people and groups to follow."
}

// AccountPasskey says "Sign in with a passkey".
func (l Language) AccountPasskey() string {
	if l == Russian {
		return "Войти с ключом входа"
	}
	return "Sign in with a passkey"
}

// AccountPasskeyFailed says "Your browser gave no passkey. Try again, or sign in with your password.".
func (l Language) AccountPasskeyFailed() string {
	if l == Russian {
		return "Браузер не передал ключ входа. Попробуйте ещё раз или войдите с паролем."
	}
	return "Your browser gave no passkey. Try again, or sign in with your password."
}

// AccountPassword says "Password".
func (l Language) AccountPassword() string {
	if l == Russian {
		return "Пароль"
	}
	return "Password"
}

// AccountPasswordHint says "At least 8 characters.".
func (l Language) AccountPasswordHint() string {
	if l == Russian {
		return "Не меньше 8 символов."
	}
	return "At least 8 characters."
}

// AccountRemember says "Remember me on this device".
func (l Language) AccountRemember() string {
	if l == Russian {
		return "Запомнить меня на этом устройстве"
	}
	return "Remember me on this device"
}

// AccountRules says "I have read the [rules], and agree to them.".
func (l Language) AccountRules() Linked {
	if l == Russian {
		return Linked("Мне известны [правила], и я с ними соглашаюсь.")
	}
	return Linked("I have read the [rules], and agree to them.")
}

// AccountSignIn says "Sign in".
func (l Language) AccountSignIn() string {
	if l == Russian {
		return "Вход"
	}
	return "Sign in"
}

// AccountSignInNow says "Sign in".
func (l Language) AccountSignInNow() string {
	if l == Russian {
		return "Войти"
	}
	return "Sign in"
}

// AccountSignUp says "Create your account".
func (l Language) AccountSignUp() string {
	if l == Russian {
		return "Регистрация"
	}
	return "Create your account"
}

// AccountSignUpNow says "Create account".
func (l Language) AccountSignUpNow() string {
	if l == Russian {
		return "Зарегистрироваться"
	}
	return "Create account"
}

// AccountWhy says "With an account".
func (l Language) AccountWhy() string {
	if l == Russian {
		return "С аккаунтом"
	}
	return "With an account"
}

// AccountWhyHome says "You have a home page of your own, with the people and groups you choose.".
func (l Language) AccountWhyHome() string {
	if l == Russian {
		return "У вас будет своя главная страница: на ней только те люди и группы, которых вы выбрали."
	}
	return "You have a home page of your own, with the people and groups you choose."
}

// AccountWhyReaders says "You decide who reads you: everyone, people you approve, or only you.".
func (l Language) AccountWhyReaders() string {
	if l == Russian {
		return "Вы решаете, кто вас читает: все, только одобренные вами люди или только вы."
	}
	return "You decide who reads you: everyone, people you approve, or only you."
}

// AccountWhyTalk says "You post, like and comment, and see the answers arrive while you read.".
func (l Language) AccountWhyTalk() string {
	if l == Russian {
		return "Можно писать, ставить лайки и комментировать. Ответы появляются, пока вы читаете."
	}
	return "You post, like and comment, and see the answers arrive while you read."
}

// AcrossBlock says "Block {who} from the group".
func (l Language) AcrossBlock(who string) string {
	if l == Russian {
		return "Закрыть " + who + " доступ к группе"
	}
	return "Block " + who + " from the group"
}

// AcrossCommentsLead says "You see these comments only here, because a ban stands between you and the people who wrote them. Other people see them as before. Open a comment to read it.".
func (l Language) AcrossCommentsLead() string {
	if l == Russian {
		return "Эти комментарии вы видите только здесь: между вами и теми, кто их написал, стоит бан. Остальные видят их как прежде. Раскройте комментарий, чтобы прочесть его."
	}
	return "You see these comments only here, because a ban stands between you and the people who wrote them. Other people see them as before. Open a comment to read it."
}

// AcrossCommentsNone says "A ban hides no comments here from you.".
func (l Language) AcrossCommentsNone() string {
	if l == Russian {
		return "Здесь бан не скрывает от вас ни одного комментария."
	}
	return "A ban hides no comments here from you."
}

// AcrossFiles says "With {n} files".
func (l Language) AcrossFiles(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "С " + l.Number(n) + " файлом"
		case few:
			return "С " + l.Number(n) + " файлами"
		}
		return "С " + l.Number(n) + " файлами"
	}
	switch enForm(n) {
	case one:
		return "With " + l.Number(n) + " file"
	}
	return "With " + l.Number(n) + " files"
}

// AcrossMore says "More".
func (l Language) AcrossMore() string {
	if l == Russian {
		return "Ещё"
	}
	return "More"
}

// AcrossPostsLead says "You see these posts only here, because a ban stands between you and the people who wrote them. Other people see them as before. Open a post to read it.".
func (l Language) AcrossPostsLead() string {
	if l == Russian {
		return "Эти посты вы видите только здесь: между вами и теми, кто их написал, стоит бан. Остальные видят их как прежде. Раскройте пост, чтобы прочесть его."
	}
	return "You see these posts only here, because a ban stands between you and the people who wrote them. Other people see them as before. Open a post to read it."
}

// AcrossPostsNone says "A ban hides no posts in this group from you.".
func (l Language) AcrossPostsNone() string {
	if l == Russian {
		return "В этой группе бан не скрывает от вас ни одного поста."
	}
	return "A ban hides no posts in this group from you."
}

// AcrossTitle says "Hidden by a ban".
func (l Language) AcrossTitle() string {
	if l == Russian {
		return "Скрыто баном"
	}
	return "Hidden by a ban"
}

// AdminAbout says "about {number}".
func (l Language) AdminAbout(number string) string {
	if l == Russian {
		return "около " + number
	}
	return "about " + number
}

// AdminAll says "All people".
func (l Language) AdminAll() string {
	if l == Russian {
		return "Все люди"
	}
	return "All people"
}

// AdminApplicants says "Waiting for you to accept them".
func (l Language) AdminApplicants() string {
	if l == Russian {
		return "Ждут вашего решения"
	}
	return "Waiting for you to accept them"
}

// AdminBytes says "Database".
func (l Language) AdminBytes() string {
	if l == Russian {
		return "База данных"
	}
	return "Database"
}

// AdminCame says "Came {when*}".
func (l Language) AdminCame() Filled {
	if l == Russian {
		return Filled("Здесь с \x01")
	}
	return Filled("Came \x01")
}

// AdminCameSeen says "Came {when*}, last here {seen*}".
func (l Language) AdminCameSeen() Filled {
	if l == Russian {
		return Filled("Здесь с \x01, последний раз \x02")
	}
	return Filled("Came \x01, last here \x02")
}

// AdminComments says "Comments".
func (l Language) AdminComments() string {
	if l == Russian {
		return "Комментарии"
	}
	return "Comments"
}

// AdminFailedLead says "What the mail server said. A person whose address takes no mail reads this on the page of their account.".
func (l Language) AdminFailedLead() string {
	if l == Russian {
		return "Что ответил почтовый сервер. Если адрес не принимает писем, человек узнает об этом на странице своего аккаунта."
	}
	return "What the mail server said. A person whose address takes no mail reads this on the page of their account."
}

// AdminFailedMails says "Mails failed in the last 7 days".
func (l Language) AdminFailedMails() string {
	if l == Russian {
		return "Неотправленные письма за 7 дней"
	}
	return "Mails failed in the last 7 days"
}

// AdminFailedTitle says "Mails that failed".
func (l Language) AdminFailedTitle() string {
	if l == Russian {
		return "Неотправленные письма"
	}
	return "Mails that failed"
}

// AdminFind says "Name begins with".
func (l Language) AdminFind() string {
	if l == Russian {
		return "Имя начинается с"
	}
	return "Name begins with"
}

// AdminFindNow says "Find".
func (l Language) AdminFindNow() string {
	if l == Russian {
		return "Найти"
	}
	return "Find"
}

// AdminGroups says "Groups".
func (l Language) AdminGroups() string {
	if l == Russian {
		return "Группы"
	}
	return "Groups"
}

// AdminHeld says "Posts waiting for you to publish them".
func (l Language) AdminHeld() string {
	if l == Russian {
		return "Посты, которые ждут проверки"
	}
	return "Posts waiting for you to publish them"
}

// AdminInvitedBy says "by a link of {who}".
func (l Language) AdminInvitedBy(who string) string {
	if l == Russian {
		return "по ссылке " + who
	}
	return "by a link of " + who
}

// AdminIsAdmin says "administrator".
func (l Language) AdminIsAdmin() string {
	if l == Russian {
		return "администратор"
	}
	return "administrator"
}

// AdminIsLeaving says "deleted, erased on {day}".
func (l Language) AdminIsLeaving(day string) string {
	if l == Russian {
		return "аккаунт удалён, навсегда — " + day
	}
	return "deleted, erased on " + day
}

// AdminIsSuspended says "suspended".
func (l Language) AdminIsSuspended() string {
	if l == Russian {
		return "заблокирован(а)"
	}
	return "suspended"
}

// AdminJobs says "Accounts being erased or hidden".
func (l Language) AdminJobs() string {
	if l == Russian {
		return "Учётные записи, которые удаляются или скрываются"
	}
	return "Accounts being erased or hidden"
}

// AdminMails says "Mails waiting".
func (l Language) AdminMails() string {
	if l == Russian {
		return "Письма в очереди"
	}
	return "Mails waiting"
}

// AdminNew says "New in the last 7 days".
func (l Language) AdminNew() string {
	if l == Russian {
		return "Новые за 7 дней"
	}
	return "New in the last 7 days"
}

// AdminNone says "No one is called so.".
func (l Language) AdminNone() string {
	if l == Russian {
		return "Никого с таким именем нет."
	}
	return "No one is called so."
}

// AdminPeople says "People".
func (l Language) AdminPeople() string {
	if l == Russian {
		return "Люди"
	}
	return "People"
}

// AdminPosts says "Posts".
func (l Language) AdminPosts() string {
	if l == Russian {
		return "Посты"
	}
	return "Posts"
}

// AdminReported says "{n} open reports".
func (l Language) AdminReported(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " жалоба"
		case few:
			return l.Number(n) + " жалобы"
		}
		return l.Number(n) + " жалоб"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " open report"
	}
	return l.Number(n) + " open reports"
}

// AdminReports says "Open reports".
func (l Language) AdminReports() string {
	if l == Russian {
		return "Жалобы, которые ждут решения"
	}
	return "Open reports"
}

// AdminSeen says "Here in the last 7 days".
func (l Language) AdminSeen() string {
	if l == Russian {
		return "Были здесь за 7 дней"
	}
	return "Here in the last 7 days"
}

// AdminSuspended says "Suspended accounts".
func (l Language) AdminSuspended() string {
	if l == Russian {
		return "Заблокированные"
	}
	return "Suspended accounts"
}

// AdminTitle says "Administration".
func (l Language) AdminTitle() string {
	if l == Russian {
		return "Администрирование"
	}
	return "Administration"
}

// AdminUploads says "Files waiting".
func (l Language) AdminUploads() string {
	if l == Russian {
		return "Файлы в очереди"
	}
	return "Files waiting"
}

// ApiAnswer says "Answer".
func (l Language) ApiAnswer() string {
	if l == Russian {
		return "Ответ"
	}
	return "Answer"
}

// ApiBody says "Body".
func (l Language) ApiBody() string {
	if l == Russian {
		return "Тело запроса"
	}
	return "Body"
}

// ApiDocument says "Programs can read this page as an [OpenAPI document].".
func (l Language) ApiDocument() Linked {
	if l == Russian {
		return Linked("Программы могут прочитать эту страницу как [документ OpenAPI].")
	}
	return Linked("Programs can read this page as an [OpenAPI document].")
}

// ApiFails says "May be refused with".
func (l Language) ApiFails() string {
	if l == Russian {
		return "Возможные коды отказа:"
	}
	return "May be refused with"
}

// ApiLead says "Everything that people do here, programs can do, too. [Make a token] for each of yours.".
func (l Language) ApiLead() Linked {
	if l == Russian {
		return Linked("Всё, что здесь делают люди, могут делать и программы. [Создайте токен] для каждой своей программы.")
	}
	return Linked("Everything that people do here, programs can do, too. [Make a token] for each of yours.")
}

// ApiLive says "The frames of open pages are described by a [JSON Schema].".
func (l Language) ApiLive() Linked {
	if l == Russian {
		return Linked("Сообщения открытых страниц описывает [схема JSON].")
	}
	return Linked("The frames of open pages are described by a [JSON Schema].")
}

// ApiOptional says "optional".
func (l Language) ApiOptional() string {
	if l == Russian {
		return "необязательно"
	}
	return "optional"
}

// ApiParameters says "Parameters".
func (l Language) ApiParameters() string {
	if l == Russian {
		return "Параметры"
	}
	return "Parameters"
}

// ApiRequest says "Example".
func (l Language) ApiRequest() string {
	if l == Russian {
		return "Пример"
	}
	return "Example"
}

// ApiShapes says "Shapes".
func (l Language) ApiShapes() string {
	if l == Russian {
		return "Структуры"
	}
	return "Shapes"
}

// ApiTitle says "API".
func (l Language) ApiTitle() string {
	if l == Russian {
		return "API"
	}
	return "API"
}

// ApiToken says "Token. Leave it empty to use your session.".
func (l Language) ApiToken() string {
	if l == Russian {
		return "Токен. Оставьте пустым, чтобы использовать свой сеанс."
	}
	return "Token. Leave it empty to use your session."
}

// ApiTopics says "Topics".
func (l Language) ApiTopics() string {
	if l == Russian {
		return "Темы"
	}
	return "Topics"
}

// ApiTry says "Run the example".
func (l Language) ApiTry() string {
	if l == Russian {
		return "Выполнить пример"
	}
	return "Run the example"
}

// ApiWhoAccount says "Needs a token, or the cookie of a session.".
func (l Language) ApiWhoAccount() string {
	if l == Russian {
		return "Нужен токен или cookie сеанса."
	}
	return "Needs a token, or the cookie of a session."
}

// ApiWhoAll says "Anyone may ask.".
func (l Language) ApiWhoAll() string {
	if l == Russian {
		return "Доступно всем."
	}
	return "Anyone may ask."
}

// ApiWhoSession says "Needs the cookie of a session. A token can't do this.".
func (l Language) ApiWhoSession() string {
	if l == Russian {
		return "Нужен cookie сеанса. С токеном этого сделать нельзя."
	}
	return "Needs the cookie of a session. A token can't do this."
}

// ApplicantAccept says "Accept".
func (l Language) ApplicantAccept() string {
	if l == Russian {
		return "Принять"
	}
	return "Accept"
}

// ApplicantInvited says "invited by {name}".
func (l Language) ApplicantInvited(name string) string {
	if l == Russian {
		return "пригласил(а) " + name
	}
	return "invited by " + name
}

// ApplicantLead says "On a site where administrators accept new people, those who signed up wait here. After 30 days without a decision they have to sign up again.".
func (l Language) ApplicantLead() string {
	if l == Russian {
		return "Если новых людей принимают администраторы, зарегистрировавшиеся ждут здесь. Через 30 дней без ответа нужно регистрироваться заново."
	}
	return "On a site where administrators accept new people, those who signed up wait here. After 30 days without a decision they have to sign up again."
}

// ApplicantNone says "No one waits.".
func (l Language) ApplicantNone() string {
	if l == Russian {
		return "Никто не ждёт."
	}
	return "No one waits."
}

// ApplicantReason says "Reason".
func (l Language) ApplicantReason() string {
	if l == Russian {
		return "Причина"
	}
	return "Reason"
}

// ApplicantReasonHint says "The person reads it when they sign in. You may leave it empty.".
func (l Language) ApplicantReasonHint() string {
	if l == Russian {
		return "Её увидит этот человек, когда попробует войти. Можно не указывать."
	}
	return "The person reads it when they sign in. You may leave it empty."
}

// ApplicantRefuse says "Refuse".
func (l Language) ApplicantRefuse() string {
	if l == Russian {
		return "Отказать"
	}
	return "Refuse"
}

// ApplicantTitle says "New people".
func (l Language) ApplicantTitle() string {
	if l == Russian {
		return "Новые люди"
	}
	return "New people"
}

// ApplicantWaiting says "Waiting".
func (l Language) ApplicantWaiting() string {
	if l == Russian {
		return "Ждут решения"
	}
	return "Waiting"
}

// AudienceAloneFeed says "Only you will see your feed.".
func (l Language) AudienceAloneFeed() string {
	if l == Russian {
		return "Вашу ленту увидите только вы."
	}
	return "Only you will see your feed."
}

// AudienceAloneGroup says "Only you will see the group.".
func (l Language) AudienceAloneGroup() string {
	if l == Russian {
		return "Группу увидите только вы."
	}
	return "Only you will see the group."
}

// AudienceAlonePost says "Only you will see this.".
func (l Language) AudienceAlonePost() string {
	if l == Russian {
		return "Это увидите только вы."
	}
	return "Only you will see this."
}

// AudienceClose says "Everyone who is not signed in will no longer see it.".
func (l Language) AudienceClose() string {
	if l == Russian {
		return "Доступ потеряют все, кто не вошёл на сайт."
	}
	return "Everyone who is not signed in will no longer see it."
}

// AudienceEveryoneFeed says "Everyone will see your feed.".
func (l Language) AudienceEveryoneFeed() string {
	if l == Russian {
		return "Вашу ленту увидят все."
	}
	return "Everyone will see your feed."
}

// AudienceEveryoneGroup says "Everyone will see the group.".
func (l Language) AudienceEveryoneGroup() string {
	if l == Russian {
		return "Группу увидят все."
	}
	return "Everyone will see the group."
}

// AudienceEveryonePost says "Everyone will see this.".
func (l Language) AudienceEveryonePost() string {
	if l == Russian {
		return "Это увидят все."
	}
	return "Everyone will see this."
}

// AudienceForAll says "Everyone can read this.".
func (l Language) AudienceForAll() string {
	if l == Russian {
		return "Это смогут прочитать все."
	}
	return "Everyone can read this."
}

// AudienceForSignedIn says "Everyone who is signed in can read this.".
func (l Language) AudienceForSignedIn() string {
	if l == Russian {
		return "Это смогут прочитать все, кто вошёл на сайт."
	}
	return "Everyone who is signed in can read this."
}

// AudienceForSome says "Only for {who}.".
func (l Language) AudienceForSome(who string) string {
	if l == Russian {
		return "Смогут прочитать только: " + who + "."
	}
	return "Only for " + who + "."
}

// AudienceGain says "{n} more people will be able to see it.".
func (l Language) AudienceGain(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Доступ получит ещё " + l.Number(n) + " человек."
		case few:
			return "Доступ получат ещё " + l.Number(n) + " человека."
		}
		return "Доступ получат ещё " + l.Number(n) + " человек."
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " more person will be able to see it."
	}
	return l.Number(n) + " more people will be able to see it."
}

// AudienceGainOpen says "{n} more people, and everyone who is not signed in, will be able to see it.".
func (l Language) AudienceGainOpen(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Доступ получит ещё " + l.Number(n) + " человек, а также все, кто не вошёл на сайт."
		case few:
			return "Доступ получат ещё " + l.Number(n) + " человека, а также все, кто не вошёл на сайт."
		}
		return "Доступ получат ещё " + l.Number(n) + " человек, а также все, кто не вошёл на сайт."
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " more person, and everyone who is not signed in, will be able to see it."
	}
	return l.Number(n) + " more people, and everyone who is not signed in, will be able to see it."
}

// AudienceGoesTo says "To {places}".
func (l Language) AudienceGoesTo(places string) string {
	if l == Russian {
		return "Куда: " + places
	}
	return "To " + places
}

// AudienceLose says "{n} people will no longer see it.".
func (l Language) AudienceLose(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Доступ потеряет " + l.Number(n) + " человек."
		case few:
			return "Доступ потеряют " + l.Number(n) + " человека."
		}
		return "Доступ потеряют " + l.Number(n) + " человек."
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " person will no longer see it."
	}
	return l.Number(n) + " people will no longer see it."
}

// AudienceLoseClose says "{n} people, and everyone who is not signed in, will no longer see it.".
func (l Language) AudienceLoseClose(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Доступ потеряет " + l.Number(n) + " человек, а также все, кто не вошёл на сайт."
		case few:
			return "Доступ потеряют " + l.Number(n) + " человека, а также все, кто не вошёл на сайт."
		}
		return "Доступ потеряют " + l.Number(n) + " человек, а также все, кто не вошёл на сайт."
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " person, and everyone who is not signed in, will no longer see it."
	}
	return l.Number(n) + " people, and everyone who is not signed in, will no longer see it."
}

// AudienceOpen says "Everyone who is not signed in will be able to see it too.".
func (l Language) AudienceOpen() string {
	if l == Russian {
		return "Доступ получат и все, кто не вошёл на сайт."
	}
	return "Everyone who is not signed in will be able to see it too."
}

// AudiencePeopleFeed says "{n} people will see your feed.".
func (l Language) AudiencePeopleFeed(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Вашу ленту увидит " + l.Number(n) + " человек."
		case few:
			return "Вашу ленту увидят " + l.Number(n) + " человека."
		}
		return "Вашу ленту увидят " + l.Number(n) + " человек."
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " person will see your feed."
	}
	return l.Number(n) + " people will see your feed."
}

// AudiencePeopleGroup says "{n} people will see the group.".
func (l Language) AudiencePeopleGroup(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Группу увидит " + l.Number(n) + " человек."
		case few:
			return "Группу увидят " + l.Number(n) + " человека."
		}
		return "Группу увидят " + l.Number(n) + " человек."
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " person will see the group."
	}
	return l.Number(n) + " people will see the group."
}

// AudiencePeoplePost says "{n} people will see this.".
func (l Language) AudiencePeoplePost(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Это увидит " + l.Number(n) + " человек."
		case few:
			return "Это увидят " + l.Number(n) + " человека."
		}
		return "Это увидят " + l.Number(n) + " человек."
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " person will see this."
	}
	return l.Number(n) + " people will see this."
}

// AudienceSame says "Nothing changes for anyone.".
func (l Language) AudienceSame() string {
	if l == Russian {
		return "Ни для кого ничего не изменится."
	}
	return "Nothing changes for anyone."
}

// CalendarAround says "Before and after".
func (l Language) CalendarAround() string {
	if l == Russian {
		return "Раньше и позже"
	}
	return "Before and after"
}

// CalendarNone says "No posts yet.".
func (l Language) CalendarNone() string {
	if l == Russian {
		return "Постов пока нет."
	}
	return "No posts yet."
}

// CalendarPosts says "{n} posts".
func (l Language) CalendarPosts(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " пост"
		case few:
			return l.Number(n) + " поста"
		}
		return l.Number(n) + " постов"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " post"
	}
	return l.Number(n) + " posts"
}

// CalendarTitle says "Calendar".
func (l Language) CalendarTitle() string {
	if l == Russian {
		return "Календарь"
	}
	return "Calendar"
}

// CatchUpComments says "{n} comments".
func (l Language) CatchUpComments(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " комментарий"
		case few:
			return l.Number(n) + " комментария"
		}
		return l.Number(n) + " комментариев"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " comment"
	}
	return l.Number(n) + " comments"
}

// CatchUpDismiss says "Dismiss".
func (l Language) CatchUpDismiss() string {
	if l == Russian {
		return "Убрать"
	}
	return "Dismiss"
}

// CatchUpLabel says "Since your last visit".
func (l Language) CatchUpLabel() string {
	if l == Russian {
		return "С вашего прошлого визита"
	}
	return "Since your last visit"
}

// CatchUpLeftOff says "You left off here · {when*}".
func (l Language) CatchUpLeftOff() Filled {
	if l == Russian {
		return Filled("Вы остановились здесь · \x01")
	}
	return Filled("You left off here · \x01")
}

// CatchUpMore says "… and more since your last visit".
func (l Language) CatchUpMore() string {
	if l == Russian {
		return "… и ещё с вашего прошлого визита"
	}
	return "… and more since your last visit"
}

// CatchUpMoved says "{n} came up again".
func (l Language) CatchUpMoved(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " снова поднялся"
		case few:
			return l.Number(n) + " снова поднялись"
		}
		return l.Number(n) + " снова поднялись"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " came up again"
	}
	return l.Number(n) + " came up again"
}

// CatchUpMovedMore says "{n}+ came up again".
func (l Language) CatchUpMovedMore(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + "+ снова поднялись"
		case few:
			return l.Number(n) + "+ снова поднялись"
		}
		return l.Number(n) + "+ снова поднялись"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + "+ came up again"
	}
	return l.Number(n) + "+ came up again"
}

// CatchUpNone says "no new posts".
func (l Language) CatchUpNone() string {
	if l == Russian {
		return "новых постов нет"
	}
	return "no new posts"
}

// CatchUpNsfw says "Not safe for work".
func (l Language) CatchUpNsfw() string {
	if l == Russian {
		return "Содержимое 18+"
	}
	return "Not safe for work"
}

// CatchUpPosts says "{n} new posts".
func (l Language) CatchUpPosts(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " новый пост"
		case few:
			return l.Number(n) + " новых поста"
		}
		return l.Number(n) + " новых постов"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " new post"
	}
	return l.Number(n) + " new posts"
}

// CatchUpPostsMore says "{n}+ new posts".
func (l Language) CatchUpPostsMore(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + "+ новых постов"
		case few:
			return l.Number(n) + "+ новых постов"
		}
		return l.Number(n) + "+ новых постов"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + "+ new posts"
	}
	return l.Number(n) + "+ new posts"
}

// CatchUpSince says "Since your last visit, {when*}: {news}.".
func (l Language) CatchUpSince(news string) Filled {
	if l == Russian {
		return Filled("С вашего прошлого визита (\x01): " + news + ".")
	}
	return Filled("Since your last visit, \x01: " + news + ".")
}

// CatchUpTalked says "{n} of your discussions have new comments:".
func (l Language) CatchUpTalked(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Новые комментарии в " + l.Number(n) + " вашем обсуждении:"
		case few:
			return "Новые комментарии в " + l.Number(n) + " ваших обсуждениях:"
		}
		return "Новые комментарии в " + l.Number(n) + " ваших обсуждениях:"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " of your discussions has new comments:"
	}
	return l.Number(n) + " of your discussions have new comments:"
}

// CatchUpTalkedMore says "{n}+ of your discussions have new comments:".
func (l Language) CatchUpTalkedMore(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Новые комментарии в " + l.Number(n) + "+ ваших обсуждениях:"
		case few:
			return "Новые комментарии в " + l.Number(n) + "+ ваших обсуждениях:"
		}
		return "Новые комментарии в " + l.Number(n) + "+ ваших обсуждениях:"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + "+ of your discussions have new comments:"
	}
	return l.Number(n) + "+ of your discussions have new comments:"
}

// CommentDelete says "Delete".
func (l Language) CommentDelete() string {
	if l == Russian {
		return "Удалить"
	}
	return "Delete"
}

// CommentDeleteAsk says "Delete this comment?".
func (l Language) CommentDeleteAsk() string {
	if l == Russian {
		return "Удалить этот комментарий?"
	}
	return "Delete this comment?"
}

// CommentDeleteSure says "Delete comment".
func (l Language) CommentDeleteSure() string {
	if l == Russian {
		return "Удалить комментарий"
	}
	return "Delete comment"
}

// CommentEdit says "Edit".
func (l Language) CommentEdit() string {
	if l == Russian {
		return "Изменить"
	}
	return "Edit"
}

// CommentEditTitle says "Edit comment".
func (l Language) CommentEditTitle() string {
	if l == Russian {
		return "Изменить комментарий"
	}
	return "Edit comment"
}

// CommentEdited says "edited".
func (l Language) CommentEdited() string {
	if l == Russian {
		return "изменено"
	}
	return "edited"
}

// CommentHidden says "a hidden comment by {who*}".
func (l Language) CommentHidden() Filled {
	if l == Russian {
		return Filled("скрытый комментарий: \x01")
	}
	return Filled("a hidden comment by \x01")
}

// CommentLike says "Like".
func (l Language) CommentLike() string {
	if l == Russian {
		return "Лайк"
	}
	return "Like"
}

// CommentLikedYou says "liked by you".
func (l Language) CommentLikedYou() string {
	if l == Russian {
		return "лайк: вы"
	}
	return "liked by you"
}

// CommentLikedYouAnd says "liked by you and {n} others".
func (l Language) CommentLikedYouAnd(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "лайки: вы и ещё " + l.Number(n)
		case few:
			return "лайки: вы и ещё " + l.Number(n)
		}
		return "лайки: вы и ещё " + l.Number(n)
	}
	switch enForm(n) {
	case one:
		return "liked by you and " + l.Number(n) + " other"
	}
	return "liked by you and " + l.Number(n) + " others"
}

// CommentLikes says "{n} likes".
func (l Language) CommentLikes(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " лайк"
		case few:
			return l.Number(n) + " лайка"
		}
		return l.Number(n) + " лайков"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " like"
	}
	return l.Number(n) + " likes"
}

// CommentNewTitle says "Comment".
func (l Language) CommentNewTitle() string {
	if l == Russian {
		return "Комментарий"
	}
	return "Comment"
}

// CommentReply says "Reply".
func (l Language) CommentReply() string {
	if l == Russian {
		return "Ответить"
	}
	return "Reply"
}

// CommentReport says "Report".
func (l Language) CommentReport() string {
	if l == Russian {
		return "Пожаловаться"
	}
	return "Report"
}

// CommentText says "Text".
func (l Language) CommentText() string {
	if l == Russian {
		return "Текст"
	}
	return "Text"
}

// CommentUnlike says "Unlike".
func (l Language) CommentUnlike() string {
	if l == Russian {
		return "Убрать лайк"
	}
	return "Unlike"
}

// CompareBan says "Ban".
func (l Language) CompareBan() string {
	if l == Russian {
		return "Бан"
	}
	return "Ban"
}

// CompareBanKnow says "They are not told, but they can notice that you are gone.".
func (l Language) CompareBanKnow() string {
	if l == Russian {
		return "Уведомления не будет, но ваше исчезновение можно заметить."
	}
	return "They are not told, but they can notice that you are gone."
}

// CompareBanThey says "They don't see anything you write, and can't send you messages.".
func (l Language) CompareBanThey() string {
	if l == Russian {
		return "Этот человек нигде не видит того, что пишете вы, и не может вам написать."
	}
	return "They don't see anything you write, and can't send you messages."
}

// CompareBanWhere says "“More” on the person's page.".
func (l Language) CompareBanWhere() string {
	if l == Russian {
		return "«Ещё» на странице человека."
	}
	return "“More” on the person's page."
}

// CompareBanYou says "You don't see anything they write, anywhere.".
func (l Language) CompareBanYou() string {
	if l == Russian {
		return "Вы нигде не видите того, что пишет этот человек."
	}
	return "You don't see anything they write, anywhere."
}

// CompareBlock says "Block from my feed".
func (l Language) CompareBlock() string {
	if l == Russian {
		return "Закрытый доступ к ленте"
	}
	return "Block from my feed"
}

// CompareBlockKnow says "They are not told, but they can notice that they can't subscribe.".
func (l Language) CompareBlockKnow() string {
	if l == Russian {
		return "Уведомления не будет, но подписаться не получится."
	}
	return "They are not told, but they can notice that they can't subscribe."
}

// CompareBlockThey says "They can't subscribe to you, and can't comment on or like posts that only your feed shows. If your feed is not public, they can't read it.".
func (l Language) CompareBlockThey() string {
	if l == Russian {
		return "Нельзя подписаться на вас, а также комментировать и лайкать посты, которые есть только в вашей ленте. Если лента не открытая, её нельзя и читать."
	}
	return "They can't subscribe to you, and can't comment on or like posts that only your feed shows. If your feed is not public, they can't read it."
}

// CompareBlockWhere says "“More” on the person's page.".
func (l Language) CompareBlockWhere() string {
	if l == Russian {
		return "«Ещё» на странице человека."
	}
	return "“More” on the person's page."
}

// CompareBlockYou says "Nothing: you still see what they write.".
func (l Language) CompareBlockYou() string {
	if l == Russian {
		return "Ничего: вы по-прежнему видите то, что пишет этот человек."
	}
	return "Nothing: you still see what they write."
}

// CompareHide says "Hide".
func (l Language) CompareHide() string {
	if l == Russian {
		return "Скрытие"
	}
	return "Hide"
}

// CompareHideKnow says "No.".
func (l Language) CompareHideKnow() string {
	if l == Russian {
		return "Нет."
	}
	return "No."
}

// CompareHideThey says "Nothing.".
func (l Language) CompareHideThey() string {
	if l == Russian {
		return "Ничего."
	}
	return "Nothing."
}

// CompareHideWhere says "“More” on the person's page; for one post, “Hide” below it.".
func (l Language) CompareHideWhere() string {
	if l == Russian {
		return "«Ещё» на странице человека; для одного поста — «Скрыть» под ним."
	}
	return "“More” on the person's page; for one post, “Hide” below it."
}

// CompareHideYou says "Their posts or comments are collapsed on your pages. You can open any of them.".
func (l Language) CompareHideYou() string {
	if l == Russian {
		return "Посты или комментарии этого человека свёрнуты на ваших страницах. Любой можно открыть."
	}
	return "Their posts or comments are collapsed on your pages. You can open any of them."
}

// CompareKnow says "Will they know?".
func (l Language) CompareKnow() string {
	if l == Russian {
		return "Узнает ли об этом человек?"
	}
	return "Will they know?"
}

// CompareLead says "Four ways to see less of someone, or to let them see less of you. You can undo each of them at any time under [People] in the settings.".
func (l Language) CompareLead() Linked {
	if l == Russian {
		return Linked("Четыре способа реже видеть человека или меньше ему показывать. Любой можно отменить в настройках, в разделе [Люди].")
	}
	return Linked("Four ways to see less of someone, or to let them see less of you. You can undo each of them at any time under [People] in the settings.")
}

// CompareMute says "Mute".
func (l Language) CompareMute() string {
	if l == Russian {
		return "Заглушение"
	}
	return "Mute"
}

// CompareMuteKnow says "No.".
func (l Language) CompareMuteKnow() string {
	if l == Russian {
		return "Нет."
	}
	return "No."
}

// CompareMuteThey says "Nothing.".
func (l Language) CompareMuteThey() string {
	if l == Russian {
		return "Ничего."
	}
	return "Nothing."
}

// CompareMuteWhere says "“Why?” below a post that they brought to your home page.".
func (l Language) CompareMuteWhere() string {
	if l == Russian {
		return "«Почему?» под постом, который так попал на вашу главную."
	}
	return "“Why?” below a post that they brought to your home page."
}

// CompareMuteYou says "Their likes or comments no longer bring posts to your home page and your lists. If you subscribe to them, you still see their own posts.".
func (l Language) CompareMuteYou() string {
	if l == Russian {
		return "Лайки или комментарии этого человека больше не приносят посты на вашу главную страницу и в списки. Если вы подписаны, сами посты этого человека видны по-прежнему."
	}
	return "Their likes or comments no longer bring posts to your home page and your lists. If you subscribe to them, you still see their own posts."
}

// CompareThey says "What changes for them".
func (l Language) CompareThey() string {
	if l == Russian {
		return "Что меняется для другого человека"
	}
	return "What changes for them"
}

// CompareTitle says "Ban, hide, mute or block?".
func (l Language) CompareTitle() string {
	if l == Russian {
		return "Бан, скрытие, заглушение или закрытый доступ?"
	}
	return "Ban, hide, mute or block?"
}

// CompareWhere says "Where to find it".
func (l Language) CompareWhere() string {
	if l == Russian {
		return "Где это найти"
	}
	return "Where to find it"
}

// CompareYou says "What changes for you".
func (l Language) CompareYou() string {
	if l == Russian {
		return "Что меняется для вас"
	}
	return "What changes for you"
}

// DateDay says "{day} {month} {year}".
func (l Language) DateDay(day string, month string, year string) string {
	if l == Russian {
		return day + " " + month + " " + year + " г."
	}
	return day + " " + month + " " + year
}

// DateMoment says "{day} {month} {year}, {time} {zone}".
func (l Language) DateMoment(day string, month string, year string, time string, zone string) string {
	if l == Russian {
		return day + " " + month + " " + year + ", " + time + " " + zone
	}
	return day + " " + month + " " + year + ", " + time + " " + zone
}

// DateMonth says "{month} {year}".
func (l Language) DateMonth(month string, year string) string {
	if l == Russian {
		return month + " " + year + " г."
	}
	return month + " " + year
}

// DateMonths says "January, February, March, April, May, June, July, August, September, October, November, December".
func (l Language) DateMonths(i int) string {
	if l == Russian {
		return [...]string{"январь", "февраль", "март", "апрель", "май", "июнь", "июль", "август", "сентябрь", "октябрь", "ноябрь", "декабрь"}[i]
	}
	return [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}[i]
}

// DateOfMonths says "January, February, March, April, May, June, July, August, September, October, November, December".
func (l Language) DateOfMonths(i int) string {
	if l == Russian {
		return [...]string{"января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября", "декабря"}[i]
	}
	return [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}[i]
}

// DateShortMonths says "Jan, Feb, Mar, Apr, May, Jun, Jul, Aug, Sep, Oct, Nov, Dec".
func (l Language) DateShortMonths(i int) string {
	if l == Russian {
		return [...]string{"янв.", "февр.", "мар.", "апр.", "мая", "июн.", "июл.", "авг.", "сент.", "окт.", "нояб.", "дек."}[i]
	}
	return [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}[i]
}

// EmptyBelow says "That's all. There are no older posts.".
func (l Language) EmptyBelow() string {
	if l == Russian {
		return "Это всё. Более старых постов нет."
	}
	return "That's all. There are no older posts."
}

// EmptyBest says "Nothing here yet.".
func (l Language) EmptyBest() string {
	if l == Russian {
		return "Пока здесь пусто."
	}
	return "Nothing here yet."
}

// EmptyBestText says "Posts with likes, comments and favourites appear here. The ranking is updated from time to time.".
func (l Language) EmptyBestText() string {
	if l == Russian {
		return "Здесь появляются посты с лайками, комментариями и добавлениями в избранное. Рейтинг время от времени обновляется."
	}
	return "Posts with likes, comments and favourites appear here. The ranking is updated from time to time."
}

// EmptyComments says "No comments yet.".
func (l Language) EmptyComments() string {
	if l == Russian {
		return "Комментариев пока нет."
	}
	return "No comments yet."
}

// EmptyCommentsText says "Posts that {who} comments on appear here.".
func (l Language) EmptyCommentsText(who string) string {
	if l == Russian {
		return "Здесь появляются посты, которые комментирует " + who + "."
	}
	return "Posts that " + who + " comments on appear here."
}

// EmptyCommentsYou says "Posts you comment on appear here.".
func (l Language) EmptyCommentsYou() string {
	if l == Russian {
		return "Здесь появляются посты, которые вы комментируете."
	}
	return "Posts you comment on appear here."
}

// EmptyDay says "No posts from this time.".
func (l Language) EmptyDay() string {
	if l == Russian {
		return "За это время постов нет."
	}
	return "No posts from this time."
}

// EmptyDayText says "Choose another time in the calendar.".
func (l Language) EmptyDayText() string {
	if l == Russian {
		return "Выберите другое время в календаре."
	}
	return "Choose another time in the calendar."
}

// EmptyDirects says "No direct messages yet.".
func (l Language) EmptyDirects() string {
	if l == Russian {
		return "Личных сообщений пока нет."
	}
	return "No direct messages yet."
}

// EmptyDirectsText says "Write someone's name above, and your message. Only the people you write to can read it.".
func (l Language) EmptyDirectsText() string {
	if l == Russian {
		return "Укажите выше имя и напишите сообщение. Его прочитают только те, кому вы пишете."
	}
	return "Write someone's name above, and your message. Only the people you write to can read it."
}

// EmptyDiscussions says "No discussions yet.".
func (l Language) EmptyDiscussions() string {
	if l == Russian {
		return "Обсуждений пока нет."
	}
	return "No discussions yet."
}

// EmptyDiscussionsText says "Posts you write or comment on appear here, and come up again with every new comment.".
func (l Language) EmptyDiscussionsText() string {
	if l == Russian {
		return "Здесь появляются посты, которые вы написали или комментировали. Каждый новый комментарий поднимает их наверх."
	}
	return "Posts you write or comment on appear here, and come up again with every new comment."
}

// EmptyEverything says "No posts yet.".
func (l Language) EmptyEverything() string {
	if l == Russian {
		return "Постов пока нет."
	}
	return "No posts yet."
}

// EmptyEverythingText says "The first public post of this site will appear here.".
func (l Language) EmptyEverythingText() string {
	if l == Russian {
		return "Здесь появится первый открытый пост этого сайта."
	}
	return "The first public post of this site will appear here."
}

// EmptyFavedText says "Posts that people save as favourites appear here. The ranking is updated from time to time.".
func (l Language) EmptyFavedText() string {
	if l == Russian {
		return "Здесь появляются посты, которые добавляют в избранное. Рейтинг время от времени обновляется."
	}
	return "Posts that people save as favourites appear here. The ranking is updated from time to time."
}

// EmptyFavs says "No favourites yet.".
func (l Language) EmptyFavs() string {
	if l == Russian {
		return "В избранном пока пусто."
	}
	return "No favourites yet."
}

// EmptyFavsText says "Press the star ☆ under a post you want to find again.".
func (l Language) EmptyFavsText() string {
	if l == Russian {
		return "Нажмите звёздочку ☆ под постом, к которому хотите вернуться."
	}
	return "Press the star ☆ under a post you want to find again."
}

// EmptyFyeo says "Nothing for your eyes only yet.".
func (l Language) EmptyFyeo() string {
	if l == Russian {
		return "Постов только для себя пока нет."
	}
	return "Nothing for your eyes only yet."
}

// EmptyFyeoText says "Posts you write to “only you” appear here, and no one else can read them.".
func (l Language) EmptyFyeoText() string {
	if l == Russian {
		return "Здесь появляются посты, отправленные «только вам». Никто другой их не прочитает."
	}
	return "Posts you write to “only you” appear here, and no one else can read them."
}

// EmptyGroup says "No posts in this group yet.".
func (l Language) EmptyGroup() string {
	if l == Russian {
		return "В этой группе пока нет постов."
	}
	return "No posts in this group yet."
}

// EmptyGroupText says "Members can write the first one.".
func (l Language) EmptyGroupText() string {
	if l == Russian {
		return "Первый пост может написать любой участник."
	}
	return "Members can write the first one."
}

// EmptyGroupYou says "Write the first one above.".
func (l Language) EmptyGroupYou() string {
	if l == Russian {
		return "Напишите первый пост выше."
	}
	return "Write the first one above."
}

// EmptyHome says "It's quiet here so far.".
func (l Language) EmptyHome() string {
	if l == Russian {
		return "Пока здесь тихо."
	}
	return "It's quiet here so far."
}

// EmptyHomeText says "Your home page shows what the people and groups you subscribe to write, like and comment on. Look around in [Everything], open the page of someone worth reading, and press Subscribe. Or write the first post yourself.".
func (l Language) EmptyHomeText() Linked {
	if l == Russian {
		return Linked("На главной видно, что пишут, лайкают и комментируют люди и группы, на которых вы подписаны. Загляните во [Все посты], откройте страницу интересного вам человека и нажмите «Подписаться». Или напишите первый пост сами.")
	}
	return Linked("Your home page shows what the people and groups you subscribe to write, like and comment on. Look around in [Everything], open the page of someone worth reading, and press Subscribe. Or write the first post yourself.")
}

// EmptyLanguage says "Nothing in {language} yet.".
func (l Language) EmptyLanguage(language string) string {
	if l == Russian {
		return "На этом языке (" + language + ") пока ничего нет."
	}
	return "Nothing in " + language + " yet."
}

// EmptyLanguageText says "Posts in this language appear here.".
func (l Language) EmptyLanguageText() string {
	if l == Russian {
		return "Здесь появляются посты на этом языке."
	}
	return "Posts in this language appear here."
}

// EmptyLikes says "No likes yet.".
func (l Language) EmptyLikes() string {
	if l == Russian {
		return "Лайков пока нет."
	}
	return "No likes yet."
}

// EmptyLikesText says "Posts that {who} likes appear here.".
func (l Language) EmptyLikesText(who string) string {
	if l == Russian {
		return "Здесь появляются посты, которым ставит лайк " + who + "."
	}
	return "Posts that " + who + " likes appear here."
}

// EmptyLikesYou says "Posts you like appear here.".
func (l Language) EmptyLikesYou() string {
	if l == Russian {
		return "Здесь появляются посты, которым вы ставите лайк."
	}
	return "Posts you like appear here."
}

// EmptyList says "Nothing in this list yet.".
func (l Language) EmptyList() string {
	if l == Russian {
		return "В этом списке пока пусто."
	}
	return "Nothing in this list yet."
}

// EmptyListText says "Posts that the people and groups in it write, like and comment on appear here.".
func (l Language) EmptyListText() string {
	if l == Russian {
		return "Здесь появляются посты, которые пишут, лайкают и комментируют люди и группы из списка."
	}
	return "Posts that the people and groups in it write, like and comment on appear here."
}

// EmptyMentions says "No mentions yet.".
func (l Language) EmptyMentions() string {
	if l == Russian {
		return "Упоминаний пока нет."
	}
	return "No mentions yet."
}

// EmptyMentionsText says "Posts that mention you as @{who} appear here.".
func (l Language) EmptyMentionsText(who string) string {
	if l == Russian {
		return "Здесь появляются посты, где вас упомянули как @" + who + "."
	}
	return "Posts that mention you as @" + who + " appear here."
}

// EmptyPhotos says "No photos yet.".
func (l Language) EmptyPhotos() string {
	if l == Russian {
		return "Фотографий пока нет."
	}
	return "No photos yet."
}

// EmptyPhotosGroup says "Posts in this group with a photo appear here.".
func (l Language) EmptyPhotosGroup() string {
	if l == Russian {
		return "Здесь появляются посты группы с фотографиями."
	}
	return "Posts in this group with a photo appear here."
}

// EmptyPhotosText says "Posts by {who} with a photo appear here.".
func (l Language) EmptyPhotosText(who string) string {
	if l == Russian {
		return "Здесь появляются посты с фотографиями, которые пишет " + who + "."
	}
	return "Posts by " + who + " with a photo appear here."
}

// EmptyPhotosYou says "Your posts with a photo appear here.".
func (l Language) EmptyPhotosYou() string {
	if l == Russian {
		return "Здесь появляются ваши посты с фотографиями."
	}
	return "Your posts with a photo appear here."
}

// EmptyPost says "This post isn't here any more.".
func (l Language) EmptyPost() string {
	if l == Russian {
		return "Этого поста здесь больше нет."
	}
	return "This post isn't here any more."
}

// EmptyPostText says "It was deleted, or you can no longer see it. [Go to the front page].".
func (l Language) EmptyPostText() Linked {
	if l == Russian {
		return Linked("Он удалён или больше вам не виден. [На главную].")
	}
	return Linked("It was deleted, or you can no longer see it. [Go to the front page].")
}

// EmptyPosts says "No posts yet.".
func (l Language) EmptyPosts() string {
	if l == Russian {
		return "Постов пока нет."
	}
	return "No posts yet."
}

// EmptyPostsText says "What {who} writes appears here.".
func (l Language) EmptyPostsText(who string) string {
	if l == Russian {
		return "Здесь появляется то, что пишет " + who + "."
	}
	return "What " + who + " writes appears here."
}

// EmptyPostsYou says "What you write appears here.".
func (l Language) EmptyPostsYou() string {
	if l == Russian {
		return "Здесь появляется то, что вы пишете."
	}
	return "What you write appears here."
}

// EmptyPrivate says "No private posts yet.".
func (l Language) EmptyPrivate() string {
	if l == Russian {
		return "Приватных постов пока нет."
	}
	return "No private posts yet."
}

// EmptyPrivateText says "What {who} writes for approved subscribers only appears here.".
func (l Language) EmptyPrivateText(who string) string {
	if l == Russian {
		return "Здесь появляется то, что " + who + " пишет только для одобренных подписчиков."
	}
	return "What " + who + " writes for approved subscribers only appears here."
}

// EmptyPrivateYou says "What you write for approved subscribers only appears here.".
func (l Language) EmptyPrivateYou() string {
	if l == Russian {
		return "Здесь появляется то, что вы пишете только для одобренных подписчиков."
	}
	return "What you write for approved subscribers only appears here."
}

// EmptySearch says "Nothing found.".
func (l Language) EmptySearch() string {
	if l == Russian {
		return "Ничего не найдено."
	}
	return "Nothing found."
}

// EmptySearchText says "Try other words, or fewer. New posts that match appear here while the page is open.".
func (l Language) EmptySearchText() string {
	if l == Russian {
		return "Попробуйте другие слова или меньше слов. Пока страница открыта, новые подходящие посты появятся здесь."
	}
	return "Try other words, or fewer. New posts that match appear here while the page is open."
}

// EmptyTag says "Nothing with this tag yet.".
func (l Language) EmptyTag() string {
	if l == Russian {
		return "С этим тегом пока ничего нет."
	}
	return "Nothing with this tag yet."
}

// EmptyTagText says "Posts with #{tag} in their text appear here.".
func (l Language) EmptyTagText(tag string) string {
	if l == Russian {
		return "Здесь появляются посты с #" + tag + " в тексте."
	}
	return "Posts with #" + tag + " in their text appear here."
}

// EntryAGroup says "a group".
func (l Language) EntryAGroup() string {
	if l == Russian {
		return "группа"
	}
	return "a group"
}

// EntryAddPeople says "Add people".
func (l Language) EntryAddPeople() string {
	if l == Russian {
		return "Добавить людей"
	}
	return "Add people"
}

// EntryAddPeopleHint says "Names, separated by commas".
func (l Language) EntryAddPeopleHint() string {
	if l == Russian {
		return "Имена через запятую"
	}
	return "Names, separated by commas"
}

// EntryAddPeopleLabel says "Who else to send it to".
func (l Language) EntryAddPeopleLabel() string {
	if l == Russian {
		return "Кому ещё отправить"
	}
	return "Who else to send it to"
}

// EntryCantComment says "You can read this, but you can't comment on it.".
func (l Language) EntryCantComment() string {
	if l == Russian {
		return "Вы можете читать этот пост, но не можете его комментировать."
	}
	return "You can read this, but you can't comment on it."
}

// EntryComment says "Comment".
func (l Language) EntryComment() string {
	if l == Russian {
		return "Комментировать"
	}
	return "Comment"
}

// EntryCommentLabel says "Comment on the post by {who}".
func (l Language) EntryCommentLabel(who string) string {
	if l == Russian {
		return "Комментарий к посту: " + who
	}
	return "Comment on the post by " + who
}

// EntryCommentPlaceholder says "Write a comment…".
func (l Language) EntryCommentPlaceholder() string {
	if l == Russian {
		return "Напишите комментарий…"
	}
	return "Write a comment…"
}

// EntryCommentSend says "Comment".
func (l Language) EntryCommentSend() string {
	if l == Russian {
		return "Отправить"
	}
	return "Comment"
}

// EntryCommentedReason says "commented on by {who*}".
func (l Language) EntryCommentedReason() Filled {
	if l == Russian {
		return Filled("комментарии: \x01")
	}
	return Filled("commented on by \x01")
}

// EntryCommentersAcross says "Comments by {n} people are hidden by a ban. Show".
func (l Language) EntryCommentersAcross(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Комментарии " + l.Number(n) + " человека скрыты баном. Показать"
		case few:
			return "Комментарии " + l.Number(n) + " человек скрыты баном. Показать"
		}
		return "Комментарии " + l.Number(n) + " человек скрыты баном. Показать"
	}
	switch enForm(n) {
	case one:
		return "Comments by " + l.Number(n) + " person are hidden by a ban. Show"
	}
	return "Comments by " + l.Number(n) + " people are hidden by a ban. Show"
}

// EntryComments says "{n} comments".
func (l Language) EntryComments(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " комментарий"
		case few:
			return l.Number(n) + " комментария"
		}
		return l.Number(n) + " комментариев"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " comment"
	}
	return l.Number(n) + " comments"
}

// EntryCommentsOff says "comments are off".
func (l Language) EntryCommentsOff() string {
	if l == Russian {
		return "комментарии отключены"
	}
	return "comments are off"
}

// EntryDaysLater says "{n} days later".
func (l Language) EntryDaysLater(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " день спустя"
		case few:
			return l.Number(n) + " дня спустя"
		}
		return l.Number(n) + " дней спустя"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " day later"
	}
	return l.Number(n) + " days later"
}

// EntryDelete says "Delete".
func (l Language) EntryDelete() string {
	if l == Russian {
		return "Удалить"
	}
	return "Delete"
}

// EntryDeleteAsk says "Delete this post, with its comments and likes?".
func (l Language) EntryDeleteAsk() string {
	if l == Russian {
		return "Удалить этот пост вместе с комментариями и лайками?"
	}
	return "Delete this post, with its comments and likes?"
}

// EntryDeleteSure says "Delete post".
func (l Language) EntryDeleteSure() string {
	if l == Russian {
		return "Удалить пост"
	}
	return "Delete post"
}

// EntryDirectTo says "direct message to {people*}".
func (l Language) EntryDirectTo() Filled {
	if l == Russian {
		return Filled("→ \x01")
	}
	return Filled("direct message to \x01")
}

// EntryEarlierComments says "{n} earlier comments".
func (l Language) EntryEarlierComments(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " предыдущий комментарий"
		case few:
			return l.Number(n) + " предыдущих комментария"
		}
		return l.Number(n) + " предыдущих комментариев"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " earlier comment"
	}
	return l.Number(n) + " earlier comments"
}

// EntryEdit says "Edit".
func (l Language) EntryEdit() string {
	if l == Russian {
		return "Изменить"
	}
	return "Edit"
}

// EntryFavourite says "Favourite".
func (l Language) EntryFavourite() string {
	if l == Russian {
		return "В избранное"
	}
	return "Favourite"
}

// EntryFavs says "{n} favourites".
func (l Language) EntryFavs(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "в избранном у " + l.Number(n) + " человека"
		case few:
			return "в избранном у " + l.Number(n) + " человек"
		}
		return "в избранном у " + l.Number(n) + " человек"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " favourite"
	}
	return l.Number(n) + " favourites"
}

// EntryHeld says "Only you and the administrators of this site see this post until they publish it.".
func (l Language) EntryHeld() string {
	if l == Russian {
		return "Этот пост видите только вы и администраторы сайта, пока они его не опубликуют."
	}
	return "Only you and the administrators of this site see this post until they publish it."
}

// EntryHidden says "Hidden:".
func (l Language) EntryHidden() string {
	if l == Russian {
		return "Скрыто:"
	}
	return "Hidden:"
}

// EntryHide says "Hide".
func (l Language) EntryHide() string {
	if l == Russian {
		return "Скрыть"
	}
	return "Hide"
}

// EntryLeave says "Leave".
func (l Language) EntryLeave() string {
	if l == Russian {
		return "Выйти"
	}
	return "Leave"
}

// EntryLeaveAsk says "You will no longer see this conversation. Only its author can bring you back.".
func (l Language) EntryLeaveAsk() string {
	if l == Russian {
		return "Вы больше не увидите этот разговор. Вернуть вас сможет только автор."
	}
	return "You will no longer see this conversation. Only its author can bring you back."
}

// EntryLeaveSure says "Leave the conversation".
func (l Language) EntryLeaveSure() string {
	if l == Russian {
		return "Выйти из разговора"
	}
	return "Leave the conversation"
}

// EntryLike says "Like".
func (l Language) EntryLike() string {
	if l == Russian {
		return "Лайк"
	}
	return "Like"
}

// EntryLikedBy says "{who*} liked this".
func (l Language) EntryLikedBy() Filled {
	if l == Russian {
		return Filled("Лайки: \x01")
	}
	return Filled("\x01 liked this")
}

// EntryLink says "Link to this post".
func (l Language) EntryLink() string {
	if l == Russian {
		return "Ссылка на этот пост"
	}
	return "Link to this post"
}

// EntryMenuBack says "Back".
func (l Language) EntryMenuBack() string {
	if l == Russian {
		return "Назад"
	}
	return "Back"
}

// EntryMenuTitle says "Post by {who}".
func (l Language) EntryMenuTitle(who string) string {
	if l == Russian {
		return "Пост: " + who
	}
	return "Post by " + who
}

// EntryMonthsLater says "{n} months later".
func (l Language) EntryMonthsLater(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " месяц спустя"
		case few:
			return l.Number(n) + " месяца спустя"
		}
		return l.Number(n) + " месяцев спустя"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " month later"
	}
	return l.Number(n) + " months later"
}

// EntryMore says "More".
func (l Language) EntryMore() string {
	if l == Russian {
		return "Ещё"
	}
	return "More"
}

// EntryMoreComments says "{n} more comments".
func (l Language) EntryMoreComments(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "ещё " + l.Number(n) + " комментарий"
		case few:
			return "ещё " + l.Number(n) + " комментария"
		}
		return "ещё " + l.Number(n) + " комментариев"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " more comment"
	}
	return l.Number(n) + " more comments"
}

// EntryMoreLikes says "{n} other people".
func (l Language) EntryMoreLikes(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "ещё " + l.Number(n) + " человек"
		case few:
			return "ещё " + l.Number(n) + " человека"
		}
		return "ещё " + l.Number(n) + " человек"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " other person"
	}
	return l.Number(n) + " other people"
}

// EntryNobody says "no one".
func (l Language) EntryNobody() string {
	if l == Russian {
		return "никому"
	}
	return "no one"
}

// EntryNsfw says "Not safe for work".
func (l Language) EntryNsfw() string {
	if l == Russian {
		return "Содержимое 18+"
	}
	return "Not safe for work"
}

// EntryNsfwShow says "· show".
func (l Language) EntryNsfwShow() string {
	if l == Russian {
		return "· показать"
	}
	return "· show"
}

// EntryOthers says "{n} others".
func (l Language) EntryOthers(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "ещё " + l.Number(n)
		case few:
			return "ещё " + l.Number(n)
		}
		return "ещё " + l.Number(n)
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " other"
	}
	return l.Number(n) + " others"
}

// EntryPoints says "{n} points".
func (l Language) EntryPoints(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " балл"
		case few:
			return l.Number(n) + " балла"
		}
		return l.Number(n) + " баллов"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " point"
	}
	return l.Number(n) + " points"
}

// EntryPrivateFeed says "private feed".
func (l Language) EntryPrivateFeed() string {
	if l == Russian {
		return "приватная лента"
	}
	return "private feed"
}

// EntryRemoveAsk says "The post stays in the other places it was posted to. If there are none, only its author will see it.".
func (l Language) EntryRemoveAsk() string {
	if l == Russian {
		return "Пост останется там, куда ещё был отправлен. Если больше нигде, его будет видеть только автор."
	}
	return "The post stays in the other places it was posted to. If there are none, only its author will see it."
}

// EntryRemoveFrom says "Remove from {group}".
func (l Language) EntryRemoveFrom(group string) string {
	if l == Russian {
		return "Убрать из группы «" + group + "»"
	}
	return "Remove from " + group
}

// EntryRemoveSure says "Remove the post".
func (l Language) EntryRemoveSure() string {
	if l == Russian {
		return "Убрать пост"
	}
	return "Remove the post"
}

// EntryReport says "Report…".
func (l Language) EntryReport() string {
	if l == Russian {
		return "Пожаловаться…"
	}
	return "Report…"
}

// EntryShowAgain says "Show again".
func (l Language) EntryShowAgain() string {
	if l == Russian {
		return "Показать снова"
	}
	return "Show again"
}

// EntryShowPosts says "Show posts by {who} again".
func (l Language) EntryShowPosts(who string) string {
	if l == Russian {
		return "Снова показывать посты: " + who
	}
	return "Show posts by " + who + " again"
}

// EntrySignIn says "[Sign in] to comment.".
func (l Language) EntrySignIn() Linked {
	if l == Russian {
		return Linked("[Войдите], чтобы комментировать.")
	}
	return Linked("[Sign in] to comment.")
}

// EntrySomeone says "Someone".
func (l Language) EntrySomeone() string {
	if l == Russian {
		return "Кто-то"
	}
	return "Someone"
}

// EntryTextMore says "Show more".
func (l Language) EntryTextMore() string {
	if l == Russian {
		return "Показать полностью"
	}
	return "Show more"
}

// EntryTo says "to {places*}".
func (l Language) EntryTo() Filled {
	if l == Russian {
		return Filled("→ \x01")
	}
	return Filled("to \x01")
}

// EntryUnfavourite says "Unfavourite".
func (l Language) EntryUnfavourite() string {
	if l == Russian {
		return "Убрать из избранного"
	}
	return "Unfavourite"
}

// EntryUnlike says "Unlike".
func (l Language) EntryUnlike() string {
	if l == Russian {
		return "Убрать лайк"
	}
	return "Unlike"
}

// EntryVia says "via {app}".
func (l Language) EntryVia(app string) string {
	if l == Russian {
		return "через " + app
	}
	return "via " + app
}

// EntryYearsLater says "{n} years later".
func (l Language) EntryYearsLater(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " год спустя"
		case few:
			return l.Number(n) + " года спустя"
		}
		return l.Number(n) + " лет спустя"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " year later"
	}
	return l.Number(n) + " years later"
}

// EntryYou says "you".
func (l Language) EntryYou() string {
	if l == Russian {
		return "вы"
	}
	return "you"
}

// EntryYouFirst says "You".
func (l Language) EntryYouFirst() string {
	if l == Russian {
		return "вы"
	}
	return "You"
}

// EntryYouHid says "You hid this.".
func (l Language) EntryYouHid() string {
	if l == Russian {
		return "Вы скрыли этот пост."
	}
	return "You hid this."
}

// ErrorBroken says "Something went wrong".
func (l Language) ErrorBroken() string {
	if l == Russian {
		return "Что-то пошло не так"
	}
	return "Something went wrong"
}

// ErrorBrokenText says "The error is on our side, and it has been logged.".
func (l Language) ErrorBrokenText() string {
	if l == Russian {
		return "Ошибка на нашей стороне, она записана в журнал."
	}
	return "The error is on our side, and it has been logged."
}

// ErrorBusy says "The server is busy".
func (l Language) ErrorBusy() string {
	if l == Russian {
		return "Сервер сейчас занят"
	}
	return "The server is busy"
}

// ErrorBusyText says "The server can't answer right now. Nothing is lost.".
func (l Language) ErrorBusyText() string {
	if l == Russian {
		return "Сейчас сервер не может ответить. Ничего не потеряно."
	}
	return "The server can't answer right now. Nothing is lost."
}

// ErrorForbidden says "You don't have access".
func (l Language) ErrorForbidden() string {
	if l == Russian {
		return "Нет доступа"
	}
	return "You don't have access"
}

// ErrorForbiddenText says "You don't have permission to see or do this. If you have another account, sign in with it.".
func (l Language) ErrorForbiddenText() string {
	if l == Russian {
		return "У вас нет прав это видеть или делать. Если у вас есть другой аккаунт, войдите с ним."
	}
	return "You don't have permission to see or do this. If you have another account, sign in with it."
}

// ErrorHome says "Go to the front page".
func (l Language) ErrorHome() string {
	if l == Russian {
		return "На главную"
	}
	return "Go to the front page"
}

// ErrorMinutes says "Try again in {n} minutes.".
func (l Language) ErrorMinutes(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Попробуйте снова через " + l.Number(n) + " минуту."
		case few:
			return "Попробуйте снова через " + l.Number(n) + " минуты."
		}
		return "Попробуйте снова через " + l.Number(n) + " минут."
	}
	switch enForm(n) {
	case one:
		return "Try again in " + l.Number(n) + " minute."
	}
	return "Try again in " + l.Number(n) + " minutes."
}

// ErrorMoment says "Try again in a moment.".
func (l Language) ErrorMoment() string {
	if l == Russian {
		return "Попробуйте снова чуть позже."
	}
	return "Try again in a moment."
}

// ErrorNotFound says "This page isn't here".
func (l Language) ErrorNotFound() string {
	if l == Russian {
		return "Этой страницы нет"
	}
	return "This page isn't here"
}

// ErrorNotFoundText says "It doesn't exist, was deleted, or isn't visible to you.".
func (l Language) ErrorNotFoundText() string {
	if l == Russian {
		return "Она не существует, удалена или вам не видна."
	}
	return "It doesn't exist, was deleted, or isn't visible to you."
}

// ErrorOtherText says "That couldn't be done.".
func (l Language) ErrorOtherText() string {
	if l == Russian {
		return "Не удалось это сделать."
	}
	return "That couldn't be done."
}

// ErrorPrivateAsked says "You have asked. You can read it once your request is accepted.".
func (l Language) ErrorPrivateAsked() string {
	if l == Russian {
		return "Заявка отправлена. Читать можно будет, когда её примут."
	}
	return "You have asked. You can read it once your request is accepted."
}

// ErrorPrivateBarred says "Only people who were let in can read it.".
func (l Language) ErrorPrivateBarred() string {
	if l == Russian {
		return "Читать могут только те, кого одобрили."
	}
	return "Only people who were let in can read it."
}

// ErrorPrivateFeed says "You can't read this feed".
func (l Language) ErrorPrivateFeed() string {
	if l == Russian {
		return "У вас нет доступа к этой ленте"
	}
	return "You can't read this feed"
}

// ErrorPrivateFeedBanned says "You banned this person. Unban them first, and then ask to subscribe.".
func (l Language) ErrorPrivateFeedBanned() string {
	if l == Russian {
		return "Вы забанили этого человека. Сначала снимите бан, а потом попросите о подписке."
	}
	return "You banned this person. Unban them first, and then ask to subscribe."
}

// ErrorPrivateFeedText says "Ask to subscribe, and you can read it once your request is accepted.".
func (l Language) ErrorPrivateFeedText() string {
	if l == Russian {
		return "Попросите о подписке: после одобрения вы сможете читать эту ленту."
	}
	return "Ask to subscribe, and you can read it once your request is accepted."
}

// ErrorPrivateGroup says "You can't read this group".
func (l Language) ErrorPrivateGroup() string {
	if l == Russian {
		return "У вас нет доступа к этой группе"
	}
	return "You can't read this group"
}

// ErrorPrivateGroupText says "Ask to join, and you can read it once your request is accepted.".
func (l Language) ErrorPrivateGroupText() string {
	if l == Russian {
		return "Попроситесь в группу: после одобрения вы сможете её читать."
	}
	return "Ask to join, and you can read it once your request is accepted."
}

// ErrorSeconds says "Try again in {n} seconds.".
func (l Language) ErrorSeconds(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Попробуйте снова через " + l.Number(n) + " секунду."
		case few:
			return "Попробуйте снова через " + l.Number(n) + " секунды."
		}
		return "Попробуйте снова через " + l.Number(n) + " секунд."
	}
	switch enForm(n) {
	case one:
		return "Try again in " + l.Number(n) + " second."
	}
	return "Try again in " + l.Number(n) + " seconds."
}

// ErrorSignIn says "Sign in".
func (l Language) ErrorSignIn() string {
	if l == Russian {
		return "Войти"
	}
	return "Sign in"
}

// ErrorSignInToRead says "Sign in to see more.".
func (l Language) ErrorSignInToRead() string {
	if l == Russian {
		return "Войдите, чтобы увидеть больше."
	}
	return "Sign in to see more."
}

// ErrorSlower says "Please slow down".
func (l Language) ErrorSlower() string {
	if l == Russian {
		return "Пожалуйста, не так быстро"
	}
	return "Please slow down"
}

// ErrorSlowerText says "There were too many requests in a short time.".
func (l Language) ErrorSlowerText() string {
	if l == Russian {
		return "Слишком много запросов за короткое время."
	}
	return "There were too many requests in a short time."
}

// ErrorTryAgain says "Try again".
func (l Language) ErrorTryAgain() string {
	if l == Russian {
		return "Попробовать снова"
	}
	return "Try again"
}

// ErrorUnauthorized says "Sign in first".
func (l Language) ErrorUnauthorized() string {
	if l == Russian {
		return "Сначала войдите"
	}
	return "Sign in first"
}

// ErrorUnauthorizedText says "You need to be signed in for this.".
func (l Language) ErrorUnauthorizedText() string {
	if l == Russian {
		return "Для этого нужно войти на сайт."
	}
	return "You need to be signed in for this."
}

// ErrorUnusable says "That didn't work".
func (l Language) ErrorUnusable() string {
	if l == Russian {
		return "Не получилось"
	}
	return "That didn't work"
}

// ErrorUnusableText says "What you sent couldn't be used. Go back, check it, and try again.".
func (l Language) ErrorUnusableText() string {
	if l == Russian {
		return "Не удалось принять то, что вы отправили. Вернитесь, проверьте и попробуйте снова."
	}
	return "What you sent couldn't be used. Go back, check it, and try again."
}

// ExportAbout says "This is what {site} had of yours when the file was made. The file data.jsonl has the same for programs: amstel import reads it.".
func (l Language) ExportAbout(site string) string {
	if l == Russian {
		return "Здесь всё ваше, что было на сайте " + site + ", когда готовился файл. То же самое для программ — в файле data.jsonl: его читает amstel import."
	}
	return "This is what " + site + " had of yours when the file was made. The file data.jsonl has the same for programs: amstel import reads it."
}

// ExportAgain says "Make a new file".
func (l Language) ExportAgain() string {
	if l == Russian {
		return "Подготовить новый файл"
	}
	return "Make a new file"
}

// ExportApart says "The file apart.jsonl has {n} comments, likes and favourites of yours below posts that you can't read any more.".
func (l Language) ExportApart(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "В файле apart.jsonl — " + l.Number(n) + " ваш комментарий, лайк или отметка избранного под постами, которые вам больше не видны."
		case few:
			return "В файле apart.jsonl — " + l.Number(n) + " ваших комментария, лайка или отметки избранного под постами, которые вам больше не видны."
		}
		return "В файле apart.jsonl — " + l.Number(n) + " ваших комментариев, лайков и отметок избранного под постами, которые вам больше не видны."
	}
	switch enForm(n) {
	case one:
		return "The file apart.jsonl has " + l.Number(n) + " comment, like or favourite of yours below posts that you can't read any more."
	}
	return "The file apart.jsonl has " + l.Number(n) + " comments, likes and favourites of yours below posts that you can't read any more."
}

// ExportBack says "All months".
func (l Language) ExportBack() string {
	if l == Russian {
		return "Все месяцы"
	}
	return "All months"
}

// ExportBans says "Banned".
func (l Language) ExportBans() string {
	if l == Russian {
		return "Забаненные"
	}
	return "Banned"
}

// ExportCancel says "Cancel".
func (l Language) ExportCancel() string {
	if l == Russian {
		return "Отменить"
	}
	return "Cancel"
}

// ExportDelete says "Delete the file".
func (l Language) ExportDelete() string {
	if l == Russian {
		return "Удалить файл"
	}
	return "Delete the file"
}

// ExportDirect says "{who}, directly".
func (l Language) ExportDirect(who string) string {
	if l == Russian {
		return who + ", лично"
	}
	return who + ", directly"
}

// ExportDownload says "Download".
func (l Language) ExportDownload() string {
	if l == Russian {
		return "Скачать"
	}
	return "Download"
}

// ExportEmpty says "No posts yet.".
func (l Language) ExportEmpty() string {
	if l == Russian {
		return "Постов пока нет."
	}
	return "No posts yet."
}

// ExportFailed says "The file could not be made. Try again; if it fails again, tell the people who run this site.".
func (l Language) ExportFailed() string {
	if l == Russian {
		return "Не удалось подготовить файл. Попробуйте ещё раз; если не получится снова, сообщите тем, кто ведёт этот сайт."
	}
	return "The file could not be made. Try again; if it fails again, tell the people who run this site."
}

// ExportFyeo says "for your eyes only".
func (l Language) ExportFyeo() string {
	if l == Russian {
		return "только для себя"
	}
	return "for your eyes only"
}

// ExportIntakes says "Imported feeds".
func (l Language) ExportIntakes() string {
	if l == Russian {
		return "Импортируемые ленты"
	}
	return "Imported feeds"
}

// ExportLead says "A zip file with all that is yours: your profile and settings, posts with their comments and likes, comments and likes on other posts, direct messages, favourites, subscriptions, lists, and pictures. It has pages that open in any browser without a connection, and a file that programs can read: another site like this one can import it.".
func (l Language) ExportLead() string {
	if l == Russian {
		return "Zip-файл со всем, что принадлежит вам: профиль и настройки, посты с комментариями и лайками, ваши комментарии и лайки под чужими постами, личные сообщения, избранное, подписки, списки и картинки. В нём есть страницы, которые открываются в любом браузере без интернета, и файл для программ: его может импортировать другой такой же сайт."
	}
	return "A zip file with all that is yours: your profile and settings, posts with their comments and likes, comments and likes on other posts, direct messages, favourites, subscriptions, lists, and pictures. It has pages that open in any browser without a connection, and a file that programs can read: another site like this one can import it."
}

// ExportLikes says "Liked by {who}".
func (l Language) ExportLikes(who string) string {
	if l == Russian {
		return "Понравилось: " + who
	}
	return "Liked by " + who
}

// ExportLists says "Lists".
func (l Language) ExportLists() string {
	if l == Russian {
		return "Списки"
	}
	return "Lists"
}

// ExportMonths says "Posts by month".
func (l Language) ExportMonths() string {
	if l == Russian {
		return "Посты по месяцам"
	}
	return "Posts by month"
}

// ExportOwn says "{n} by you".
func (l Language) ExportOwn(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " ваш"
		case few:
			return l.Number(n) + " ваших"
		}
		return l.Number(n) + " ваших"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " by you"
	}
	return l.Number(n) + " by you"
}

// ExportPosts says "{n} posts".
func (l Language) ExportPosts(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " пост"
		case few:
			return l.Number(n) + " поста"
		}
		return l.Number(n) + " постов"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " post"
	}
	return l.Number(n) + " posts"
}

// ExportPrivate says "the private feed of {who}".
func (l Language) ExportPrivate(who string) string {
	if l == Russian {
		return "закрытая лента " + who
	}
	return "the private feed of " + who
}

// ExportProgress says "{done} of {all} posts".
func (l Language) ExportProgress(done string, all string) string {
	if l == Russian {
		return done + " из " + all + " постов"
	}
	return done + " of " + all + " posts"
}

// ExportReady says "Your file is ready ({size}, made {when*}). It stays here for a week, and only you can download it.".
func (l Language) ExportReady(size string) Filled {
	if l == Russian {
		return Filled("Файл готов (" + size + ", создан: \x01). Он хранится здесь неделю, и скачать его можете только вы.")
	}
	return Filled("Your file is ready (" + size + ", made \x01). It stays here for a week, and only you can download it.")
}

// ExportRefresh says "See how far it is".
func (l Language) ExportRefresh() string {
	if l == Russian {
		return "Проверить, сколько готово"
	}
	return "See how far it is"
}

// ExportSearches says "Saved searches".
func (l Language) ExportSearches() string {
	if l == Russian {
		return "Сохранённые поиски"
	}
	return "Saved searches"
}

// ExportSince says "Here since {when}".
func (l Language) ExportSince(when string) string {
	if l == Russian {
		return "Здесь с " + when
	}
	return "Here since " + when
}

// ExportSoon says "It begins in a moment.".
func (l Language) ExportSoon() string {
	if l == Russian {
		return "Скоро начнём."
	}
	return "It begins in a moment."
}

// ExportStart says "Make the file".
func (l Language) ExportStart() string {
	if l == Russian {
		return "Подготовить файл"
	}
	return "Make the file"
}

// ExportSubscriptions says "Subscriptions".
func (l Language) ExportSubscriptions() string {
	if l == Russian {
		return "Подписки"
	}
	return "Subscriptions"
}

// ExportTitle says "Download everything".
func (l Language) ExportTitle() string {
	if l == Russian {
		return "Скачать всё"
	}
	return "Download everything"
}

// ExportTo says "to {who}".
func (l Language) ExportTo(who string) string {
	if l == Russian {
		return "куда: " + who
	}
	return "to " + who
}

// ExportWaiting says "Your file is being made. You can leave this page, and come back for it.".
func (l Language) ExportWaiting() string {
	if l == Russian {
		return "Файл готовится. Можно уйти с этой страницы и вернуться за ним позже."
	}
	return "Your file is being made. You can leave this page, and come back for it."
}

// FailureBadCredentials says "Wrong name or password.".
func (l Language) FailureBadCredentials() string {
	if l == Russian {
		return "Неверный логин или пароль."
	}
	return "Wrong name or password."
}

// FailureBadLink says "This link was already used or has expired. Ask for a new one.".
func (l Language) FailureBadLink() string {
	if l == Russian {
		return "Ссылка уже использована или устарела. Попросите новую."
	}
	return "This link was already used or has expired. Ask for a new one."
}

// FailureBadPasskey says "This passkey didn't work. It may have been removed, or too much time has passed. Try again, or sign in with your password.".
func (l Language) FailureBadPasskey() string {
	if l == Russian {
		return "Ключ входа не подошёл. Возможно, его удалили или прошло слишком много времени. Попробуйте ещё раз или войдите с паролем."
	}
	return "This passkey didn't work. It may have been removed, or too much time has passed. Try again, or sign in with your password."
}

// FailureBadRequest says "What you sent could not be read. Go back and try again.".
func (l Language) FailureBadRequest() string {
	if l == Russian {
		return "Не удалось прочитать отправленное. Вернитесь и попробуйте снова."
	}
	return "What you sent could not be read. Go back and try again."
}

// FailureBadToken says "This token is unknown or was revoked.".
func (l Language) FailureBadToken() string {
	if l == Russian {
		return "Этот токен неизвестен или отозван."
	}
	return "This token is unknown or was revoked."
}

// FailureBehind says "This server is catching up. Try again in a moment.".
func (l Language) FailureBehind() string {
	if l == Russian {
		return "Этот сервер догоняет последние изменения. Попробуйте снова чуть позже."
	}
	return "This server is catching up. Try again in a moment."
}

// FailureBusyPages says "Too many people are opening pages like this one. Try again in a moment.".
func (l Language) FailureBusyPages() string {
	if l == Russian {
		return "Такие страницы сейчас открывает слишком много людей. Попробуйте снова чуть позже."
	}
	return "Too many people are opening pages like this one. Try again in a moment."
}

// FailureBusySearch says "The server is busy, so your search was not finished. Nothing is wrong with it: try again in a few seconds.".
func (l Language) FailureBusySearch() string {
	if l == Russian {
		return "Сервер сейчас занят, поэтому поиск не закончен. С вашим запросом всё в порядке: попробуйте снова через несколько секунд."
	}
	return "The server is busy, so your search was not finished. Nothing is wrong with it: try again in a few seconds."
}

// FailureBusySignIn says "Too many people are signing in right now. Try again in a few seconds.".
func (l Language) FailureBusySignIn() string {
	if l == Russian {
		return "Сейчас входит слишком много людей. Попробуйте снова через несколько секунд."
	}
	return "Too many people are signing in right now. Try again in a few seconds."
}

// FailureConflict says "This isn't possible right now. Reload the page and check.".
func (l Language) FailureConflict() string {
	if l == Russian {
		return "Сейчас это невозможно. Обновите страницу и проверьте."
	}
	return "This isn't possible right now. Reload the page and check."
}

// FailureCrossOrigin says "This came from another site, so nothing was done. Open the page here and try again.".
func (l Language) FailureCrossOrigin() string {
	if l == Russian {
		return "Запрос пришёл с другого сайта, поэтому ничего не сделано. Откройте страницу здесь и попробуйте снова."
	}
	return "This came from another site, so nothing was done. Open the page here and try again."
}

// FailureCrowded says "You are opening too many pages at once. Wait until some of them have loaded, then try again.".
func (l Language) FailureCrowded() string {
	if l == Russian {
		return "Вы открываете слишком много страниц сразу. Дождитесь, пока часть загрузится, и попробуйте снова."
	}
	return "You are opening too many pages at once. Wait until some of them have loaded, then try again."
}

// FailureExports says "You have asked for a download of everything often enough today. Try again in {n} hours.".
func (l Language) FailureExports(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Сегодня вы уже несколько раз запросили все свои данные. Попробуйте снова через " + l.Number(n) + " час."
		case few:
			return "Сегодня вы уже несколько раз запросили все свои данные. Попробуйте снова через " + l.Number(n) + " часа."
		}
		return "Сегодня вы уже несколько раз запросили все свои данные. Попробуйте снова через " + l.Number(n) + " часов."
	}
	switch enForm(n) {
	case one:
		return "You have asked for a download of everything often enough today. Try again in " + l.Number(n) + " hour."
	}
	return "You have asked for a download of everything often enough today. Try again in " + l.Number(n) + " hours."
}

// FailureFault says "Something went wrong on our side. It has been logged.".
func (l Language) FailureFault() string {
	if l == Russian {
		return "На нашей стороне что-то пошло не так. Ошибка записана в журнал."
	}
	return "Something went wrong on our side. It has been logged."
}

// FailureFileTooLarge says "The file is too large: a file can have at most {most}.".
func (l Language) FailureFileTooLarge(most string) string {
	if l == Russian {
		return "Файл слишком большой: можно не больше " + most + "."
	}
	return "The file is too large: a file can have at most " + most + "."
}

// FailureFilesFull says "There is no room for the file: you have {left} of {most} left.".
func (l Language) FailureFilesFull(left string, most string) string {
	if l == Russian {
		return "Для файла нет места: из " + most + ", отведённых вашим файлам, осталось " + left + "."
	}
	return "There is no room for the file: you have " + left + " of " + most + " left."
}

// FailureForbidden says "You don't have permission to see or do this.".
func (l Language) FailureForbidden() string {
	if l == Russian {
		return "У вас нет прав это видеть или делать."
	}
	return "You don't have permission to see or do this."
}

// FailureLastAdmin says "{group} has no other administrator. Make someone else an administrator first.".
func (l Language) FailureLastAdmin(group string) string {
	if l == Russian {
		return "В группе «" + group + "» нет других администраторов. Сначала назначьте администратором кого-то ещё."
	}
	return group + " has no other administrator. Make someone else an administrator first."
}

// FailureLastSiteAdmin says "The site has no other administrator. Make someone else an administrator first.".
func (l Language) FailureLastSiteAdmin() string {
	if l == Russian {
		return "У сайта нет других администраторов. Сначала назначьте администратором кого-то ещё."
	}
	return "The site has no other administrator. Make someone else an administrator first."
}

// FailureLeaving says "You deleted this account. It will be erased on {day}. To come back, sign in on the site and press “Come back”.".
func (l Language) FailureLeaving(day string) string {
	if l == Russian {
		return "Вы удалили этот аккаунт. Он будет удалён навсегда " + day + ". Чтобы вернуться, войдите на сайт и нажмите «Вернуться»."
	}
	return "You deleted this account. It will be erased on " + day + ". To come back, sign in on the site and press “Come back”."
}

// FailureMethodNotAllowed says "This address doesn't support that. Go back and try again.".
func (l Language) FailureMethodNotAllowed() string {
	if l == Russian {
		return "Этот адрес такого не поддерживает. Вернитесь и попробуйте снова."
	}
	return "This address doesn't support that. Go back and try again."
}

// FailureNoDraft says "This draft has expired. Share the page again.".
func (l Language) FailureNoDraft() string {
	if l == Russian {
		return "Срок хранения этого черновика истёк. Поделитесь страницей ещё раз."
	}
	return "This draft has expired. Share the page again."
}

// FailureNoSuchLanguage says "There are no posts in this language yet.".
func (l Language) FailureNoSuchLanguage() string {
	if l == Russian {
		return "На этом языке постов пока нет."
	}
	return "There are no posts in this language yet."
}

// FailureNotByToken says "A token can't do this. Sign in with your password and do it there.".
func (l Language) FailureNotByToken() string {
	if l == Russian {
		return "С токеном этого сделать нельзя. Войдите на сайт с паролем и сделайте это там."
	}
	return "A token can't do this. Sign in with your password and do it there."
}

// FailureNotFound says "This doesn't exist, or isn't visible to you.".
func (l Language) FailureNotFound() string {
	if l == Russian {
		return "Этого не существует, или вам это не видно."
	}
	return "This doesn't exist, or isn't visible to you."
}

// FailureRefused says "The administrators of this site did not accept you.".
func (l Language) FailureRefused() string {
	if l == Russian {
		return "Администраторы этого сайта не приняли вашу заявку."
	}
	return "The administrators of this site did not accept you."
}

// FailureRefusedFor says "The administrators of this site did not accept you. They gave this reason: {reason}".
func (l Language) FailureRefusedFor(reason string) string {
	if l == Russian {
		return "Администраторы этого сайта не приняли вашу заявку. Причина: " + reason
	}
	return "The administrators of this site did not accept you. They gave this reason: " + reason
}

// FailureRegistrationByLink says "New people need a link here. Ask someone who is here already for one.".
func (l Language) FailureRegistrationByLink() string {
	if l == Russian {
		return "Чтобы зарегистрироваться здесь, нужна ссылка. Попросите её у того, кто уже здесь."
	}
	return "New people need a link here. Ask someone who is here already for one."
}

// FailureRegistrationClosed says "This site takes no new people at the moment.".
func (l Language) FailureRegistrationClosed() string {
	if l == Russian {
		return "Сейчас этот сайт не принимает новых людей."
	}
	return "This site takes no new people at the moment."
}

// FailureScope says "This token may not do this: it lacks the scope “{scope}”. Make a token with this scope in your settings.".
func (l Language) FailureScope(scope string) string {
	if l == Russian {
		return "Этому токену это не разрешено: у него нет права «" + scope + "». Создайте токен с этим правом в настройках."
	}
	return "This token may not do this: it lacks the scope “" + scope + "”. Make a token with this scope in your settings."
}

// FailureSiteFull says "There is no room for the file: the site has {left} left for files.".
func (l Language) FailureSiteFull(left string) string {
	if l == Russian {
		return "Для файла нет места: на сайте для файлов осталось " + left + "."
	}
	return "There is no room for the file: the site has " + left + " left for files."
}

// FailureSuspended says "This account is suspended. Write to the people who run this site.".
func (l Language) FailureSuspended() string {
	if l == Russian {
		return "Этот аккаунт заблокирован. Напишите тем, кто ведёт этот сайт."
	}
	return "This account is suspended. Write to the people who run this site."
}

// FailureTaken says "This is already taken. Choose another.".
func (l Language) FailureTaken() string {
	if l == Russian {
		return "Это уже занято. Выберите другое."
	}
	return "This is already taken. Choose another."
}

// FailureThrottled says "Too many attempts. Wait a while and try again.".
func (l Language) FailureThrottled() string {
	if l == Russian {
		return "Слишком много попыток. Подождите и попробуйте снова."
	}
	return "Too many attempts. Wait a while and try again."
}

// FailureTooLarge says "This is too large: you can send at most {n} KB.".
func (l Language) FailureTooLarge(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Слишком много данных: можно отправить не больше " + l.Number(n) + " КБ."
		case few:
			return "Слишком много данных: можно отправить не больше " + l.Number(n) + " КБ."
		}
		return "Слишком много данных: можно отправить не больше " + l.Number(n) + " КБ."
	}
	switch enForm(n) {
	case one:
		return "This is too large: you can send at most " + l.Number(n) + " KB."
	}
	return "This is too large: you can send at most " + l.Number(n) + " KB."
}

// FailureTooSlow says "The upload was too slow, or stopped. Try again.".
func (l Language) FailureTooSlow() string {
	if l == Russian {
		return "Загрузка шла слишком медленно или остановилась. Попробуйте снова."
	}
	return "The upload was too slow, or stopped. Try again."
}

// FailureUnattached says "{n} of your files are in no post or comment yet. Post or remove some of them first.".
func (l Language) FailureUnattached(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " ваш файл пока не добавлен ни в пост, ни в комментарий. Сначала добавьте или удалите его."
		case few:
			return l.Number(n) + " ваших файла пока не добавлены ни в пост, ни в комментарий. Сначала добавьте или удалите какие-то из них."
		}
		return l.Number(n) + " ваших файлов пока не добавлены ни в пост, ни в комментарий. Сначала добавьте или удалите какие-то из них."
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " of your files is in no post or comment yet. Post or remove it first."
	}
	return l.Number(n) + " of your files are in no post or comment yet. Post or remove some of them first."
}

// FailureUnauthorized says "Sign in first.".
func (l Language) FailureUnauthorized() string {
	if l == Russian {
		return "Сначала войдите."
	}
	return "Sign in first."
}

// FailureUnavailable says "The database can't be reached right now. Nothing is lost; try again in a moment.".
func (l Language) FailureUnavailable() string {
	if l == Russian {
		return "База данных сейчас недоступна. Ничего не потеряно, попробуйте снова чуть позже."
	}
	return "The database can't be reached right now. Nothing is lost; try again in a moment."
}

// FailureUnsupportedMediaType says "Send a form or JSON.".
func (l Language) FailureUnsupportedMediaType() string {
	if l == Russian {
		return "Отправьте форму или JSON."
	}
	return "Send a form or JSON."
}

// FailureUsedUp says "All requests of this hour are used up. Try again in {n} minutes.".
func (l Language) FailureUsedUp(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Все запросы этого часа израсходованы. Попробуйте через " + l.Number(n) + " минуту."
		case few:
			return "Все запросы этого часа израсходованы. Попробуйте через " + l.Number(n) + " минуты."
		}
		return "Все запросы этого часа израсходованы. Попробуйте через " + l.Number(n) + " минут."
	}
	switch enForm(n) {
	case one:
		return "All requests of this hour are used up. Try again in " + l.Number(n) + " minute."
	}
	return "All requests of this hour are used up. Try again in " + l.Number(n) + " minutes."
}

// FailureWaiting says "Your account waits for an administrator of this site. Sign in later to see whether you were accepted. If no one has decided after 30 days, sign up again.".
func (l Language) FailureWaiting() string {
	if l == Russian {
		return "Ваш аккаунт ждёт решения администратора. Зайдите позже и попробуйте войти. Если за 30 дней никто не ответит, зарегистрируйтесь ещё раз."
	}
	return "Your account waits for an administrator of this site. Sign in later to see whether you were accepted. If no one has decided after 30 days, sign up again."
}

// FeedComments says "Comments: {title}".
func (l Language) FeedComments(title string) string {
	if l == Russian {
		return "Комментарии: " + title
	}
	return "Comments: " + title
}

// FeedCreate says "Create a private address".
func (l Language) FeedCreate() string {
	if l == Russian {
		return "Создать личный адрес"
	}
	return "Create a private address"
}

// FeedLead says "A feed reader shows what is new on many sites in one place. The links for public pages are at the end of each page. For a page that only you can open, create a private address here.".
func (l Language) FeedLead() string {
	if l == Russian {
		return "RSS-ридер показывает новое с разных сайтов в одном месте. Ссылки для открытых страниц — внизу каждой страницы. Для страницы, которую видите только вы, создайте здесь личный адрес."
	}
	return "A feed reader shows what is new on many sites in one place. The links for public pages are at the end of each page. For a page that only you can open, create a private address here."
}

// FeedNew says "Here is the new address in three formats; feed readers take any of them. Copy it now: it is shown only once. Keep it to yourself, because anyone who has it can read this page as you do.".
func (l Language) FeedNew() string {
	if l == Russian {
		return "Вот новый адрес в трёх форматах — подойдёт любой. Скопируйте его сейчас: больше он показан не будет. Никому его не передавайте: по нему любой прочитает эту страницу вашими глазами."
	}
	return "Here is the new address in three formats; feed readers take any of them. Copy it now: it is shown only once. Keep it to yourself, because anyone who has it can read this page as you do."
}

// FeedPage says "Page".
func (l Language) FeedPage() string {
	if l == Russian {
		return "Страница"
	}
	return "Page"
}

// FeedRead says "Follow this page in a feed reader:".
func (l Language) FeedRead() string {
	if l == Russian {
		return "Читать эту страницу в RSS-ридере:"
	}
	return "Follow this page in a feed reader:"
}

// FeedReadPrivate says "Follow this page in a feed reader".
func (l Language) FeedReadPrivate() string {
	if l == Russian {
		return "Читать эту страницу в RSS-ридере"
	}
	return "Follow this page in a feed reader"
}

// FeedTitle says "Feed readers".
func (l Language) FeedTitle() string {
	if l == Russian {
		return "RSS и Atom"
	}
	return "Feed readers"
}

// FileAdd says "Add files".
func (l Language) FileAdd() string {
	if l == Russian {
		return "Добавить файлы"
	}
	return "Add files"
}

// FileAlt says "Description for people who can't see it".
func (l Language) FileAlt() string {
	if l == Russian {
		return "Описание для тех, кто этого не видит"
	}
	return "Description for people who can't see it"
}

// FileAudio says "Audio".
func (l Language) FileAudio() string {
	if l == Russian {
		return "Аудио"
	}
	return "Audio"
}

// FileComing says "A file is being prepared.".
func (l Language) FileComing() string {
	if l == Russian {
		return "Файл обрабатывается."
	}
	return "A file is being prepared."
}

// FileDismiss says "Dismiss".
func (l Language) FileDismiss() string {
	if l == Russian {
		return "Скрыть"
	}
	return "Dismiss"
}

// FileFiles says "Files".
func (l Language) FileFiles() string {
	if l == Russian {
		return "Файлы"
	}
	return "Files"
}

// FileHint says "At most {n} files, of up to {size} each.".
func (l Language) FileHint(n int, size string) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Не больше " + l.Number(n) + " файла, до " + size + "."
		case few:
			return "Не больше " + l.Number(n) + " файлов, до " + size + " каждый."
		}
		return "Не больше " + l.Number(n) + " файлов, до " + size + " каждый."
	}
	switch enForm(n) {
	case one:
		return "At most " + l.Number(n) + " file, of up to " + size + "."
	}
	return "At most " + l.Number(n) + " files, of up to " + size + " each."
}

// FileKeep says "Keep {name}".
func (l Language) FileKeep(name string) string {
	if l == Russian {
		return "Оставить " + name
	}
	return "Keep " + name
}

// FileNoText says "Without text".
func (l Language) FileNoText() string {
	if l == Russian {
		return "Без текста"
	}
	return "Without text"
}

// FileNone says "The files could not be used, so there is nothing to show.".
func (l Language) FileNone() string {
	if l == Russian {
		return "Файлы использовать не удалось, поэтому показать нечего."
	}
	return "The files could not be used, so there is nothing to show."
}

// FilePhoto says "Photo".
func (l Language) FilePhoto() string {
	if l == Russian {
		return "Фото"
	}
	return "Photo"
}

// FilePicture says "Picture: {name}".
func (l Language) FilePicture(name string) string {
	if l == Russian {
		return "Картинка: " + name
	}
	return "Picture: " + name
}

// FilePlace says "Position".
func (l Language) FilePlace() string {
	if l == Russian {
		return "Порядок"
	}
	return "Position"
}

// FileQueued says "{name} is being prepared.".
func (l Language) FileQueued(name string) string {
	if l == Russian {
		return "Файл " + name + " обрабатывается."
	}
	return name + " is being prepared."
}

// FileSizeKb says "{size} KB".
func (l Language) FileSizeKb(size string) string {
	if l == Russian {
		return size + " КБ"
	}
	return size + " KB"
}

// FileSizeMb says "{size} MB".
func (l Language) FileSizeMb(size string) string {
	if l == Russian {
		return size + " МБ"
	}
	return size + " MB"
}

// FileVideo says "Video".
func (l Language) FileVideo() string {
	if l == Russian {
		return "Видео"
	}
	return "Video"
}

// FindAsked says "Asked ✓".
func (l Language) FindAsked() string {
	if l == Russian {
		return "Заявка отправлена ✓"
	}
	return "Asked ✓"
}

// FindEverybody says "Everyone".
func (l Language) FindEverybody() string {
	if l == Russian {
		return "Все"
	}
	return "Everyone"
}

// FindFriend says "followed by {who}, whom you follow".
func (l Language) FindFriend(who string) string {
	if l == Russian {
		return "среди подписчиков — " + who + " из ваших подписок"
	}
	return "followed by " + who + ", whom you follow"
}

// FindFriendAnd says "followed by {who} and {n} other people you follow".
func (l Language) FindFriendAnd(n int, who string) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "среди подписчиков — " + who + " и ещё " + l.Number(n) + " человек из ваших подписок"
		case few:
			return "среди подписчиков — " + who + " и ещё " + l.Number(n) + " человека из ваших подписок"
		}
		return "среди подписчиков — " + who + " и ещё " + l.Number(n) + " человек из ваших подписок"
	}
	switch enForm(n) {
	case one:
		return "followed by " + who + " and " + l.Number(n) + " other person you follow"
	}
	return "followed by " + who + " and " + l.Number(n) + " other people you follow"
}

// FindFriends says "followed by {n} people you follow".
func (l Language) FindFriends(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "подписан " + l.Number(n) + " человек из ваших подписок"
		case few:
			return "подписаны " + l.Number(n) + " человека из ваших подписок"
		}
		return "подписаны " + l.Number(n) + " человек из ваших подписок"
	}
	switch enForm(n) {
	case one:
		return "followed by " + l.Number(n) + " person you follow"
	}
	return "followed by " + l.Number(n) + " people you follow"
}

// FindGroup says "group".
func (l Language) FindGroup() string {
	if l == Russian {
		return "группа"
	}
	return "group"
}

// FindGroupsLabel says "Search groups".
func (l Language) FindGroupsLabel() string {
	if l == Russian {
		return "Поиск групп"
	}
	return "Search groups"
}

// FindGroupsNone says "No groups found.".
func (l Language) FindGroupsNone() string {
	if l == Russian {
		return "Группы не найдены."
	}
	return "No groups found."
}

// FindGroupsTitle says "Groups".
func (l Language) FindGroupsTitle() string {
	if l == Russian {
		return "Группы"
	}
	return "Groups"
}

// FindJoined says "Joined ✓".
func (l Language) FindJoined() string {
	if l == Russian {
		return "Вы в группе ✓"
	}
	return "Joined ✓"
}

// FindLabel says "Find people and groups by name".
func (l Language) FindLabel() string {
	if l == Russian {
		return "Найти людей и группы по имени"
	}
	return "Find people and groups by name"
}

// FindLast says "last active".
func (l Language) FindLast() string {
	if l == Russian {
		return "активность:"
	}
	return "last active"
}

// FindMembers says "{n} members".
func (l Language) FindMembers(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " участник"
		case few:
			return l.Number(n) + " участника"
		}
		return l.Number(n) + " участников"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " member"
	}
	return l.Number(n) + " members"
}

// FindMembersPrivate says "{n} members, private".
func (l Language) FindMembersPrivate(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " участник, закрытая"
		case few:
			return l.Number(n) + " участника, закрытая"
		}
		return l.Number(n) + " участников, закрытая"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " member, private"
	}
	return l.Number(n) + " members, private"
}

// FindMembersProtected says "{n} members, for people who are signed in".
func (l Language) FindMembersProtected(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " участник, для вошедших на сайт"
		case few:
			return l.Number(n) + " участника, для вошедших на сайт"
		}
		return l.Number(n) + " участников, для вошедших на сайт"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " member, for people who are signed in"
	}
	return l.Number(n) + " members, for people who are signed in"
}

// FindMore says "More names match. Type more of the name to narrow them down.".
func (l Language) FindMore() string {
	if l == Russian {
		return "Подходят и другие имена. Введите имя полнее."
	}
	return "More names match. Type more of the name to narrow them down."
}

// FindNext says "Next →".
func (l Language) FindNext() string {
	if l == Russian {
		return "Дальше →"
	}
	return "Next →"
}

// FindNobody says "There is no one to list yet.".
func (l Language) FindNobody() string {
	if l == Russian {
		return "Пока здесь никого нет."
	}
	return "There is no one to list yet."
}

// FindNone says "No one by that name.".
func (l Language) FindNone() string {
	if l == Russian {
		return "Никого с таким именем."
	}
	return "No one by that name."
}

// FindOrder says "Order".
func (l Language) FindOrder() string {
	if l == Russian {
		return "Порядок"
	}
	return "Order"
}

// FindOrderActivity says "Recently active".
func (l Language) FindOrderActivity() string {
	if l == Russian {
		return "По активности"
	}
	return "Recently active"
}

// FindOrderName says "By name".
func (l Language) FindOrderName() string {
	if l == Russian {
		return "По имени"
	}
	return "By name"
}

// FindOrderSize says "Most followed".
func (l Language) FindOrderSize() string {
	if l == Russian {
		return "По числу подписчиков"
	}
	return "Most followed"
}

// FindPages says "More pages".
func (l Language) FindPages() string {
	if l == Russian {
		return "Другие страницы"
	}
	return "More pages"
}

// FindPosts says "Posts with these words".
func (l Language) FindPosts() string {
	if l == Russian {
		return "Посты с этими словами"
	}
	return "Posts with these words"
}

// FindPostsLately says "{n} recent posts".
func (l Language) FindPostsLately(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " недавний пост"
		case few:
			return l.Number(n) + " недавних поста"
		}
		return l.Number(n) + " недавних постов"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " recent post"
	}
	return l.Number(n) + " recent posts"
}

// FindPrevious says "← Previous".
func (l Language) FindPrevious() string {
	if l == Russian {
		return "← Назад"
	}
	return "← Previous"
}

// FindSubscribed says "Subscribed ✓".
func (l Language) FindSubscribed() string {
	if l == Russian {
		return "Вы подписаны ✓"
	}
	return "Subscribed ✓"
}

// FindSuggestions says "Who to follow".
func (l Language) FindSuggestions() string {
	if l == Russian {
		return "На кого подписаться"
	}
	return "Who to follow"
}

// FindTitle says "People and groups".
func (l Language) FindTitle() string {
	if l == Russian {
		return "Люди и группы"
	}
	return "People and groups"
}

// FormAdd says "Add".
func (l Language) FormAdd() string {
	if l == Russian {
		return "Добавить"
	}
	return "Add"
}

// FormAround says "Older and newer".
func (l Language) FormAround() string {
	if l == Russian {
		return "Раньше и новее"
	}
	return "Older and newer"
}

// FormAskFeed says "Who will see my feed?".
func (l Language) FormAskFeed() string {
	if l == Russian {
		return "Кто увидит мою ленту?"
	}
	return "Who will see my feed?"
}

// FormAskGroup says "Who will see the group?".
func (l Language) FormAskGroup() string {
	if l == Russian {
		return "Кто увидит группу?"
	}
	return "Who will see the group?"
}

// FormAskPost says "Who will see this?".
func (l Language) FormAskPost() string {
	if l == Russian {
		return "Кто это увидит?"
	}
	return "Who will see this?"
}

// FormCancel says "Cancel".
func (l Language) FormCancel() string {
	if l == Russian {
		return "Отмена"
	}
	return "Cancel"
}

// FormDelete says "Delete".
func (l Language) FormDelete() string {
	if l == Russian {
		return "Удалить"
	}
	return "Delete"
}

// FormFind says "Find".
func (l Language) FormFind() string {
	if l == Russian {
		return "Найти"
	}
	return "Find"
}

// FormInvite says "Invite".
func (l Language) FormInvite() string {
	if l == Russian {
		return "Пригласить"
	}
	return "Invite"
}

// FormName says "Name".
func (l Language) FormName() string {
	if l == Russian {
		return "Название"
	}
	return "Name"
}

// FormNewer says "← Newer".
func (l Language) FormNewer() string {
	if l == Russian {
		return "← Новее"
	}
	return "← Newer"
}

// FormOlder says "Older →".
func (l Language) FormOlder() string {
	if l == Russian {
		return "Раньше →"
	}
	return "Older →"
}

// FormRename says "Rename".
func (l Language) FormRename() string {
	if l == Russian {
		return "Переименовать"
	}
	return "Rename"
}

// FormSave says "Save".
func (l Language) FormSave() string {
	if l == Russian {
		return "Сохранить"
	}
	return "Save"
}

// FormSaved says "Saved".
func (l Language) FormSaved() string {
	if l == Russian {
		return "Сохранено"
	}
	return "Saved"
}

// FormSend says "Send".
func (l Language) FormSend() string {
	if l == Russian {
		return "Отправить"
	}
	return "Send"
}

// GroupAbout says "What it is about".
func (l Language) GroupAbout() string {
	if l == Russian {
		return "О чём группа"
	}
	return "What it is about"
}

// GroupAcross says "Posts that a ban hides from you".
func (l Language) GroupAcross() string {
	if l == Russian {
		return "Посты, скрытые от вас баном"
	}
	return "Posts that a ban hides from you"
}

// GroupAdmins says "Administrators".
func (l Language) GroupAdmins() string {
	if l == Russian {
		return "Администраторы"
	}
	return "Administrators"
}

// GroupAdminsLead says "They edit the group, answer requests to join, and remove posts and members. You can appoint administrators in the list of members.".
func (l Language) GroupAdminsLead() string {
	if l == Russian {
		return "Они меняют настройки группы, отвечают на заявки, убирают посты и участников. Назначить администратора можно в списке участников."
	}
	return "They edit the group, answer requests to join, and remove posts and members. You can appoint administrators in the list of members."
}

// GroupAnybody says "Anyone who can read it".
func (l Language) GroupAnybody() string {
	if l == Russian {
		return "Все, кто может её читать"
	}
	return "Anyone who can read it"
}

// GroupBlocked says "Blocked".
func (l Language) GroupBlocked() string {
	if l == Russian {
		return "Кому закрыт доступ"
	}
	return "Blocked"
}

// GroupBlockedLead says "They can't join or post here. If the group is not public, they can't read it.".
func (l Language) GroupBlockedLead() string {
	if l == Russian {
		return "Им нельзя вступить в группу и писать в неё. Если группа не открытая, им нельзя и читать её."
	}
	return "They can't join or post here. If the group is not public, they can't read it."
}

// GroupBlockedNone says "No one is blocked.".
func (l Language) GroupBlockedNone() string {
	if l == Russian {
		return "Доступ никому не закрыт."
	}
	return "No one is blocked."
}

// GroupCreate says "Create group".
func (l Language) GroupCreate() string {
	if l == Russian {
		return "Создать группу"
	}
	return "Create group"
}

// GroupDisplay says "Display name".
func (l Language) GroupDisplay() string {
	if l == Russian {
		return "Отображаемое название"
	}
	return "Display name"
}

// GroupEditTitle says "Edit group".
func (l Language) GroupEditTitle() string {
	if l == Russian {
		return "Изменить группу"
	}
	return "Edit group"
}

// GroupInvitations says "Invitations".
func (l Language) GroupInvitations() string {
	if l == Russian {
		return "Приглашения"
	}
	return "Invitations"
}

// GroupInvitationsLead says "People who were invited to join and have not answered yet.".
func (l Language) GroupInvitationsLead() string {
	if l == Russian {
		return "Люди, которых пригласили в группу и которые ещё не ответили."
	}
	return "People who were invited to join and have not answered yet."
}

// GroupInvitationsNone says "No open invitations.".
func (l Language) GroupInvitationsNone() string {
	if l == Russian {
		return "Открытых приглашений нет."
	}
	return "No open invitations."
}

// GroupInvite says "Invite by name".
func (l Language) GroupInvite() string {
	if l == Russian {
		return "Пригласить по имени"
	}
	return "Invite by name"
}

// GroupJoinOpen says "Anyone can join".
func (l Language) GroupJoinOpen() string {
	if l == Russian {
		return "Любой может вступить"
	}
	return "Anyone can join"
}

// GroupJoinOpenHint says "In a protected or private group people always have to ask.".
func (l Language) GroupJoinOpenHint() string {
	if l == Russian {
		return "В защищённую или закрытую группу всегда вступают по заявке."
	}
	return "In a protected or private group people always have to ask."
}

// GroupJoinRequest says "People ask to join".
func (l Language) GroupJoinRequest() string {
	if l == Russian {
		return "По заявке"
	}
	return "People ask to join"
}

// GroupJoinRequestHint says "An administrator answers.".
func (l Language) GroupJoinRequestHint() string {
	if l == Russian {
		return "Отвечает администратор."
	}
	return "An administrator answers."
}

// GroupJoining says "Joining".
func (l Language) GroupJoining() string {
	if l == Russian {
		return "Как вступить"
	}
	return "Joining"
}

// GroupMembers says "List of members".
func (l Language) GroupMembers() string {
	if l == Russian {
		return "Список участников"
	}
	return "List of members"
}

// GroupName says "Name".
func (l Language) GroupName() string {
	if l == Russian {
		return "Имя в адресе"
	}
	return "Name"
}

// GroupNameHint says "The address of its page: lowercase letters, digits, -\u00a0and\u00a0_.".
func (l Language) GroupNameHint() string {
	if l == Russian {
		return "Адрес страницы группы: строчные латинские буквы, цифры, - и _."
	}
	return "The address of its page: lowercase letters, digits, -\u00a0and\u00a0_."
}

// GroupNewLead says "A group is a place to post to, with a page of its own. You will be its administrator.".
func (l Language) GroupNewLead() string {
	if l == Russian {
		return "Группа — место для общих постов со своей страницей. Вы будете её администратором."
	}
	return "A group is a place to post to, with a page of its own. You will be its administrator."
}

// GroupNewTitle says "New group".
func (l Language) GroupNewTitle() string {
	if l == Russian {
		return "Новая группа"
	}
	return "New group"
}

// GroupNotAdmin says "Remove as administrator".
func (l Language) GroupNotAdmin() string {
	if l == Russian {
		return "Снять с администраторов"
	}
	return "Remove as administrator"
}

// GroupNsfw says "Posts here are not safe for work".
func (l Language) GroupNsfw() string {
	if l == Russian {
		return "Посты здесь 18+"
	}
	return "Posts here are not safe for work"
}

// GroupOnlyAdmins says "Administrators".
func (l Language) GroupOnlyAdmins() string {
	if l == Russian {
		return "Администраторы"
	}
	return "Administrators"
}

// GroupOnlyMembers says "Members".
func (l Language) GroupOnlyMembers() string {
	if l == Russian {
		return "Участники"
	}
	return "Members"
}

// GroupPosting says "Who can post to it".
func (l Language) GroupPosting() string {
	if l == Russian {
		return "Кто может писать"
	}
	return "Who can post to it"
}

// GroupReading says "Who can read it".
func (l Language) GroupReading() string {
	if l == Russian {
		return "Кто может читать"
	}
	return "Who can read it"
}

// GroupRenameHint says "The address of its page. The old address stays with the group and leads here.".
func (l Language) GroupRenameHint() string {
	if l == Russian {
		return "Адрес страницы группы. Старый адрес останется за группой и будет вести сюда."
	}
	return "The address of its page. The old address stays with the group and leads here."
}

// GroupSave says "Save group".
func (l Language) GroupSave() string {
	if l == Russian {
		return "Сохранить группу"
	}
	return "Save group"
}

// GroupStepDown says "Step down".
func (l Language) GroupStepDown() string {
	if l == Russian {
		return "Сложить полномочия"
	}
	return "Step down"
}

// GroupUnblock says "Unblock".
func (l Language) GroupUnblock() string {
	if l == Russian {
		return "Открыть доступ"
	}
	return "Unblock"
}

// HeadAccept says "Accept the invitation".
func (l Language) HeadAccept() string {
	if l == Russian {
		return "Принять приглашение"
	}
	return "Accept the invitation"
}

// HeadAdmins says "Administrators: {who*}".
func (l Language) HeadAdmins() Filled {
	if l == Russian {
		return Filled("Администраторы: \x01")
	}
	return Filled("Administrators: \x01")
}

// HeadAskJoin says "Ask to join".
func (l Language) HeadAskJoin() string {
	if l == Russian {
		return "Попроситься в группу"
	}
	return "Ask to join"
}

// HeadAskJoinNew says "Ask to join for new posts only".
func (l Language) HeadAskJoinNew() string {
	if l == Russian {
		return "Попроситься в группу и видеть только новые посты"
	}
	return "Ask to join for new posts only"
}

// HeadAskPrivate says "Ask to read the private feed".
func (l Language) HeadAskPrivate() string {
	if l == Russian {
		return "Попросить доступ к приватной ленте"
	}
	return "Ask to read the private feed"
}

// HeadAskSubscribe says "Ask to subscribe".
func (l Language) HeadAskSubscribe() string {
	if l == Russian {
		return "Попросить о подписке"
	}
	return "Ask to subscribe"
}

// HeadAskSubscribeNew says "Ask to subscribe to new posts only".
func (l Language) HeadAskSubscribeNew() string {
	if l == Russian {
		return "Попросить о подписке только на новые посты"
	}
	return "Ask to subscribe to new posts only"
}

// HeadBan says "Ban".
func (l Language) HeadBan() string {
	if l == Russian {
		return "Забанить"
	}
	return "Ban"
}

// HeadBanAsk says "Ban {who}? Neither of you will see what the other writes.".
func (l Language) HeadBanAsk(who string) string {
	if l == Russian {
		return "Забанить? Вы и " + who + " перестанете видеть написанное друг другом."
	}
	return "Ban " + who + "? Neither of you will see what the other writes."
}

// HeadBanSure says "Ban".
func (l Language) HeadBanSure() string {
	if l == Russian {
		return "Забанить"
	}
	return "Ban"
}

// HeadBarred says "The administrators have blocked you from this group.".
func (l Language) HeadBarred() string {
	if l == Russian {
		return "Администраторы закрыли вам доступ к этой группе."
	}
	return "The administrators have blocked you from this group."
}

// HeadBlock says "Block from my feed".
func (l Language) HeadBlock() string {
	if l == Russian {
		return "Закрыть доступ к моей ленте"
	}
	return "Block from my feed"
}

// HeadBlockAsk says "{who} will no longer be your subscriber, and can't comment on or like posts that only your feed shows. If your feed is not public, they can't read it.".
func (l Language) HeadBlockAsk(who string) string {
	if l == Russian {
		return who + " больше не будет вашим подписчиком и не сможет комментировать и лайкать посты, которые есть только в вашей ленте. Если лента не открытая, читать её тоже будет нельзя."
	}
	return who + " will no longer be your subscriber, and can't comment on or like posts that only your feed shows. If your feed is not public, they can't read it."
}

// HeadBlockSure says "Block".
func (l Language) HeadBlockSure() string {
	if l == Russian {
		return "Закрыть доступ"
	}
	return "Block"
}

// HeadCalendar says "Calendar".
func (l Language) HeadCalendar() string {
	if l == Russian {
		return "Календарь"
	}
	return "Calendar"
}

// HeadComments says "Comments".
func (l Language) HeadComments() string {
	if l == Russian {
		return "Комментарии"
	}
	return "Comments"
}

// HeadCompare says "What is the difference?".
func (l Language) HeadCompare() string {
	if l == Russian {
		return "В чём разница?"
	}
	return "What is the difference?"
}

// HeadDecline says "Decline".
func (l Language) HeadDecline() string {
	if l == Russian {
		return "Отклонить"
	}
	return "Decline"
}

// HeadDirect says "Send a direct message".
func (l Language) HeadDirect() string {
	if l == Russian {
		return "Написать личное сообщение"
	}
	return "Send a direct message"
}

// HeadEditGroup says "Edit group".
func (l Language) HeadEditGroup() string {
	if l == Russian {
		return "Изменить группу"
	}
	return "Edit group"
}

// HeadEditProfile says "Edit profile".
func (l Language) HeadEditProfile() string {
	if l == Russian {
		return "Изменить профиль"
	}
	return "Edit profile"
}

// HeadFyeo says "For your eyes only".
func (l Language) HeadFyeo() string {
	if l == Russian {
		return "Только для себя"
	}
	return "For your eyes only"
}

// HeadGroup says "group".
func (l Language) HeadGroup() string {
	if l == Russian {
		return "группа"
	}
	return "group"
}

// HeadHideComments says "Hide comments".
func (l Language) HeadHideComments() string {
	if l == Russian {
		return "Скрыть комментарии"
	}
	return "Hide comments"
}

// HeadHideCommentsHint says "They are collapsed under posts, for you alone.".
func (l Language) HeadHideCommentsHint() string {
	if l == Russian {
		return "Под постами они будут свёрнуты, но только для вас."
	}
	return "They are collapsed under posts, for you alone."
}

// HeadHidePosts says "Hide posts".
func (l Language) HeadHidePosts() string {
	if l == Russian {
		return "Скрыть посты"
	}
	return "Hide posts"
}

// HeadHidePostsHint says "They are collapsed on your pages.".
func (l Language) HeadHidePostsHint() string {
	if l == Russian {
		return "На ваших страницах они будут свёрнуты."
	}
	return "They are collapsed on your pages."
}

// HeadJoin says "Join".
func (l Language) HeadJoin() string {
	if l == Russian {
		return "Вступить"
	}
	return "Join"
}

// HeadJoinNew says "Join for new posts only".
func (l Language) HeadJoinNew() string {
	if l == Russian {
		return "Вступить и видеть только новые посты"
	}
	return "Join for new posts only"
}

// HeadLeave says "Leave".
func (l Language) HeadLeave() string {
	if l == Russian {
		return "Выйти из группы"
	}
	return "Leave"
}

// HeadLeavePrivate says "Leave the private feed".
func (l Language) HeadLeavePrivate() string {
	if l == Russian {
		return "Отписаться от приватной ленты"
	}
	return "Leave the private feed"
}

// HeadLikes says "Likes".
func (l Language) HeadLikes() string {
	if l == Russian {
		return "Лайки"
	}
	return "Likes"
}

// HeadMarkBanned says "you banned them".
func (l Language) HeadMarkBanned() string {
	if l == Russian {
		return "вы забанили этого человека"
	}
	return "you banned them"
}

// HeadMarkBlocked says "you blocked them from your feed".
func (l Language) HeadMarkBlocked() string {
	if l == Russian {
		return "вы закрыли доступ к своей ленте"
	}
	return "you blocked them from your feed"
}

// HeadMarkHideBoth says "you hide their posts and comments".
func (l Language) HeadMarkHideBoth() string {
	if l == Russian {
		return "вы скрыли посты и комментарии"
	}
	return "you hide their posts and comments"
}

// HeadMarkHideComments says "you hide their comments".
func (l Language) HeadMarkHideComments() string {
	if l == Russian {
		return "вы скрыли комментарии"
	}
	return "you hide their comments"
}

// HeadMarkHidePosts says "you hide their posts".
func (l Language) HeadMarkHidePosts() string {
	if l == Russian {
		return "вы скрыли посты"
	}
	return "you hide their posts"
}

// HeadMarkNewOnly says "you subscribe to new posts only".
func (l Language) HeadMarkNewOnly() string {
	if l == Russian {
		return "вы подписаны только на новые посты"
	}
	return "you subscribe to new posts only"
}

// HeadMembers says "{n} members".
func (l Language) HeadMembers(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " участник"
		case few:
			return l.Number(n) + " участника"
		}
		return l.Number(n) + " участников"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " member"
	}
	return l.Number(n) + " members"
}

// HeadMore says "More".
func (l Language) HeadMore() string {
	if l == Russian {
		return "Ещё"
	}
	return "More"
}

// HeadMoreAbout says "about {who}".
func (l Language) HeadMoreAbout(who string) string {
	if l == Russian {
		return "— " + who
	}
	return "about " + who
}

// HeadNewHint says "Older posts won't appear on your home page.".
func (l Language) HeadNewHint() string {
	if l == Russian {
		return "Более старые посты на вашей главной не появятся."
	}
	return "Older posts won't appear on your home page."
}

// HeadOnlyNew says "Only new posts on my home page".
func (l Language) HeadOnlyNew() string {
	if l == Russian {
		return "Только новые посты на главной"
	}
	return "Only new posts on my home page"
}

// HeadOnlyNewHint says "Older posts will leave your home page.".
func (l Language) HeadOnlyNewHint() string {
	if l == Russian {
		return "Более старые посты исчезнут с вашей главной страницы."
	}
	return "Older posts will leave your home page."
}

// HeadPagesOf says "Pages of {who}".
func (l Language) HeadPagesOf(who string) string {
	if l == Russian {
		return "Страницы: " + who
	}
	return "Pages of " + who
}

// HeadPhotos says "Photos".
func (l Language) HeadPhotos() string {
	if l == Russian {
		return "Фото"
	}
	return "Photos"
}

// HeadPosts says "Posts".
func (l Language) HeadPosts() string {
	if l == Russian {
		return "Посты"
	}
	return "Posts"
}

// HeadPrivate says "Private".
func (l Language) HeadPrivate() string {
	if l == Russian {
		return "Приватная лента"
	}
	return "Private"
}

// HeadPrivateFeed says "Private feed: only approved subscribers can read it".
func (l Language) HeadPrivateFeed() string {
	if l == Russian {
		return "Закрытая лента: читают только одобренные подписчики"
	}
	return "Private feed: only approved subscribers can read it"
}

// HeadPrivateGroup says "Private group: only members can read it".
func (l Language) HeadPrivateGroup() string {
	if l == Russian {
		return "Закрытая группа: читают только участники"
	}
	return "Private group: only members can read it"
}

// HeadPrivateHint says "Only approved subscribers can read what {who} posts there.".
func (l Language) HeadPrivateHint(who string) string {
	if l == Russian {
		return "Посты в приватной ленте " + who + " читают только одобренные подписчики."
	}
	return "Only approved subscribers can read what " + who + " posts there."
}

// HeadPrivateInvitedHint says "To the private feed of {who}, for approved subscribers only.".
func (l Language) HeadPrivateInvitedHint(who string) string {
	if l == Russian {
		return "В приватную ленту " + who + ": она только для одобренных подписчиков."
	}
	return "To the private feed of " + who + ", for approved subscribers only."
}

// HeadProtectedFeed says "Protected feed: only people who are signed in can read it".
func (l Language) HeadProtectedFeed() string {
	if l == Russian {
		return "Защищённая лента: читают только те, кто вошёл на сайт"
	}
	return "Protected feed: only people who are signed in can read it"
}

// HeadProtectedGroup says "Protected group: only people who are signed in can read it".
func (l Language) HeadProtectedGroup() string {
	if l == Russian {
		return "Защищённая группа: читают только те, кто вошёл на сайт"
	}
	return "Protected group: only people who are signed in can read it"
}

// HeadReport says "Report…".
func (l Language) HeadReport() string {
	if l == Russian {
		return "Пожаловаться…"
	}
	return "Report…"
}

// HeadShowOlder says "Show older posts on my home page too".
func (l Language) HeadShowOlder() string {
	if l == Russian {
		return "Показывать на главной и старые посты"
	}
	return "Show older posts on my home page too"
}

// HeadShowOlderHint says "Your home page now shows only what was posted since you chose “new posts only”.".
func (l Language) HeadShowOlderHint() string {
	if l == Russian {
		return "Сейчас на главной видно только то, что появилось с тех пор, как вы выбрали «только новые посты»."
	}
	return "Your home page now shows only what was posted since you chose “new posts only”."
}

// HeadSignInJoin says "Sign in to join".
func (l Language) HeadSignInJoin() string {
	if l == Russian {
		return "Войдите, чтобы вступить"
	}
	return "Sign in to join"
}

// HeadSignInSubscribe says "Sign in to subscribe".
func (l Language) HeadSignInSubscribe() string {
	if l == Russian {
		return "Войдите, чтобы подписаться"
	}
	return "Sign in to subscribe"
}

// HeadSubscribe says "Subscribe".
func (l Language) HeadSubscribe() string {
	if l == Russian {
		return "Подписаться"
	}
	return "Subscribe"
}

// HeadSubscribeNew says "Subscribe to new posts only".
func (l Language) HeadSubscribeNew() string {
	if l == Russian {
		return "Подписаться только на новые посты"
	}
	return "Subscribe to new posts only"
}

// HeadSubscribers says "{n} subscribers".
func (l Language) HeadSubscribers(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " подписчик"
		case few:
			return l.Number(n) + " подписчика"
		}
		return l.Number(n) + " подписчиков"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " subscriber"
	}
	return l.Number(n) + " subscribers"
}

// HeadSubscribesToYou says "subscribes to you".
func (l Language) HeadSubscribesToYou() string {
	if l == Russian {
		return "ваш подписчик"
	}
	return "subscribes to you"
}

// HeadSubscriptions says "{n} subscriptions".
func (l Language) HeadSubscriptions(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " подписка"
		case few:
			return l.Number(n) + " подписки"
		}
		return l.Number(n) + " подписок"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " subscription"
	}
	return l.Number(n) + " subscriptions"
}

// HeadSuspend says "Suspend the account…".
func (l Language) HeadSuspend() string {
	if l == Russian {
		return "Заблокировать…"
	}
	return "Suspend the account…"
}

// HeadUnban says "Unban".
func (l Language) HeadUnban() string {
	if l == Russian {
		return "Снять бан"
	}
	return "Unban"
}

// HeadUnblock says "Unblock from my feed".
func (l Language) HeadUnblock() string {
	if l == Russian {
		return "Снова открыть доступ к моей ленте"
	}
	return "Unblock from my feed"
}

// HeadUnhideComments says "Show comments again".
func (l Language) HeadUnhideComments() string {
	if l == Russian {
		return "Снова показывать комментарии"
	}
	return "Show comments again"
}

// HeadUnhidePosts says "Show posts again".
func (l Language) HeadUnhidePosts() string {
	if l == Russian {
		return "Снова показывать посты"
	}
	return "Show posts again"
}

// HeadUnsubscribe says "Unsubscribe".
func (l Language) HeadUnsubscribe() string {
	if l == Russian {
		return "Отписаться"
	}
	return "Unsubscribe"
}

// HeadWithdraw says "Withdraw request".
func (l Language) HeadWithdraw() string {
	if l == Russian {
		return "Отозвать заявку"
	}
	return "Withdraw request"
}

// HeadWithdrawPrivate says "Withdraw the request for the private feed".
func (l Language) HeadWithdrawPrivate() string {
	if l == Russian {
		return "Отозвать заявку на приватную ленту"
	}
	return "Withdraw the request for the private feed"
}

// HeadYouAdmin says "you administer it".
func (l Language) HeadYouAdmin() string {
	if l == Russian {
		return "вы администратор"
	}
	return "you administer it"
}

// HeldChanged says "Changed by its author since".
func (l Language) HeldChanged() string {
	if l == Russian {
		return "С тех пор автор его изменил"
	}
	return "Changed by its author since"
}

// HeldFeed says "their feed".
func (l Language) HeldFeed() string {
	if l == Russian {
		return "своя лента"
	}
	return "their feed"
}

// HeldHidden says "Hidden by an administrator".
func (l Language) HeldHidden() string {
	if l == Russian {
		return "Скрыт администратором"
	}
	return "Hidden by an administrator"
}

// HeldLead says "Posts with links by people who are new here, and posts that administrators hid. Besides administrators, only the authors see them until you publish them.".
func (l Language) HeldLead() string {
	if l == Russian {
		return "Посты со ссылками от новых людей и посты, которые скрыли администраторы. Пока вы не опубликуете пост, кроме администраторов его видит только автор."
	}
	return "Posts with links by people who are new here, and posts that administrators hid. Besides administrators, only the authors see them until you publish them."
}

// HeldReasonHint says "The author reads it. You may leave it empty.".
func (l Language) HeldReasonHint() string {
	if l == Russian {
		return "Её прочтёт автор. Можно оставить поле пустым."
	}
	return "The author reads it. You may leave it empty."
}

// HeldRefuse says "Delete".
func (l Language) HeldRefuse() string {
	if l == Russian {
		return "Удалить"
	}
	return "Delete"
}

// HeldRelease says "Publish".
func (l Language) HeldRelease() string {
	if l == Russian {
		return "Опубликовать"
	}
	return "Publish"
}

// HeldSaid says "{who} posts to {to}:".
func (l Language) HeldSaid(who string, to string) string {
	if l == Russian {
		return "Пишет " + who + ", куда: " + to
	}
	return who + " posts to " + to + ":"
}

// HeldTitle says "Waiting for you".
func (l Language) HeldTitle() string {
	if l == Russian {
		return "Ждут вас"
	}
	return "Waiting for you"
}

// HistoryAdded says "Added:".
func (l Language) HistoryAdded() string {
	if l == Russian {
		return "Добавлено:"
	}
	return "Added:"
}

// HistoryDelete says "Delete the history".
func (l Language) HistoryDelete() string {
	if l == Russian {
		return "Удалить историю"
	}
	return "Delete the history"
}

// HistoryDeleteAsk says "Delete all earlier texts? Only the current text will stay.".
func (l Language) HistoryDeleteAsk() string {
	if l == Russian {
		return "Удалить все прежние тексты? Останется только текущий."
	}
	return "Delete all earlier texts? Only the current text will stay."
}

// HistoryDeleteHint says "People who could read an earlier text can read it here, as long as they can read the post.".
func (l Language) HistoryDeleteHint() string {
	if l == Russian {
		return "Прежний текст виден здесь всем, кто мог его прочитать, пока у них есть доступ к посту."
	}
	return "People who could read an earlier text can read it here, as long as they can read the post."
}

// HistoryEnd says "(end)".
func (l Language) HistoryEnd() string {
	if l == Russian {
		return "(конец)"
	}
	return "(end)"
}

// HistoryLead says "The newest text comes first. Each one shows how it differs from the one before.".
func (l Language) HistoryLead() string {
	if l == Russian {
		return "Сначала самый новый текст. В каждом отмечено, чем он отличается от предыдущего."
	}
	return "The newest text comes first. Each one shows how it differs from the one before."
}

// HistoryNone says "There are no earlier texts to show.".
func (l Language) HistoryNone() string {
	if l == Russian {
		return "Прежних текстов нет."
	}
	return "There are no earlier texts to show."
}

// HistoryOfComment says "Earlier texts of a comment".
func (l Language) HistoryOfComment() string {
	if l == Russian {
		return "Прежние тексты комментария"
	}
	return "Earlier texts of a comment"
}

// HistoryOfPost says "Earlier texts of a post".
func (l Language) HistoryOfPost() string {
	if l == Russian {
		return "Прежние тексты поста"
	}
	return "Earlier texts of a post"
}

// HistoryPresent says "current text".
func (l Language) HistoryPresent() string {
	if l == Russian {
		return "текущий текст"
	}
	return "current text"
}

// HistoryRemoved says "Removed:".
func (l Language) HistoryRemoved() string {
	if l == Russian {
		return "Удалено:"
	}
	return "Removed:"
}

// IntakeAdd says "Import the feed".
func (l Language) IntakeAdd() string {
	if l == Russian {
		return "Импортировать ленту"
	}
	return "Import the feed"
}

// IntakeAddress says "Address of the feed, or of a page that has one".
func (l Language) IntakeAddress() string {
	if l == Russian {
		return "Адрес ленты или страницы, у которой она есть"
	}
	return "Address of the feed, or of a page that has one"
}

// IntakeAddressHint says "RSS, Atom and JSON Feed work. The three newest items are posted at once, and new ones as they come.".
func (l Language) IntakeAddressHint() string {
	if l == Russian {
		return "Подойдут RSS, Atom и JSON Feed. Три последние записи появятся сразу, новые — по мере выхода."
	}
	return "RSS, Atom and JSON Feed work. The three newest items are posted at once, and new ones as they come."
}

// IntakeChecked says "Checked {when*}.".
func (l Language) IntakeChecked() Filled {
	if l == Russian {
		return Filled("Проверено \x01.")
	}
	return Filled("Checked \x01.")
}

// IntakeFailing says "It has been failing since {when*}.".
func (l Language) IntakeFailing() Filled {
	if l == Russian {
		return Filled("Не получается с \x01.")
	}
	return Filled("It has been failing since \x01.")
}

// IntakeGroupAdd says "Import a feed".
func (l Language) IntakeGroupAdd() string {
	if l == Russian {
		return "Импортировать ленту"
	}
	return "Import a feed"
}

// IntakeGroupLead says "People who may post to this group can have feeds posted here. You can remove any of them.".
func (l Language) IntakeGroupLead() string {
	if l == Russian {
		return "Кто может писать в группу, может импортировать в неё ленты. Вы можете убрать любую."
	}
	return "People who may post to this group can have feeds posted here. You can remove any of them."
}

// IntakeGroupNone says "No feeds are imported into this group.".
func (l Language) IntakeGroupNone() string {
	if l == Russian {
		return "В эту группу ленты не импортируются."
	}
	return "No feeds are imported into this group."
}

// IntakeLead says "Bring what you publish elsewhere here: new items of a blog, a photo site or a channel appear as posts of yours, with the name of the feed.".
func (l Language) IntakeLead() string {
	if l == Russian {
		return "Собирайте здесь то, что публикуете в других местах: новые записи блога, фотосайта или канала появятся как ваши посты, с названием источника."
	}
	return "Bring what you publish elsewhere here: new items of a blog, a photo site or a channel appear as posts of yours, with the name of the feed."
}

// IntakeLook says "Check now".
func (l Language) IntakeLook() string {
	if l == Russian {
		return "Проверить сейчас"
	}
	return "Check now"
}

// IntakeNextHours says "Next check in {n} hours.".
func (l Language) IntakeNextHours(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Следующая проверка через " + l.Number(n) + " час."
		case few:
			return "Следующая проверка через " + l.Number(n) + " часа."
		}
		return "Следующая проверка через " + l.Number(n) + " часов."
	}
	switch enForm(n) {
	case one:
		return "Next check in " + l.Number(n) + " hour."
	}
	return "Next check in " + l.Number(n) + " hours."
}

// IntakeNextMinutes says "Next check in {n} minutes.".
func (l Language) IntakeNextMinutes(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Следующая проверка через " + l.Number(n) + " минуту."
		case few:
			return "Следующая проверка через " + l.Number(n) + " минуты."
		}
		return "Следующая проверка через " + l.Number(n) + " минут."
	}
	switch enForm(n) {
	case one:
		return "Next check in " + l.Number(n) + " minute."
	}
	return "Next check in " + l.Number(n) + " minutes."
}

// IntakeNextSoon says "It will be checked in a moment.".
func (l Language) IntakeNextSoon() string {
	if l == Russian {
		return "Сейчас проверим снова."
	}
	return "It will be checked in a moment."
}

// IntakeOff says "Feeds are not imported on this site at present. The ones you added are kept.".
func (l Language) IntakeOff() string {
	if l == Russian {
		return "Сейчас на этом сайте ленты не импортируются. Добавленные вами сохранены."
	}
	return "Feeds are not imported on this site at present. The ones you added are kept."
}

// IntakePause says "Pause".
func (l Language) IntakePause() string {
	if l == Russian {
		return "Приостановить"
	}
	return "Pause"
}

// IntakePaused says "Paused.".
func (l Language) IntakePaused() string {
	if l == Russian {
		return "Приостановлено."
	}
	return "Paused."
}

// IntakePosts says "{n} posts so far.".
func (l Language) IntakePosts(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Уже " + l.Number(n) + " пост."
		case few:
			return "Уже " + l.Number(n) + " поста."
		}
		return "Уже " + l.Number(n) + " постов."
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " post so far."
	}
	return l.Number(n) + " posts so far."
}

// IntakeRemove says "Remove".
func (l Language) IntakeRemove() string {
	if l == Russian {
		return "Убрать"
	}
	return "Remove"
}

// IntakeRemoveAsk says "No more items of this feed will be posted. Posts that are here already stay.".
func (l Language) IntakeRemoveAsk() string {
	if l == Russian {
		return "Новые записи этой ленты больше не появятся. Уже опубликованные посты останутся."
	}
	return "No more items of this feed will be posted. Posts that are here already stay."
}

// IntakeResume says "Resume".
func (l Language) IntakeResume() string {
	if l == Russian {
		return "Возобновить"
	}
	return "Resume"
}

// IntakeSkipped says "{n} items could not be posted; about the last:".
func (l Language) IntakeSkipped(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Не опубликована " + l.Number(n) + " запись; о последней:"
		case few:
			return "Не опубликованы " + l.Number(n) + " записи; о последней:"
		}
		return "Не опубликовано " + l.Number(n) + " записей; о последней:"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " item could not be posted:"
	}
	return l.Number(n) + " items could not be posted; about the last:"
}

// IntakeStopped says "Stopped. Resume it to try again.".
func (l Language) IntakeStopped() string {
	if l == Russian {
		return "Остановлено. Чтобы попробовать снова, нажмите «Возобновить»."
	}
	return "Stopped. Resume it to try again."
}

// IntakeTitle says "Imported feeds".
func (l Language) IntakeTitle() string {
	if l == Russian {
		return "Импорт лент"
	}
	return "Imported feeds"
}

// IntakeTo says "Post to".
func (l Language) IntakeTo() string {
	if l == Russian {
		return "Публиковать"
	}
	return "Post to"
}

// JournalAccepted says "{by} accepted {who}.".
func (l Language) JournalAccepted(by string, who string) string {
	if l == Russian {
		return by + ": " + who + " теперь на сайте."
	}
	return by + " accepted " + who + "."
}

// JournalDeletedComment says "{by} deleted a comment by {who}.".
func (l Language) JournalDeletedComment(by string, who string) string {
	if l == Russian {
		return by + ": удалён комментарий " + who + "."
	}
	return by + " deleted a comment by " + who + "."
}

// JournalDeletedPost says "{by} deleted a post by {who}.".
func (l Language) JournalDeletedPost(by string, who string) string {
	if l == Russian {
		return by + ": удалён пост " + who + "."
	}
	return by + " deleted a post by " + who + "."
}

// JournalDismissed says "{by} closed a report about {who} and left everything as it is.".
func (l Language) JournalDismissed(by string, who string) string {
	if l == Russian {
		return by + ": жалоба на " + who + " закрыта, всё осталось как есть."
	}
	return by + " closed a report about " + who + " and left everything as it is."
}

// JournalHid says "{by} hid a post by {who}.".
func (l Language) JournalHid(by string, who string) string {
	if l == Russian {
		return by + ": скрыт пост " + who + "."
	}
	return by + " hid a post by " + who + "."
}

// JournalRefused says "{by} refused a person who signed up.".
func (l Language) JournalRefused(by string) string {
	if l == Russian {
		return by + ": отказ в регистрации."
	}
	return by + " refused a person who signed up."
}

// JournalReleased says "{by} published a post by {who} that waited.".
func (l Language) JournalReleased(by string, who string) string {
	if l == Russian {
		return by + ": пост, который ждал проверки, опубликован. Автор: " + who + "."
	}
	return by + " published a post by " + who + " that waited."
}

// JournalTookOut says "{by} took a post by {who} out of {group}.".
func (l Language) JournalTookOut(by string, who string, group string) string {
	if l == Russian {
		return by + ": пост " + who + " убран из группы " + group + "."
	}
	return by + " took a post by " + who + " out of " + group + "."
}

// JournalWarned says "{by} warned {who}.".
func (l Language) JournalWarned(by string, who string) string {
	if l == Russian {
		return by + ": предупреждение для " + who + "."
	}
	return by + " warned " + who + "."
}

// KeysBefore says "Previous post or comment".
func (l Language) KeysBefore() string {
	if l == Russian {
		return "Предыдущий пост или комментарий"
	}
	return "Previous post or comment"
}

// KeysClose says "Close an empty form, a menu or a dialog".
func (l Language) KeysClose() string {
	if l == Russian {
		return "Закрыть пустую форму, меню или окно"
	}
	return "Close an empty form, a menu or a dialog"
}

// KeysComment says "Comment".
func (l Language) KeysComment() string {
	if l == Russian {
		return "Написать комментарий"
	}
	return "Comment"
}

// KeysCtrl says "Ctrl".
func (l Language) KeysCtrl() string {
	if l == Russian {
		return "Ctrl"
	}
	return "Ctrl"
}

// KeysEnter says "Enter".
func (l Language) KeysEnter() string {
	if l == Russian {
		return "Enter"
	}
	return "Enter"
}

// KeysEsc says "Esc".
func (l Language) KeysEsc() string {
	if l == Russian {
		return "Esc"
	}
	return "Esc"
}

// KeysLead says "They work while you are not typing.".
func (l Language) KeysLead() string {
	if l == Russian {
		return "Работают, пока вы не печатаете. В русской раскладке — те же клавиши."
	}
	return "They work while you are not typing."
}

// KeysLike says "Like, or take the like back".
func (l Language) KeysLike() string {
	if l == Russian {
		return "Поставить или убрать лайк"
	}
	return "Like, or take the like back"
}

// KeysNext says "Next post; on a post's own page, next comment".
func (l Language) KeysNext() string {
	if l == Russian {
		return "Следующий пост, а на странице поста — следующий комментарий"
	}
	return "Next post; on a post's own page, next comment"
}

// KeysOpen says "Open the post".
func (l Language) KeysOpen() string {
	if l == Russian {
		return "Открыть пост"
	}
	return "Open the post"
}

// KeysOr says "or".
func (l Language) KeysOr() string {
	if l == Russian {
		return "или"
	}
	return "or"
}

// KeysReply says "Reply to the selected comment, or to the last one".
func (l Language) KeysReply() string {
	if l == Russian {
		return "Ответить на выбранный комментарий или на последний"
	}
	return "Reply to the selected comment, or to the last one"
}

// KeysSearch says "Search".
func (l Language) KeysSearch() string {
	if l == Russian {
		return "Поиск"
	}
	return "Search"
}

// KeysSend says "Send".
func (l Language) KeysSend() string {
	if l == Russian {
		return "Отправить"
	}
	return "Send"
}

// KeysSheet says "This list".
func (l Language) KeysSheet() string {
	if l == Russian {
		return "Этот список"
	}
	return "This list"
}

// KeysSwitch says "Use single-key shortcuts".
func (l Language) KeysSwitch() string {
	if l == Russian {
		return "Включить горячие клавиши"
	}
	return "Use single-key shortcuts"
}

// KeysSwitchHint says "Switch them off if they get in the way of speech input or of your screen reader. This browser remembers it.".
func (l Language) KeysSwitchHint() string {
	if l == Russian {
		return "Выключите, если они мешают голосовому вводу или программе чтения с экрана. Браузер запомнит выбор."
	}
	return "Switch them off if they get in the way of speech input or of your screen reader. This browser remembers it."
}

// KeysTitle says "Keyboard shortcuts".
func (l Language) KeysTitle() string {
	if l == Russian {
		return "Горячие клавиши"
	}
	return "Keyboard shortcuts"
}

// KeysWriting says "While you write".
func (l Language) KeysWriting() string {
	if l == Russian {
		return "Когда вы пишете"
	}
	return "While you write"
}

// KindAllLanguages says "All languages".
func (l Language) KindAllLanguages() string {
	if l == Russian {
		return "Все языки"
	}
	return "All languages"
}

// KindBest says "Best of".
func (l Language) KindBest() string {
	if l == Russian {
		return "Лучшее"
	}
	return "Best of"
}

// KindBestAbout says "The posts with the most likes, comments and favourites.".
func (l Language) KindBestAbout() string {
	if l == Russian {
		return "Посты, у которых больше всего лайков, комментариев и добавлений в избранное."
	}
	return "The posts with the most likes, comments and favourites."
}

// KindDay says "Day".
func (l Language) KindDay() string {
	if l == Russian {
		return "День"
	}
	return "Day"
}

// KindDescribeTag says "Posts with the tag {tag}.".
func (l Language) KindDescribeTag(tag string) string {
	if l == Russian {
		return "Посты с тегом " + tag + "."
	}
	return "Posts with the tag " + tag + "."
}

// KindDirects says "Direct messages".
func (l Language) KindDirects() string {
	if l == Russian {
		return "Личные сообщения"
	}
	return "Direct messages"
}

// KindDirectsAbout says "Only the people a message is sent to can read it.".
func (l Language) KindDirectsAbout() string {
	if l == Russian {
		return "Сообщение читают только те, кому оно отправлено."
	}
	return "Only the people a message is sent to can read it."
}

// KindDiscussions says "Discussions".
func (l Language) KindDiscussions() string {
	if l == Russian {
		return "Обсуждения"
	}
	return "Discussions"
}

// KindDiscussionsAbout says "Posts you wrote or commented on, with the latest activity first.".
func (l Language) KindDiscussionsAbout() string {
	if l == Russian {
		return "Посты, которые вы написали или комментировали. Сверху самые свежие."
	}
	return "Posts you wrote or commented on, with the latest activity first."
}

// KindEver says "All time".
func (l Language) KindEver() string {
	if l == Russian {
		return "Всё время"
	}
	return "All time"
}

// KindEverything says "Everything".
func (l Language) KindEverything() string {
	if l == Russian {
		return "Все посты"
	}
	return "Everything"
}

// KindEverythingAbout says "All posts that you can read here, with the latest activity first.".
func (l Language) KindEverythingAbout() string {
	if l == Russian {
		return "Все посты, которые вам здесь видны. Сверху самые свежие."
	}
	return "All posts that you can read here, with the latest activity first."
}

// KindEverythingIn says "Everything in {language}".
func (l Language) KindEverythingIn(language string) string {
	if l == Russian {
		return "Все посты: " + language
	}
	return "Everything in " + language
}

// KindEverythingInAbout says "Posts in {language}, with the latest activity first.".
func (l Language) KindEverythingInAbout(language string) string {
	if l == Russian {
		return "Посты на этом языке (" + language + "). Сверху самые свежие."
	}
	return "Posts in " + language + ", with the latest activity first."
}

// KindFaved says "Most favourited".
func (l Language) KindFaved() string {
	if l == Russian {
		return "Чаще всего в избранном"
	}
	return "Most favourited"
}

// KindFavedAbout says "The posts that most people saved as favourites.".
func (l Language) KindFavedAbout() string {
	if l == Russian {
		return "Посты, которые чаще всего добавляли в избранное."
	}
	return "The posts that most people saved as favourites."
}

// KindFavs says "Favourites".
func (l Language) KindFavs() string {
	if l == Russian {
		return "Избранное"
	}
	return "Favourites"
}

// KindFavsAbout says "Posts you saved. Only you can see this list.".
func (l Language) KindFavsAbout() string {
	if l == Russian {
		return "Посты, которые вы сохранили. Этот список видите только вы."
	}
	return "Posts you saved. Only you can see this list."
}

// KindFyeo says "For your eyes only".
func (l Language) KindFyeo() string {
	if l == Russian {
		return "Только для себя"
	}
	return "For your eyes only"
}

// KindFyeoAbout says "Posts that only you can read.".
func (l Language) KindFyeoAbout() string {
	if l == Russian {
		return "Посты, которые читаете только вы."
	}
	return "Posts that only you can read."
}

// KindHome says "Home".
func (l Language) KindHome() string {
	if l == Russian {
		return "Главная"
	}
	return "Home"
}

// KindInLanguage says "{page}: {language}".
func (l Language) KindInLanguage(page string, language string) string {
	if l == Russian {
		return page + ": " + language
	}
	return page + ": " + language
}

// KindLanguage says "Language".
func (l Language) KindLanguage() string {
	if l == Russian {
		return "Язык"
	}
	return "Language"
}

// KindListAbout says "One of your lists: what the people and groups in it write, like and comment on. Only you can see it.".
func (l Language) KindListAbout() string {
	if l == Russian {
		return "Один из ваших списков: что пишут, лайкают и комментируют люди и группы из него. Его видите только вы."
	}
	return "One of your lists: what the people and groups in it write, like and comment on. Only you can see it."
}

// KindMentions says "Mentions".
func (l Language) KindMentions() string {
	if l == Russian {
		return "Упоминания"
	}
	return "Mentions"
}

// KindMentionsAbout says "Posts that mention you, in the text or in a comment.".
func (l Language) KindMentionsAbout() string {
	if l == Russian {
		return "Посты, где вас упомянули в тексте или в комментариях."
	}
	return "Posts that mention you, in the text or in a comment."
}

// KindMonth says "Month".
func (l Language) KindMonth() string {
	if l == Russian {
		return "Месяц"
	}
	return "Month"
}

// KindOrder says "Order".
func (l Language) KindOrder() string {
	if l == Russian {
		return "Порядок"
	}
	return "Order"
}

// KindOrderFresh says "Fresh".
func (l Language) KindOrderFresh() string {
	if l == Russian {
		return "Свежее"
	}
	return "Fresh"
}

// KindOrderNew says "New".
func (l Language) KindOrderNew() string {
	if l == Russian {
		return "Новое"
	}
	return "New"
}

// KindOrderTop says "Top".
func (l Language) KindOrderTop() string {
	if l == Russian {
		return "Популярное"
	}
	return "Top"
}

// KindPeriod says "Period".
func (l Language) KindPeriod() string {
	if l == Russian {
		return "Период"
	}
	return "Period"
}

// KindPicker says "{label}: {choice}".
func (l Language) KindPicker(label string, choice string) string {
	if l == Russian {
		return label + ": " + choice
	}
	return label + ": " + choice
}

// KindPoints says "Points: {parts}.".
func (l Language) KindPoints(parts string) string {
	if l == Russian {
		return "Баллы: " + parts + "."
	}
	return "Points: " + parts + "."
}

// KindPointsAgeless says "Age does not count.".
func (l Language) KindPointsAgeless() string {
	if l == Russian {
		return "Возраст не учитывается."
	}
	return "Age does not count."
}

// KindPointsComment says "{points} for a comment".
func (l Language) KindPointsComment(points string) string {
	if l == Russian {
		return points + " за комментарий"
	}
	return points + " for a comment"
}

// KindPointsFav says "{points} for a favourite".
func (l Language) KindPointsFav(points string) string {
	if l == Russian {
		return points + " за добавление в избранное"
	}
	return points + " for a favourite"
}

// KindPointsLike says "{points} for a like".
func (l Language) KindPointsLike(points string) string {
	if l == Russian {
		return points + " за лайк"
	}
	return points + " for a like"
}

// KindPointsRising says "The older a post is, the more points it needs to stay near the top.".
func (l Language) KindPointsRising() string {
	if l == Russian {
		return "Чем старше пост, тем больше баллов ему нужно, чтобы остаться наверху."
	}
	return "The older a post is, the more points it needs to stay near the top."
}

// KindRanking says "Ranking".
func (l Language) KindRanking() string {
	if l == Russian {
		return "Рейтинг"
	}
	return "Ranking"
}

// KindRising says "Rising".
func (l Language) KindRising() string {
	if l == Russian {
		return "Набирает"
	}
	return "Rising"
}

// KindSearch says "Search".
func (l Language) KindSearch() string {
	if l == Russian {
		return "Поиск"
	}
	return "Search"
}

// KindTagAbout says "Posts with this tag.".
func (l Language) KindTagAbout() string {
	if l == Russian {
		return "Посты с этим тегом."
	}
	return "Posts with this tag."
}

// KindTitleComments says "{who}: comments".
func (l Language) KindTitleComments(who string) string {
	if l == Russian {
		return who + ": комментарии"
	}
	return who + ": comments"
}

// KindTitleDay says "{who}: {day}".
func (l Language) KindTitleDay(who string, day string) string {
	if l == Russian {
		return who + ": " + day
	}
	return who + ": " + day
}

// KindTitleLikes says "{who}: likes".
func (l Language) KindTitleLikes(who string) string {
	if l == Russian {
		return who + ": лайки"
	}
	return who + ": likes"
}

// KindTitleList says "List: {name}".
func (l Language) KindTitleList(name string) string {
	if l == Russian {
		return "Список: " + name
	}
	return "List: " + name
}

// KindTitlePhotos says "{who}: photos".
func (l Language) KindTitlePhotos(who string) string {
	if l == Russian {
		return who + ": фото"
	}
	return who + ": photos"
}

// KindTitlePost says "{who}: {text}".
func (l Language) KindTitlePost(who string, text string) string {
	if l == Russian {
		return who + ": " + text
	}
	return who + ": " + text
}

// KindTitlePrivate says "{who}: private feed".
func (l Language) KindTitlePrivate(who string) string {
	if l == Russian {
		return who + ": приватная лента"
	}
	return who + ": private feed"
}

// KindTitleSearch says "Search: {query}".
func (l Language) KindTitleSearch(query string) string {
	if l == Russian {
		return "Поиск: " + query
	}
	return "Search: " + query
}

// KindWeek says "Week".
func (l Language) KindWeek() string {
	if l == Russian {
		return "Неделя"
	}
	return "Week"
}

// LayoutAbout says "About {site}".
func (l Language) LayoutAbout(site string) string {
	if l == Russian {
		return "О сайте " + site
	}
	return "About " + site
}

// LayoutBehind says "Updates are delayed. What you see may be a little old; nothing is lost.".
func (l Language) LayoutBehind() string {
	if l == Russian {
		return "Обновления задерживаются. Страница может немного отставать, но ничего не потеряно."
	}
	return "Updates are delayed. What you see may be a little old; nothing is lost."
}

// LayoutLists says "Lists".
func (l Language) LayoutLists() string {
	if l == Russian {
		return "Списки"
	}
	return "Lists"
}

// LayoutMore says "More".
func (l Language) LayoutMore() string {
	if l == Russian {
		return "Ещё"
	}
	return "More"
}

// LayoutNotifications says "Notifications".
func (l Language) LayoutNotifications() string {
	if l == Russian {
		return "Уведомления"
	}
	return "Notifications"
}

// LayoutPages says "Pages".
func (l Language) LayoutPages() string {
	if l == Russian {
		return "Разделы"
	}
	return "Pages"
}

// LayoutRules says "Rules".
func (l Language) LayoutRules() string {
	if l == Russian {
		return "Правила"
	}
	return "Rules"
}

// LayoutSearch says "Search".
func (l Language) LayoutSearch() string {
	if l == Russian {
		return "Найти"
	}
	return "Search"
}

// LayoutSearchLabel says "Search posts".
func (l Language) LayoutSearchLabel() string {
	if l == Russian {
		return "Поиск по постам"
	}
	return "Search posts"
}

// LayoutSignIn says "Sign in".
func (l Language) LayoutSignIn() string {
	if l == Russian {
		return "Войти"
	}
	return "Sign in"
}

// LayoutSignOut says "Sign out".
func (l Language) LayoutSignOut() string {
	if l == Russian {
		return "Выйти"
	}
	return "Sign out"
}

// LayoutSignUp says "Sign up".
func (l Language) LayoutSignUp() string {
	if l == Russian {
		return "Регистрация"
	}
	return "Sign up"
}

// LayoutSkip says "Skip to the content".
func (l Language) LayoutSkip() string {
	if l == Russian {
		return "Перейти к содержанию"
	}
	return "Skip to the content"
}

// ListAdd says "Add a person or a group, by name".
func (l Language) ListAdd() string {
	if l == Russian {
		return "Добавить человека или группу по имени"
	}
	return "Add a person or a group, by name"
}

// ListAddPrivate says "the person's private feed".
func (l Language) ListAddPrivate() string {
	if l == Russian {
		return "приватную ленту этого человека"
	}
	return "the person's private feed"
}

// ListCreate says "Create list".
func (l Language) ListCreate() string {
	if l == Russian {
		return "Создать список"
	}
	return "Create list"
}

// ListDeleteAsk says "Delete this list? Your subscriptions stay as they are.".
func (l Language) ListDeleteAsk() string {
	if l == Russian {
		return "Удалить этот список? Ваши подписки не изменятся."
	}
	return "Delete this list? Your subscriptions stay as they are."
}

// ListDeleteSure says "Delete list".
func (l Language) ListDeleteSure() string {
	if l == Russian {
		return "Удалить список"
	}
	return "Delete list"
}

// ListEdit says "Edit the list".
func (l Language) ListEdit() string {
	if l == Russian {
		return "Изменить список"
	}
	return "Edit the list"
}

// ListEditAll says "Edit your lists".
func (l Language) ListEditAll() string {
	if l == Russian {
		return "Настроить списки"
	}
	return "Edit your lists"
}

// ListEmpty says "It is empty. Add someone below.".
func (l Language) ListEmpty() string {
	if l == Russian {
		return "Список пуст. Добавьте кого-нибудь ниже."
	}
	return "It is empty. Add someone below."
}

// ListLead says "A list is another home page, with what the people and groups you choose post, like and comment on. Only you can see it, and you don't have to subscribe to them.".
func (l Language) ListLead() string {
	if l == Russian {
		return "Список — это ещё одна главная страница: что пишут, лайкают и комментируют выбранные вами люди и группы. Его видите только вы, а подписываться на них не обязательно."
	}
	return "A list is another home page, with what the people and groups you choose post, like and comment on. Only you can see it, and you don't have to subscribe to them."
}

// ListNew says "New list".
func (l Language) ListNew() string {
	if l == Russian {
		return "Новый список"
	}
	return "New list"
}

// ListPrivateFeed says "private feed".
func (l Language) ListPrivateFeed() string {
	if l == Russian {
		return "приватная лента"
	}
	return "private feed"
}

// ListPut says "Add to “{list}”".
func (l Language) ListPut(list string) string {
	if l == Russian {
		return "Добавить в «" + list + "»"
	}
	return "Add to “" + list + "”"
}

// ListPutPrivate says "Add the private feed to “{list}”".
func (l Language) ListPutPrivate(list string) string {
	if l == Russian {
		return "Добавить приватную ленту в «" + list + "»"
	}
	return "Add the private feed to “" + list + "”"
}

// ListRenameOrDelete says "Rename or delete".
func (l Language) ListRenameOrDelete() string {
	if l == Russian {
		return "Переименовать или удалить"
	}
	return "Rename or delete"
}

// ListTake says "Remove from “{list}”".
func (l Language) ListTake(list string) string {
	if l == Russian {
		return "Убрать из «" + list + "»"
	}
	return "Remove from “" + list + "”"
}

// ListTakeOut says "Remove from the list".
func (l Language) ListTakeOut() string {
	if l == Russian {
		return "Убрать из списка"
	}
	return "Remove from the list"
}

// ListTakePrivate says "Remove the private feed from “{list}”".
func (l Language) ListTakePrivate(list string) string {
	if l == Russian {
		return "Убрать приватную ленту из «" + list + "»"
	}
	return "Remove the private feed from “" + list + "”"
}

// ListTitle says "Lists".
func (l Language) ListTitle() string {
	if l == Russian {
		return "Списки"
	}
	return "Lists"
}

// MailAcceptedSaid says "Hello @{name}. Your account on {site} was accepted. You can sign in now.".
func (l Language) MailAcceptedSaid(name string, site string) string {
	if l == Russian {
		return "Здравствуйте, @" + name + "! Ваш аккаунт на " + site + " одобрен. Теперь можно войти."
	}
	return "Hello @" + name + ". Your account on " + site + " was accepted. You can sign in now."
}

// MailAcceptedSubject says "Welcome to {site}".
func (l Language) MailAcceptedSubject(site string) string {
	if l == Russian {
		return "Добро пожаловать на " + site
	}
	return "Welcome to " + site
}

// MailAddressLabel says "Your account".
func (l Language) MailAddressLabel() string {
	if l == Russian {
		return "Ваш аккаунт"
	}
	return "Your account"
}

// MailAddressNotYou says "If it wasn't you, change your password at once: someone is signed in as you.".
func (l Language) MailAddressNotYou() string {
	if l == Russian {
		return "Если это были не вы, сразу смените пароль: кто-то вошёл под вашим именем."
	}
	return "If it wasn't you, change your password at once: someone is signed in as you."
}

// MailAddressSaid says "Hello @{name}. You asked {site} to use another e-mail address for your account. It changes when you open the link that we sent there.".
func (l Language) MailAddressSaid(name string, site string) string {
	if l == Russian {
		return "Здравствуйте, @" + name + "! Вы попросили " + site + " сменить e-mail вашего аккаунта. Он сменится, когда вы откроете ссылку из письма на новый адрес."
	}
	return "Hello @" + name + ". You asked " + site + " to use another e-mail address for your account. It changes when you open the link that we sent there."
}

// MailAddressSubject says "A new address for your account on {site}".
func (l Language) MailAddressSubject(site string) string {
	if l == Russian {
		return "Новый адрес вашего аккаунта на " + site
	}
	return "A new address for your account on " + site
}

// MailConfirmFor says "The link works for three days.".
func (l Language) MailConfirmFor() string {
	if l == Russian {
		return "Ссылка действует три дня."
	}
	return "The link works for three days."
}

// MailConfirmLabel says "Confirm the address".
func (l Language) MailConfirmLabel() string {
	if l == Russian {
		return "Подтвердить адрес"
	}
	return "Confirm the address"
}

// MailConfirmNotYou says "If you have no account on {site}, someone mistyped their address: ignore this mail.".
func (l Language) MailConfirmNotYou(site string) string {
	if l == Russian {
		return "Если у вас нет аккаунта на " + site + ", кто-то ошибся в своём адресе: просто не отвечайте на это письмо."
	}
	return "If you have no account on " + site + ", someone mistyped their address: ignore this mail."
}

// MailConfirmSaid says "Hello @{name}. Confirm that this is your address, and {site} can help you if you forget your password.".
func (l Language) MailConfirmSaid(name string, site string) string {
	if l == Russian {
		return "Здравствуйте, @" + name + "! Подтвердите, что это ваш адрес: тогда " + site + " поможет, если вы забудете пароль."
	}
	return "Hello @" + name + ". Confirm that this is your address, and " + site + " can help you if you forget your password."
}

// MailConfirmSubject says "Confirm your address for {site}".
func (l Language) MailConfirmSubject(site string) string {
	if l == Russian {
		return "Подтвердите адрес для " + site
	}
	return "Confirm your address for " + site
}

// MailDeviceNotYou says "If it wasn't you, change your password at once, which signs out all other devices, and remove the passkeys that aren't yours.".
func (l Language) MailDeviceNotYou() string {
	if l == Russian {
		return "Если это были не вы, сразу смените пароль (на всех остальных устройствах произойдёт выход) и удалите чужие ключи входа."
	}
	return "If it wasn't you, change your password at once, which signs out all other devices, and remove the passkeys that aren't yours."
}

// MailDeviceSaid says "Hello @{name}. You, or someone else, signed in to your account on {site} on a device that is new to it: {device}.".
func (l Language) MailDeviceSaid(name string, site string, device string) string {
	if l == Russian {
		return "Здравствуйте, @" + name + "! Вы или кто-то другой вошли в ваш аккаунт на " + site + " с устройства, с которого вы раньше не входили: " + device + "."
	}
	return "Hello @" + name + ". You, or someone else, signed in to your account on " + site + " on a device that is new to it: " + device + "."
}

// MailDeviceSubject says "A new device signed in to {site}".
func (l Language) MailDeviceSubject(site string) string {
	if l == Russian {
		return "Вход на " + site + " с нового устройства"
	}
	return "A new device signed in to " + site
}

// MailLeavingBack says "Until then you can come back: sign in and press “Come back”.".
func (l Language) MailLeavingBack() string {
	if l == Russian {
		return "До этого дня можно вернуться: войдите на сайт и нажмите «Вернуться»."
	}
	return "Until then you can come back: sign in and press “Come back”."
}

// MailLeavingLabel says "Sign in".
func (l Language) MailLeavingLabel() string {
	if l == Russian {
		return "Войти"
	}
	return "Sign in"
}

// MailLeavingNotYou says "If it wasn't you who deleted the account, come back and change your password at once.".
func (l Language) MailLeavingNotYou() string {
	if l == Russian {
		return "Если аккаунт удалили не вы, вернитесь и сразу смените пароль."
	}
	return "If it wasn't you who deleted the account, come back and change your password at once."
}

// MailLeavingSaid says "Hello @{name}. Your account on {site} was deleted. Everything in it is hidden now, and will be erased for good on {day}.".
func (l Language) MailLeavingSaid(name string, site string, day string) string {
	if l == Russian {
		return "Здравствуйте, @" + name + "! Ваш аккаунт на " + site + " удалён. Всё, что в нём есть, сейчас скрыто и будет удалено навсегда " + day + "."
	}
	return "Hello @" + name + ". Your account on " + site + " was deleted. Everything in it is hidden now, and will be erased for good on " + day + "."
}

// MailLeavingSubject says "Your account on {site} is deleted".
func (l Language) MailLeavingSubject(site string) string {
	if l == Russian {
		return "Ваш аккаунт на " + site + " удалён"
	}
	return "Your account on " + site + " is deleted"
}

// MailNoticesLabel says "Open your notifications".
func (l Language) MailNoticesLabel() string {
	if l == Russian {
		return "Открыть уведомления"
	}
	return "Open your notifications"
}

// MailNoticesSaid says "Hello @{name}. This happened since the last mail:".
func (l Language) MailNoticesSaid(name string) string {
	if l == Russian {
		return "Здравствуйте, @" + name + "! Вот что произошло со времени прошлого письма:"
	}
	return "Hello @" + name + ". This happened since the last mail:"
}

// MailNoticesSubject says "{n} new notifications on {site}".
func (l Language) MailNoticesSubject(n int, site string) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " новое уведомление на " + site
		case few:
			return l.Number(n) + " новых уведомления на " + site
		}
		return l.Number(n) + " новых уведомлений на " + site
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " new notification on " + site
	}
	return l.Number(n) + " new notifications on " + site
}

// MailPasskeyAddedSaid says "Hello @{name}. A passkey was just added to your account on {site}. You can sign in with it instead of your password.".
func (l Language) MailPasskeyAddedSaid(name string, site string) string {
	if l == Russian {
		return "Здравствуйте, @" + name + "! К вашему аккаунту на " + site + " только что добавили ключ входа. С ним можно входить без пароля."
	}
	return "Hello @" + name + ". A passkey was just added to your account on " + site + ". You can sign in with it instead of your password."
}

// MailPasskeyAddedSubject says "A new passkey for {site}".
func (l Language) MailPasskeyAddedSubject(site string) string {
	if l == Russian {
		return "Новый ключ входа на " + site
	}
	return "A new passkey for " + site
}

// MailPasskeyNotYou says "If it wasn't you, change your password at once, and look at the passkeys of your account.".
func (l Language) MailPasskeyNotYou() string {
	if l == Russian {
		return "Если это были не вы, сразу смените пароль и проверьте ключи входа в своём аккаунте."
	}
	return "If it wasn't you, change your password at once, and look at the passkeys of your account."
}

// MailPasskeyRemovedSaid says "Hello @{name}. A passkey of your account on {site} was just removed. No one can sign in with it any more.".
func (l Language) MailPasskeyRemovedSaid(name string, site string) string {
	if l == Russian {
		return "Здравствуйте, @" + name + "! Из вашего аккаунта на " + site + " только что удалили ключ входа. Войти с ним больше нельзя."
	}
	return "Hello @" + name + ". A passkey of your account on " + site + " was just removed. No one can sign in with it any more."
}

// MailPasskeyRemovedSubject says "A passkey for {site} was removed".
func (l Language) MailPasskeyRemovedSubject(site string) string {
	if l == Russian {
		return "Ключ входа на " + site + " удалён"
	}
	return "A passkey for " + site + " was removed"
}

// MailPasswordLabel says "Ask for a link".
func (l Language) MailPasswordLabel() string {
	if l == Russian {
		return "Попросить ссылку"
	}
	return "Ask for a link"
}

// MailPasswordNotYou says "If it wasn't you, ask for a link to sign in, and set another password at once.".
func (l Language) MailPasswordNotYou() string {
	if l == Russian {
		return "Если это были не вы, сразу попросите ссылку для входа и задайте другой пароль."
	}
	return "If it wasn't you, ask for a link to sign in, and set another password at once."
}

// MailPasswordSaid says "Hello @{name}. The password of your account on {site} was just changed.".
func (l Language) MailPasswordSaid(name string, site string) string {
	if l == Russian {
		return "Здравствуйте, @" + name + "! Пароль вашего аккаунта на " + site + " только что изменили."
	}
	return "Hello @" + name + ". The password of your account on " + site + " was just changed."
}

// MailPasswordSubject says "Your password on {site} was changed".
func (l Language) MailPasswordSubject(site string) string {
	if l == Russian {
		return "Пароль на " + site + " изменён"
	}
	return "Your password on " + site + " was changed"
}

// MailSignInFor says "The link works once, for a day. After signing in you can set a new password.".
func (l Language) MailSignInFor() string {
	if l == Russian {
		return "Ссылка сработает один раз, в течение суток. После входа можно задать новый пароль."
	}
	return "The link works once, for a day. After signing in you can set a new password."
}

// MailSignInLabel says "Sign in".
func (l Language) MailSignInLabel() string {
	if l == Russian {
		return "Войти"
	}
	return "Sign in"
}

// MailSignInNotYou says "If it wasn't you, ignore this mail. Nothing has changed.".
func (l Language) MailSignInNotYou() string {
	if l == Russian {
		return "Если это были не вы, просто не отвечайте на это письмо: ничего не изменилось."
	}
	return "If it wasn't you, ignore this mail. Nothing has changed."
}

// MailSignInSaid says "Hello @{name}. You, or someone else, asked for a link to sign in to {site} without a password.".
func (l Language) MailSignInSaid(name string, site string) string {
	if l == Russian {
		return "Здравствуйте, @" + name + "! Вы или кто-то другой попросили ссылку, чтобы войти на " + site + " без пароля."
	}
	return "Hello @" + name + ". You, or someone else, asked for a link to sign in to " + site + " without a password."
}

// MailSignInSubject says "Sign in to {site}".
func (l Language) MailSignInSubject(site string) string {
	if l == Russian {
		return "Вход на " + site
	}
	return "Sign in to " + site
}

// MailStop says "Stop mails about notifications".
func (l Language) MailStop() string {
	if l == Russian {
		return "Больше не присылать писем об уведомлениях"
	}
	return "Stop mails about notifications"
}

// MailTakenNotYou says "If it wasn't you, ignore this mail.".
func (l Language) MailTakenNotYou() string {
	if l == Russian {
		return "Если это были не вы, просто не отвечайте на это письмо."
	}
	return "If it wasn't you, ignore this mail."
}

// MailTakenSaid says "Hello @{name}. You, or someone else, tried to use this address for an account on {site}. It belongs to your account @{name} already, so nothing has changed.".
func (l Language) MailTakenSaid(name string, site string) string {
	if l == Russian {
		return "Здравствуйте, @" + name + "! Вы или кто-то другой указали этот адрес для аккаунта на " + site + ". Он уже принадлежит вашему аккаунту @" + name + ", поэтому ничего не изменилось."
	}
	return "Hello @" + name + ". You, or someone else, tried to use this address for an account on " + site + ". It belongs to your account @" + name + " already, so nothing has changed."
}

// MailTakenSubject says "You already have an account on {site}".
func (l Language) MailTakenSubject(site string) string {
	if l == Russian {
		return "У вас уже есть аккаунт на " + site
	}
	return "You already have an account on " + site
}

// MailsLead says "This site keeps its mails in a folder instead of sending them. Only this machine can open this page.".
func (l Language) MailsLead() string {
	if l == Russian {
		return "Этот сайт не отправляет письма, а складывает их в папку. Эту страницу можно открыть только на этом компьютере."
	}
	return "This site keeps its mails in a folder instead of sending them. Only this machine can open this page."
}

// MailsNone says "No mails yet.".
func (l Language) MailsNone() string {
	if l == Russian {
		return "Писем пока нет."
	}
	return "No mails yet."
}

// MailsTitle says "Mails".
func (l Language) MailsTitle() string {
	if l == Russian {
		return "Письма"
	}
	return "Mails"
}

// MyPeopleBanned says "Banned".
func (l Language) MyPeopleBanned() string {
	if l == Russian {
		return "Забаненные"
	}
	return "Banned"
}

// MyPeopleBannedLead says "You don't see them, and they don't see you, anywhere.".
func (l Language) MyPeopleBannedLead() string {
	if l == Russian {
		return "Вы не видите их, а они не видят вас. Нигде."
	}
	return "You don't see them, and they don't see you, anywhere."
}

// MyPeopleBannedNone says "You haven't banned anyone.".
func (l Language) MyPeopleBannedNone() string {
	if l == Russian {
		return "Вы никого не забанили."
	}
	return "You haven't banned anyone."
}

// MyPeopleBlocked says "Blocked from your feed".
func (l Language) MyPeopleBlocked() string {
	if l == Russian {
		return "Закрыт доступ к вашей ленте"
	}
	return "Blocked from your feed"
}

// MyPeopleBlockedLead says "They can't subscribe to you, and can't comment on or like posts that only your feed shows. If your feed is not public, they can't read it.".
func (l Language) MyPeopleBlockedLead() string {
	if l == Russian {
		return "Они не могут подписаться на вас, а также комментировать и лайкать посты, которые есть только в вашей ленте. Если лента не открытая, они не могут её читать."
	}
	return "They can't subscribe to you, and can't comment on or like posts that only your feed shows. If your feed is not public, they can't read it."
}

// MyPeopleBlockedNone says "No one is blocked.".
func (l Language) MyPeopleBlockedNone() string {
	if l == Russian {
		return "Доступ никому не закрыт."
	}
	return "No one is blocked."
}

// MyPeopleComments says "comments".
func (l Language) MyPeopleComments() string {
	if l == Russian {
		return "комментарии"
	}
	return "comments"
}

// MyPeopleCompare says "[Ban, hide, mute or block?] What each of them does.".
func (l Language) MyPeopleCompare() Linked {
	if l == Russian {
		return Linked("[Бан, скрытие, заглушение или закрытый доступ?] Чем они отличаются.")
	}
	return Linked("[Ban, hide, mute or block?] What each of them does.")
}

// MyPeopleHidden says "Hidden".
func (l Language) MyPeopleHidden() string {
	if l == Russian {
		return "Скрытые"
	}
	return "Hidden"
}

// MyPeopleHiddenLead says "Their posts or comments are collapsed on your pages. They won't be told.".
func (l Language) MyPeopleHiddenLead() string {
	if l == Russian {
		return "Их посты или комментарии свёрнуты на ваших страницах. Они об этом не узнают."
	}
	return "Their posts or comments are collapsed on your pages. They won't be told."
}

// MyPeopleHiddenNone says "You haven't hidden anyone.".
func (l Language) MyPeopleHiddenNone() string {
	if l == Russian {
		return "Вы никого не скрыли."
	}
	return "You haven't hidden anyone."
}

// MyPeopleInvite says "Invite to your feed, by name".
func (l Language) MyPeopleInvite() string {
	if l == Russian {
		return "Пригласить в вашу ленту по имени"
	}
	return "Invite to your feed, by name"
}

// MyPeopleInvited says "Invitations".
func (l Language) MyPeopleInvited() string {
	if l == Russian {
		return "Приглашения"
	}
	return "Invitations"
}

// MyPeopleInvitedLead says "People you invited to subscribe who have not answered yet.".
func (l Language) MyPeopleInvitedLead() string {
	if l == Russian {
		return "Люди, которых вы пригласили подписаться и которые ещё не ответили."
	}
	return "People you invited to subscribe who have not answered yet."
}

// MyPeopleInvitedNone says "No open invitations.".
func (l Language) MyPeopleInvitedNone() string {
	if l == Russian {
		return "Открытых приглашений нет."
	}
	return "No open invitations."
}

// MyPeopleLikes says "likes".
func (l Language) MyPeopleLikes() string {
	if l == Russian {
		return "лайки"
	}
	return "likes"
}

// MyPeopleLikesAndComments says "likes and comments".
func (l Language) MyPeopleLikesAndComments() string {
	if l == Russian {
		return "лайки и комментарии"
	}
	return "likes and comments"
}

// MyPeopleMuted says "Muted".
func (l Language) MyPeopleMuted() string {
	if l == Russian {
		return "Заглушённые"
	}
	return "Muted"
}

// MyPeopleMutedLead says "Their likes and comments won't bring posts to your home page or lists. They won't be told.".
func (l Language) MyPeopleMutedLead() string {
	if l == Russian {
		return "Их лайки и комментарии не приносят посты на вашу главную страницу и в списки. Они об этом не узнают."
	}
	return "Their likes and comments won't bring posts to your home page or lists. They won't be told."
}

// MyPeopleMutedNone says "You haven't muted anyone.".
func (l Language) MyPeopleMutedNone() string {
	if l == Russian {
		return "Вы никого не заглушили."
	}
	return "You haven't muted anyone."
}

// MyPeoplePosts says "posts".
func (l Language) MyPeoplePosts() string {
	if l == Russian {
		return "посты"
	}
	return "posts"
}

// MyPeoplePostsAndComments says "posts and comments".
func (l Language) MyPeoplePostsAndComments() string {
	if l == Russian {
		return "посты и комментарии"
	}
	return "posts and comments"
}

// MyPeoplePrivate says "Private feed".
func (l Language) MyPeoplePrivate() string {
	if l == Russian {
		return "Приватная лента"
	}
	return "Private feed"
}

// MyPeoplePrivateInvite says "Invite to the private feed, by name".
func (l Language) MyPeoplePrivateInvite() string {
	if l == Russian {
		return "Пригласить в приватную ленту по имени"
	}
	return "Invite to the private feed, by name"
}

// MyPeoplePrivateLead says "Only these people can read what you post to your private feed. They ask for it, or you invite them.".
func (l Language) MyPeoplePrivateLead() string {
	if l == Russian {
		return "Посты в вашей приватной ленте читают только эти люди. Они просят доступ, или вы их приглашаете."
	}
	return "Only these people can read what you post to your private feed. They ask for it, or you invite them."
}

// MyPeoplePrivateNone says "No subscribers yet.".
func (l Language) MyPeoplePrivateNone() string {
	if l == Russian {
		return "Подписчиков пока нет."
	}
	return "No subscribers yet."
}

// MyPeopleRemove says "Remove".
func (l Language) MyPeopleRemove() string {
	if l == Russian {
		return "Убрать"
	}
	return "Remove"
}

// MyPeopleShowComments says "Show comments".
func (l Language) MyPeopleShowComments() string {
	if l == Russian {
		return "Показывать комментарии"
	}
	return "Show comments"
}

// MyPeopleShowPosts says "Show posts".
func (l Language) MyPeopleShowPosts() string {
	if l == Russian {
		return "Показывать посты"
	}
	return "Show posts"
}

// MyPeopleTitle says "People".
func (l Language) MyPeopleTitle() string {
	if l == Russian {
		return "Люди"
	}
	return "People"
}

// MyPeopleToFeed says "to your feed".
func (l Language) MyPeopleToFeed() string {
	if l == Russian {
		return "в вашу ленту"
	}
	return "to your feed"
}

// MyPeopleToPrivate says "to your private feed".
func (l Language) MyPeopleToPrivate() string {
	if l == Russian {
		return "в вашу приватную ленту"
	}
	return "to your private feed"
}

// MyPeopleUnban says "Unban".
func (l Language) MyPeopleUnban() string {
	if l == Russian {
		return "Снять бан"
	}
	return "Unban"
}

// MyPeopleUnblock says "Unblock".
func (l Language) MyPeopleUnblock() string {
	if l == Russian {
		return "Открыть доступ"
	}
	return "Unblock"
}

// MyPeopleUnmuteComments says "Unmute comments".
func (l Language) MyPeopleUnmuteComments() string {
	if l == Russian {
		return "Не заглушать комментарии"
	}
	return "Unmute comments"
}

// MyPeopleUnmuteLikes says "Unmute likes".
func (l Language) MyPeopleUnmuteLikes() string {
	if l == Russian {
		return "Не заглушать лайки"
	}
	return "Unmute likes"
}

// MyPeopleWithdraw says "Withdraw".
func (l Language) MyPeopleWithdraw() string {
	if l == Russian {
		return "Отозвать"
	}
	return "Withdraw"
}

// NavAbout says "About".
func (l Language) NavAbout() string {
	if l == Russian {
		return "О сайте"
	}
	return "About"
}

// NavAllGroups says "All groups".
func (l Language) NavAllGroups() string {
	if l == Russian {
		return "Все группы"
	}
	return "All groups"
}

// NavBest says "Best of".
func (l Language) NavBest() string {
	if l == Russian {
		return "Лучшее"
	}
	return "Best of"
}

// NavDirects says "Directs".
func (l Language) NavDirects() string {
	if l == Russian {
		return "Личные"
	}
	return "Directs"
}

// NavDiscussions says "Discussions".
func (l Language) NavDiscussions() string {
	if l == Russian {
		return "Обсуждения"
	}
	return "Discussions"
}

// NavEditLists says "Edit lists".
func (l Language) NavEditLists() string {
	if l == Russian {
		return "Изменить списки"
	}
	return "Edit lists"
}

// NavEverything says "Everything".
func (l Language) NavEverything() string {
	if l == Russian {
		return "Все посты"
	}
	return "Everything"
}

// NavFavourites says "Favourites".
func (l Language) NavFavourites() string {
	if l == Russian {
		return "Избранное"
	}
	return "Favourites"
}

// NavFyeo says "For your eyes only".
func (l Language) NavFyeo() string {
	if l == Russian {
		return "Только для себя"
	}
	return "For your eyes only"
}

// NavGroups says "Groups".
func (l Language) NavGroups() string {
	if l == Russian {
		return "Группы"
	}
	return "Groups"
}

// NavHome says "Home".
func (l Language) NavHome() string {
	if l == Russian {
		return "Главная"
	}
	return "Home"
}

// NavMentions says "Mentions".
func (l Language) NavMentions() string {
	if l == Russian {
		return "Упоминания"
	}
	return "Mentions"
}

// NavMyGroups says "Your groups".
func (l Language) NavMyGroups() string {
	if l == Russian {
		return "Ваши группы"
	}
	return "Your groups"
}

// NavNewGroup says "New group".
func (l Language) NavNewGroup() string {
	if l == Russian {
		return "Новая группа"
	}
	return "New group"
}

// NavPeople says "People".
func (l Language) NavPeople() string {
	if l == Russian {
		return "Люди"
	}
	return "People"
}

// NavRequests says "Requests".
func (l Language) NavRequests() string {
	if l == Russian {
		return "Заявки"
	}
	return "Requests"
}

// NavSettings says "Settings".
func (l Language) NavSettings() string {
	if l == Russian {
		return "Настройки"
	}
	return "Settings"
}

// NavWrite says "Write".
func (l Language) NavWrite() string {
	if l == Russian {
		return "Написать"
	}
	return "Write"
}

// NoticeAGroup says "a group".
func (l Language) NoticeAGroup() string {
	if l == Russian {
		return "группа"
	}
	return "a group"
}

// NoticeAPerson says "a person".
func (l Language) NoticeAPerson() string {
	if l == Russian {
		return "один человек"
	}
	return "a person"
}

// NoticeAnswer says "Answer".
func (l Language) NoticeAnswer() string {
	if l == Russian {
		return "Ответить"
	}
	return "Answer"
}

// NoticeAnswerDone says "The administrators looked at your report about {who}, and acted on it.".
func (l Language) NoticeAnswerDone(who string) string {
	if l == Russian {
		return "Администраторы рассмотрели вашу жалобу (" + who + ") и приняли меры."
	}
	return "The administrators looked at your report about " + who + ", and acted on it."
}

// NoticeAnswerNothing says "The administrators looked at your report about {who}, and left everything as it is.".
func (l Language) NoticeAnswerNothing(who string) string {
	if l == Russian {
		return "Администраторы рассмотрели вашу жалобу (" + who + ") и оставили всё как есть."
	}
	return "The administrators looked at your report about " + who + ", and left everything as it is."
}

// NoticeAnswerObjection says "The administrators looked at your objection. Their decision stands.".
func (l Language) NoticeAnswerObjection() string {
	if l == Russian {
		return "Администраторы рассмотрели ваше возражение. Решение остаётся в силе."
	}
	return "The administrators looked at your objection. Their decision stands."
}

// NoticeApplicantOpen says "Open the list".
func (l Language) NoticeApplicantOpen() string {
	if l == Russian {
		return "Открыть список"
	}
	return "Open the list"
}

// NoticeApplicantWaits says "Someone wants to join this site, and waits for your answer.".
func (l Language) NoticeApplicantWaits() string {
	if l == Russian {
		return "Кто-то хочет присоединиться к сайту и ждёт вашего ответа."
	}
	return "Someone wants to join this site, and waits for your answer."
}

// NoticeByGroup says "The administrators of {group}".
func (l Language) NoticeByGroup(group string) string {
	if l == Russian {
		return "Администраторы группы " + group
	}
	return "The administrators of " + group
}

// NoticeBySite says "The administrators of the site".
func (l Language) NoticeBySite() string {
	if l == Russian {
		return "Администраторы сайта"
	}
	return "The administrators of the site"
}

// NoticeDidAccepted says "accepted your request to subscribe.".
func (l Language) NoticeDidAccepted() string {
	if l == Russian {
		return "принимает вашу заявку на подписку."
	}
	return "accepted your request to subscribe."
}

// NoticeDidAcceptedGroup says "accepted your request to join {group}.".
func (l Language) NoticeDidAcceptedGroup(group string) string {
	if l == Russian {
		return "принимает вашу заявку на вступление в группу " + group + "."
	}
	return "accepted your request to join " + group + "."
}

// NoticeDidAcceptedPrivate says "accepted your request to subscribe to their private feed.".
func (l Language) NoticeDidAcceptedPrivate() string {
	if l == Russian {
		return "принимает вашу заявку на подписку на личную ленту."
	}
	return "accepted your request to subscribe to their private feed."
}

// NoticeDidComment says "commented on your post".
func (l Language) NoticeDidComment() string {
	if l == Russian {
		return "комментирует ваш пост"
	}
	return "commented on your post"
}

// NoticeDidCommentLike says "likes your comment".
func (l Language) NoticeDidCommentLike() string {
	if l == Russian {
		return "ставит лайк вашему комментарию"
	}
	return "likes your comment"
}

// NoticeDidDirect says "sent you a direct message:".
func (l Language) NoticeDidDirect() string {
	if l == Russian {
		return "пишет вам личное сообщение:"
	}
	return "sent you a direct message:"
}

// NoticeDidDirectComment says "commented on a direct message:".
func (l Language) NoticeDidDirectComment() string {
	if l == Russian {
		return "комментирует личное сообщение:"
	}
	return "commented on a direct message:"
}

// NoticeDidInvite says "invites you to subscribe.".
func (l Language) NoticeDidInvite() string {
	if l == Russian {
		return "приглашает вас подписаться."
	}
	return "invites you to subscribe."
}

// NoticeDidInviteGroup says "invites you to join {group}.".
func (l Language) NoticeDidInviteGroup(group string) string {
	if l == Russian {
		return "приглашает вас в группу «" + group + "»."
	}
	return "invites you to join " + group + "."
}

// NoticeDidInvitePrivate says "invites you to subscribe to their private feed.".
func (l Language) NoticeDidInvitePrivate() string {
	if l == Russian {
		return "приглашает вас в свою приватную ленту."
	}
	return "invites you to subscribe to their private feed."
}

// NoticeDidLeave says "left your direct message:".
func (l Language) NoticeDidLeave() string {
	if l == Russian {
		return "больше не участвует в вашем личном сообщении:"
	}
	return "left your direct message:"
}

// NoticeDidLike says "likes your post".
func (l Language) NoticeDidLike() string {
	if l == Russian {
		return "ставит лайк вашему посту"
	}
	return "likes your post"
}

// NoticeDidMention says "mentioned you in a post:".
func (l Language) NoticeDidMention() string {
	if l == Russian {
		return "упоминает вас в посте:"
	}
	return "mentioned you in a post:"
}

// NoticeDidMentionComment says "mentioned you in a comment:".
func (l Language) NoticeDidMentionComment() string {
	if l == Russian {
		return "упоминает вас в комментарии:"
	}
	return "mentioned you in a comment:"
}

// NoticeDidRequest says "asks to subscribe to you.".
func (l Language) NoticeDidRequest() string {
	if l == Russian {
		return "просит о подписке на вас."
	}
	return "asks to subscribe to you."
}

// NoticeDidRequestGroup says "asks to join {group}.".
func (l Language) NoticeDidRequestGroup(group string) string {
	if l == Russian {
		return "просит принять в группу «" + group + "»."
	}
	return "asks to join " + group + "."
}

// NoticeDidRequestPrivate says "asks to subscribe to your private feed.".
func (l Language) NoticeDidRequestPrivate() string {
	if l == Russian {
		return "просит доступ к вашей приватной ленте."
	}
	return "asks to subscribe to your private feed."
}

// NoticeDidSubscribe says "subscribed to you.".
func (l Language) NoticeDidSubscribe() string {
	if l == Russian {
		return "подписывается на вас."
	}
	return "subscribed to you."
}

// NoticeDidSubscribePrivate says "subscribed to your private feed.".
func (l Language) NoticeDidSubscribePrivate() string {
	if l == Russian {
		return "подписывается на вашу приватную ленту."
	}
	return "subscribed to your private feed."
}

// NoticeHeir says "You are an administrator of {group} now, because its last administrator has deleted their account.".
func (l Language) NoticeHeir(group string) string {
	if l == Russian {
		return "Теперь вы администрируете группу «" + group + "»: аккаунт последнего администратора удалён."
	}
	return "You are an administrator of " + group + " now, because its last administrator has deleted their account."
}

// NoticeHeirOpen says "Open the group".
func (l Language) NoticeHeirOpen() string {
	if l == Russian {
		return "Открыть группу"
	}
	return "Open the group"
}

// NoticeHeldOpen says "Open the posts".
func (l Language) NoticeHeldOpen() string {
	if l == Russian {
		return "Открыть посты"
	}
	return "Open the posts"
}

// NoticeHeldWaits says "A post waits for you to publish it.".
func (l Language) NoticeHeldWaits() string {
	if l == Russian {
		return "Пост ждёт, когда вы его опубликуете."
	}
	return "A post waits for you to publish it."
}

// NoticeIntakeFailing says "A feed that you import has been failing for a day or longer:".
func (l Language) NoticeIntakeFailing() string {
	if l == Russian {
		return "Лента, которую вы импортируете, не работает уже сутки или дольше:"
	}
	return "A feed that you import has been failing for a day or longer:"
}

// NoticeIntakeStopped says "A feed that you import is no longer checked:".
func (l Language) NoticeIntakeStopped() string {
	if l == Russian {
		return "Ленту, которую вы импортируете, мы больше не проверяем:"
	}
	return "A feed that you import is no longer checked:"
}

// NoticeMail says "Mail me unread notifications".
func (l Language) NoticeMail() string {
	if l == Russian {
		return "Присылать непрочитанные уведомления по почте"
	}
	return "Mail me unread notifications"
}

// NoticeMailConfirm says "Mail goes to an address only after you have confirmed it. [Confirm your address].".
func (l Language) NoticeMailConfirm() Linked {
	if l == Russian {
		return Linked("Письма приходят только на подтверждённый адрес. [Подтвердите адрес].")
	}
	return Linked("Mail goes to an address only after you have confirmed it. [Confirm your address].")
}

// NoticeMailDaily says "Once a day".
func (l Language) NoticeMailDaily() string {
	if l == Russian {
		return "Раз в день"
	}
	return "Once a day"
}

// NoticeMailHour says "At what hour".
func (l Language) NoticeMailHour() string {
	if l == Russian {
		return "В котором часу"
	}
	return "At what hour"
}

// NoticeMailHourHint says "In the time zone that you chose for the site, otherwise in UTC.".
func (l Language) NoticeMailHourHint() string {
	if l == Russian {
		return "В часовом поясе, который вы выбрали для сайта, иначе по UTC."
	}
	return "In the time zone that you chose for the site, otherwise in UTC."
}

// NoticeMailHourly says "Once an hour".
func (l Language) NoticeMailHourly() string {
	if l == Russian {
		return "Раз в час"
	}
	return "Once an hour"
}

// NoticeMailNever says "Never".
func (l Language) NoticeMailNever() string {
	if l == Russian {
		return "Никогда"
	}
	return "Never"
}

// NoticeMailSoon says "A few minutes later".
func (l Language) NoticeMailSoon() string {
	if l == Russian {
		return "Через несколько минут"
	}
	return "A few minutes later"
}

// NoticeMailWeekly says "Once a week, on Mondays".
func (l Language) NoticeMailWeekly() string {
	if l == Russian {
		return "Раз в неделю, по понедельникам"
	}
	return "Once a week, on Mondays"
}

// NoticeMarkRead says "Mark all as read".
func (l Language) NoticeMarkRead() string {
	if l == Russian {
		return "Отметить все как прочитанные"
	}
	return "Mark all as read"
}

// NoticeModeratedComment says "{by} deleted the comment that you wrote on {day}.".
func (l Language) NoticeModeratedComment(by string, day string) string {
	if l == Russian {
		return by + " удалили ваш комментарий от " + day + "."
	}
	return by + " deleted the comment that you wrote on " + day + "."
}

// NoticeModeratedHide says "{by} hid the post that you wrote on {day}. Only you and they see it until they publish it again. You can change its text.".
func (l Language) NoticeModeratedHide(by string, day string) string {
	if l == Russian {
		return by + " скрыли ваш пост от " + day + ". Пока его не опубликуют снова, его видите только вы и администраторы. Вы можете изменить текст."
	}
	return by + " hid the post that you wrote on " + day + ". Only you and they see it until they publish it again. You can change its text."
}

// NoticeModeratedOut says "{by} took the post that you wrote on {day} out of the group.".
func (l Language) NoticeModeratedOut(by string, day string) string {
	if l == Russian {
		return by + " убрали ваш пост от " + day + " из группы."
	}
	return by + " took the post that you wrote on " + day + " out of the group."
}

// NoticeModeratedPost says "{by} deleted the post that you wrote on {day}.".
func (l Language) NoticeModeratedPost(by string, day string) string {
	if l == Russian {
		return by + " удалили ваш пост от " + day + "."
	}
	return by + " deleted the post that you wrote on " + day + "."
}

// NoticeModeratedSuspend says "{by} suspended your account. It works again now.".
func (l Language) NoticeModeratedSuspend(by string) string {
	if l == Russian {
		return by + " заблокировали вашу учётную запись. Теперь она снова работает."
	}
	return by + " suspended your account. It works again now."
}

// NoticeModeratedWarn says "{by} warn you:".
func (l Language) NoticeModeratedWarn(by string) string {
	if l == Russian {
		return by + " предупреждают вас:"
	}
	return by + " warn you:"
}

// NoticeNew says "new".
func (l Language) NoticeNew() string {
	if l == Russian {
		return "новое"
	}
	return "new"
}

// NoticeNoReason says "They gave no reason.".
func (l Language) NoticeNoReason() string {
	if l == Russian {
		return "Причина не указана."
	}
	return "They gave no reason."
}

// NoticeNone says "No notifications yet.".
func (l Language) NoticeNone() string {
	if l == Russian {
		return "Уведомлений пока нет."
	}
	return "No notifications yet."
}

// NoticeNoneText says "Mentions, direct messages, comments, likes and new subscribers appear here.".
func (l Language) NoticeNoneText() string {
	if l == Russian {
		return "Здесь появляются упоминания, личные сообщения, комментарии, лайки и новые подписчики."
	}
	return "Mentions, direct messages, comments, likes and new subscribers appear here."
}

// NoticeNotifyMe says "Notify me when…".
func (l Language) NoticeNotifyMe() string {
	if l == Russian {
		return "Уведомлять меня, когда…"
	}
	return "Notify me when…"
}

// NoticeObject says "Object".
func (l Language) NoticeObject() string {
	if l == Russian {
		return "Возразить"
	}
	return "Object"
}

// NoticePushDenied says "Your browser does not allow notifications from this site. Allow them in the settings of the browser, then try again.".
func (l Language) NoticePushDenied() string {
	if l == Russian {
		return "Браузер не разрешает уведомления от этого сайта. Разрешите их в настройках браузера и попробуйте снова."
	}
	return "Your browser does not allow notifications from this site. Allow them in the settings of the browser, then try again."
}

// NoticePushFailed says "Your browser could not turn notifications on. Try again later, or use another browser.".
func (l Language) NoticePushFailed() string {
	if l == Russian {
		return "Браузеру не удалось включить уведомления. Попробуйте позже или в другом браузере."
	}
	return "Your browser could not turn notifications on. Try again later, or use another browser."
}

// NoticePushIsOff says "That device gets no more notifications.".
func (l Language) NoticePushIsOff() string {
	if l == Russian {
		return "На это устройство уведомления больше не приходят."
	}
	return "That device gets no more notifications."
}

// NoticePushOff says "Turn off".
func (l Language) NoticePushOff() string {
	if l == Russian {
		return "Выключить"
	}
	return "Turn off"
}

// NoticePushOn says "Turn on for this device".
func (l Language) NoticePushOn() string {
	if l == Russian {
		return "Включить на этом устройстве"
	}
	return "Turn on for this device"
}

// NoticePushSince says "Since {when*}".
func (l Language) NoticePushSince() Filled {
	if l == Russian {
		return Filled("Включены \x01")
	}
	return Filled("Since \x01")
}

// NoticePushes says "Notifications on your devices".
func (l Language) NoticePushes() string {
	if l == Russian {
		return "Уведомления на ваших устройствах"
	}
	return "Notifications on your devices"
}

// NoticePushesLead says "A device shows mentions, direct messages and comments on your posts when they come, also while no page of the site is open. It stops when you sign out there.".
func (l Language) NoticePushesLead() string {
	if l == Russian {
		return "Устройство сразу показывает упоминания, личные сообщения и комментарии к вашим постам, даже когда сайт не открыт. Если на нём выйти из аккаунта, уведомления прекратятся."
	}
	return "A device shows mentions, direct messages and comments on your posts when they come, also while no page of the site is open. It stops when you sign out there."
}

// NoticeQuoted says "“{text}”".
func (l Language) NoticeQuoted(text string) string {
	if l == Russian {
		return "«" + text + "»"
	}
	return "“" + text + "”"
}

// NoticeReportOpen says "Open the reports".
func (l Language) NoticeReportOpen() string {
	if l == Russian {
		return "Открыть жалобы"
	}
	return "Open the reports"
}

// NoticeReportWaits says "A report waits for a decision.".
func (l Language) NoticeReportWaits() string {
	if l == Russian {
		return "Жалоба ждёт решения."
	}
	return "A report waits for a decision."
}

// NoticeSettings says "Notification settings".
func (l Language) NoticeSettings() string {
	if l == Russian {
		return "Настройки уведомлений"
	}
	return "Notification settings"
}

// NoticeSettingsHint says "Earlier notifications stay. You are never notified of something you can't see, and likes of comments are anonymous.".
func (l Language) NoticeSettingsHint() string {
	if l == Russian {
		return "Прежние уведомления останутся. Вам никогда не сообщают о том, чего вы не видите, а лайки комментариев анонимны."
	}
	return "Earlier notifications stay. You are never notified of something you can't see, and likes of comments are anonymous."
}

// NoticeSomeone says "Someone".
func (l Language) NoticeSomeone() string {
	if l == Russian {
		return "Кто-то"
	}
	return "Someone"
}

// NoticeStopLead says "You will get no more mails about notifications. Mails about your account, such as a link that you ask for, still come.".
func (l Language) NoticeStopLead() string {
	if l == Russian {
		return "Письма об уведомлениях больше не будут приходить. Письма об аккаунте, например ссылка, которую вы попросили, приходить будут."
	}
	return "You will get no more mails about notifications. Mails about your account, such as a link that you ask for, still come."
}

// NoticeStopNow says "Stop these mails".
func (l Language) NoticeStopNow() string {
	if l == Russian {
		return "Больше не присылать"
	}
	return "Stop these mails"
}

// NoticeStopTitle says "Stop mails".
func (l Language) NoticeStopTitle() string {
	if l == Russian {
		return "Отказ от писем"
	}
	return "Stop mails"
}

// NoticeStoppedLead says "You can turn them on again in the [notification settings].".
func (l Language) NoticeStoppedLead() Linked {
	if l == Russian {
		return Linked("Включить их снова можно в [настройках уведомлений].")
	}
	return Linked("You can turn them on again in the [notification settings].")
}

// NoticeStoppedTitle says "The mails are stopped".
func (l Language) NoticeStoppedTitle() string {
	if l == Russian {
		return "Письма больше не придут"
	}
	return "The mails are stopped"
}

// NoticeTitle says "Notifications".
func (l Language) NoticeTitle() string {
	if l == Russian {
		return "Уведомления"
	}
	return "Notifications"
}

// NoticeWantAccepted says "someone accepts my request to subscribe or to join".
func (l Language) NoticeWantAccepted() string {
	if l == Russian {
		return "мою заявку на подписку или вступление приняли"
	}
	return "someone accepts my request to subscribe or to join"
}

// NoticeWantComment says "someone comments on my posts".
func (l Language) NoticeWantComment() string {
	if l == Russian {
		return "комментируют мои посты"
	}
	return "someone comments on my posts"
}

// NoticeWantCommentLike says "someone likes my comments".
func (l Language) NoticeWantCommentLike() string {
	if l == Russian {
		return "лайкают мои комментарии"
	}
	return "someone likes my comments"
}

// NoticeWantDirect says "someone sends me a direct message, or comments on one".
func (l Language) NoticeWantDirect() string {
	if l == Russian {
		return "мне пишут личное сообщение или комментируют его"
	}
	return "someone sends me a direct message, or comments on one"
}

// NoticeWantIntake says "a feed that I import has failed for a day, or has stopped".
func (l Language) NoticeWantIntake() string {
	if l == Russian {
		return "импортируемая мной лента не работает сутки или остановилась"
	}
	return "a feed that I import has failed for a day, or has stopped"
}

// NoticeWantInvitation says "someone invites me".
func (l Language) NoticeWantInvitation() string {
	if l == Russian {
		return "меня приглашают"
	}
	return "someone invites me"
}

// NoticeWantLeft says "someone leaves a direct message of mine".
func (l Language) NoticeWantLeft() string {
	if l == Russian {
		return "кто-то вышел из моего личного сообщения"
	}
	return "someone leaves a direct message of mine"
}

// NoticeWantLike says "someone likes my posts".
func (l Language) NoticeWantLike() string {
	if l == Russian {
		return "лайкают мои посты"
	}
	return "someone likes my posts"
}

// NoticeWantMention says "someone mentions me".
func (l Language) NoticeWantMention() string {
	if l == Russian {
		return "меня упоминают"
	}
	return "someone mentions me"
}

// NoticeWantRequest says "someone asks to subscribe to me, or to join a group that I administer".
func (l Language) NoticeWantRequest() string {
	if l == Russian {
		return "просят о подписке на меня или о вступлении в мою группу"
	}
	return "someone asks to subscribe to me, or to join a group that I administer"
}

// NoticeWantSubscriber says "someone subscribes to me".
func (l Language) NoticeWantSubscriber() string {
	if l == Russian {
		return "на меня подписываются"
	}
	return "someone subscribes to me"
}

// OfflineKept says "Pages you opened recently".
func (l Language) OfflineKept() string {
	if l == Russian {
		return "Недавно открытые страницы"
	}
	return "Pages you opened recently"
}

// OfflineNotice says "You are offline. This is the page as of {at}; you can't send anything now.".
func (l Language) OfflineNotice(at string) string {
	if l == Russian {
		return "Нет соединения. Страница загружена: " + at + ". Отправить сейчас ничего нельзя."
	}
	return "You are offline. This is the page as of " + at + "; you can't send anything now."
}

// OfflineText says "This page will load once you are connected again.".
func (l Language) OfflineText() string {
	if l == Russian {
		return "Страница откроется сама, как только появится связь."
	}
	return "This page will load once you are connected again."
}

// OfflineTitle says "You are offline".
func (l Language) OfflineTitle() string {
	if l == Russian {
		return "Нет соединения"
	}
	return "You are offline"
}

// PictureAvatar says "Avatar".
func (l Language) PictureAvatar() string {
	if l == Russian {
		return "Аватар"
	}
	return "Avatar"
}

// PictureAvatarHint says "A square picture next to everything you write. JPEG, PNG, GIF, WebP or AVIF.".
func (l Language) PictureAvatarHint() string {
	if l == Russian {
		return "Квадратная картинка рядом со всем, что вы пишете. JPEG, PNG, GIF, WebP или AVIF."
	}
	return "A square picture next to everything you write. JPEG, PNG, GIF, WebP or AVIF."
}

// PictureAvatarRemove says "Remove the avatar".
func (l Language) PictureAvatarRemove() string {
	if l == Russian {
		return "Удалить аватар"
	}
	return "Remove the avatar"
}

// PictureCover says "Cover".
func (l Language) PictureCover() string {
	if l == Russian {
		return "Обложка"
	}
	return "Cover"
}

// PictureCoverHint says "A wide picture at the top of the page, four times as wide as it is high.".
func (l Language) PictureCoverHint() string {
	if l == Russian {
		return "Широкая картинка вверху страницы: ширина в четыре раза больше высоты."
	}
	return "A wide picture at the top of the page, four times as wide as it is high."
}

// PictureCoverRemove says "Remove the cover".
func (l Language) PictureCoverRemove() string {
	if l == Russian {
		return "Удалить обложку"
	}
	return "Remove the cover"
}

// PictureMove says "Choose the visible part: drag the picture, or move it with the arrow keys.".
func (l Language) PictureMove() string {
	if l == Russian {
		return "Видимая часть: перетащите картинку или двигайте её стрелками."
	}
	return "Choose the visible part: drag the picture, or move it with the arrow keys."
}

// PictureSave says "Upload".
func (l Language) PictureSave() string {
	if l == Russian {
		return "Загрузить"
	}
	return "Upload"
}

// PictureTitle says "Pictures".
func (l Language) PictureTitle() string {
	if l == Russian {
		return "Картинки"
	}
	return "Pictures"
}

// PictureZoom says "Zoom".
func (l Language) PictureZoom() string {
	if l == Russian {
		return "Масштаб"
	}
	return "Zoom"
}

// PostAutomatic says "Automatic".
func (l Language) PostAutomatic() string {
	if l == Russian {
		return "Автоматически"
	}
	return "Automatic"
}

// PostAutomaticIs says "Automatic: {language}".
func (l Language) PostAutomaticIs(language string) string {
	if l == Russian {
		return "Автоматически: " + language
	}
	return "Automatic: " + language
}

// PostChooseWhere says "Choose where it goes".
func (l Language) PostChooseWhere() string {
	if l == Russian {
		return "Выберите, куда отправить"
	}
	return "Choose where it goes"
}

// PostComments says "Comments".
func (l Language) PostComments() string {
	if l == Russian {
		return "Комментарии"
	}
	return "Comments"
}

// PostEditTitle says "Edit post".
func (l Language) PostEditTitle() string {
	if l == Russian {
		return "Изменить пост"
	}
	return "Edit post"
}

// PostFilter says "Find a group".
func (l Language) PostFilter() string {
	if l == Russian {
		return "Найти группу"
	}
	return "Find a group"
}

// PostForMembers says "the members of {group}".
func (l Language) PostForMembers(group string) string {
	if l == Russian {
		return "участники группы «" + group + "»"
	}
	return "the members of " + group
}

// PostForPrivate says "the subscribers of your private feed".
func (l Language) PostForPrivate() string {
	if l == Russian {
		return "подписчики вашей приватной ленты"
	}
	return "the subscribers of your private feed"
}

// PostForSubscribers says "your subscribers".
func (l Language) PostForSubscribers() string {
	if l == Russian {
		return "ваши подписчики"
	}
	return "your subscribers"
}

// PostForYou says "you".
func (l Language) PostForYou() string {
	if l == Russian {
		return "вы"
	}
	return "you"
}

// PostLabel says "Your post".
func (l Language) PostLabel() string {
	if l == Russian {
		return "Ваш пост"
	}
	return "Your post"
}

// PostLanguage says "Language".
func (l Language) PostLanguage() string {
	if l == Russian {
		return "Язык"
	}
	return "Language"
}

// PostLanguageAutomatic says "Language: automatic".
func (l Language) PostLanguageAutomatic() string {
	if l == Russian {
		return "Язык: авто"
	}
	return "Language: automatic"
}

// PostLanguageHint says "Search and the pages for each language depend on it.".
func (l Language) PostLanguageHint() string {
	if l == Russian {
		return "От него зависят поиск и страницы отдельных языков."
	}
	return "Search and the pages for each language depend on it."
}

// PostLinkOpen says "Open".
func (l Language) PostLinkOpen() string {
	if l == Russian {
		return "Открыть"
	}
	return "Open"
}

// PostLinkPreview says "Show a preview of the link".
func (l Language) PostLinkPreview() string {
	if l == Russian {
		return "Показывать превью ссылки"
	}
	return "Show a preview of the link"
}

// PostLinks says "Add to the post as links".
func (l Language) PostLinks() string {
	if l == Russian {
		return "Добавить в пост ссылками"
	}
	return "Add to the post as links"
}

// PostMore says "More settings".
func (l Language) PostMore() string {
	if l == Russian {
		return "Другие настройки"
	}
	return "More settings"
}

// PostMorePeople says "Send it to more people".
func (l Language) PostMorePeople() string {
	if l == Russian {
		return "Отправить ещё кому-нибудь"
	}
	return "Send it to more people"
}

// PostMorePeopleHint says "Names, separated by commas. These people will also see the comments, and you can't remove them later.".
func (l Language) PostMorePeopleHint() string {
	if l == Russian {
		return "Имена через запятую. Эти люди увидят и комментарии, убрать их потом нельзя."
	}
	return "Names, separated by commas. These people will also see the comments, and you can't remove them later."
}

// PostMorePlaces says "{n} more groups".
func (l Language) PostMorePlaces(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Ещё " + l.Number(n) + " группа"
		case few:
			return "Ещё " + l.Number(n) + " группы"
		}
		return "Ещё " + l.Number(n) + " групп"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " more group"
	}
	return l.Number(n) + " more groups"
}

// PostNew says "New post".
func (l Language) PostNew() string {
	if l == Russian {
		return "Новый пост"
	}
	return "New post"
}

// PostNoComments says "No comments".
func (l Language) PostNoComments() string {
	if l == Russian {
		return "Без комментариев"
	}
	return "No comments"
}

// PostOnlyMe says "Only I can comment".
func (l Language) PostOnlyMe() string {
	if l == Russian {
		return "Комментирую только я"
	}
	return "Only I can comment"
}

// PostPlaceholder says "What's on your mind?".
func (l Language) PostPlaceholder() string {
	if l == Russian {
		return "О чём вы думаете?"
	}
	return "What's on your mind?"
}

// PostPlaceholderDirect says "Write a message…".
func (l Language) PostPlaceholderDirect() string {
	if l == Russian {
		return "Напишите сообщение…"
	}
	return "Write a message…"
}

// PostPlaceholderGroup says "Write to {group}…".
func (l Language) PostPlaceholderGroup(group string) string {
	if l == Russian {
		return "Написать в «" + group + "»…"
	}
	return "Write to " + group + "…"
}

// PostPost says "Post".
func (l Language) PostPost() string {
	if l == Russian {
		return "Опубликовать"
	}
	return "Post"
}

// PostPostFyeo says "Post for my eyes only".
func (l Language) PostPostFyeo() string {
	if l == Russian {
		return "Сохранить для себя"
	}
	return "Post for my eyes only"
}

// PostPostTo says "Post to {group}".
func (l Language) PostPostTo(group string) string {
	if l == Russian {
		return "Опубликовать в группе «" + group + "»"
	}
	return "Post to " + group
}

// PostQuote says "“{text}”".
func (l Language) PostQuote(text string) string {
	if l == Russian {
		return "«" + text + "»"
	}
	return "“" + text + "”"
}

// PostSend says "Send".
func (l Language) PostSend() string {
	if l == Russian {
		return "Отправить"
	}
	return "Send"
}

// PostSentTo says "Sent to".
func (l Language) PostSentTo() string {
	if l == Russian {
		return "Отправлено"
	}
	return "Sent to"
}

// PostShareButton says "Post to {site}".
func (l Language) PostShareButton(site string) string {
	if l == Russian {
		return "Написать в " + site
	}
	return "Post to " + site
}

// PostShareHow says "Drag this button to your bookmarks bar. Press it on any page: a new post opens here with the title and the address of the page, and the text you selected.".
func (l Language) PostShareHow() string {
	if l == Russian {
		return "Перетащите эту кнопку на панель закладок и нажимайте её на любой странице: здесь откроется новый пост с заголовком и адресом страницы и с выделенным текстом."
	}
	return "Drag this button to your bookmarks bar. Press it on any page: a new post opens here with the title and the address of the page, and the text you selected."
}

// PostSharePhone says "On a phone, install {site} as an app. Then it appears in the “Share” menu of other apps.".
func (l Language) PostSharePhone(site string) string {
	if l == Russian {
		return "На телефоне установите " + site + " как приложение: тогда оно появится в меню «Поделиться» других приложений."
	}
	return "On a phone, install " + site + " as an app. Then it appears in the “Share” menu of other apps."
}

// PostShareTitle says "The share button".
func (l Language) PostShareTitle() string {
	if l == Russian {
		return "Кнопка «Поделиться»"
	}
	return "The share button"
}

// PostShared says "Share a page".
func (l Language) PostShared() string {
	if l == Russian {
		return "Поделиться страницей"
	}
	return "Share a page"
}

// PostText says "Text".
func (l Language) PostText() string {
	if l == Russian {
		return "Текст"
	}
	return "Text"
}

// PostTo says "To".
func (l Language) PostTo() string {
	if l == Russian {
		return "Кому"
	}
	return "To"
}

// PostToFeed says "your feed".
func (l Language) PostToFeed() string {
	if l == Russian {
		return "ваша лента"
	}
	return "your feed"
}

// PostToHint says "Names of people, separated by commas.".
func (l Language) PostToHint() string {
	if l == Russian {
		return "Имена людей через запятую."
	}
	return "Names of people, separated by commas."
}

// PostToPrivate says "your private feed".
func (l Language) PostToPrivate() string {
	if l == Russian {
		return "ваша приватная лента"
	}
	return "your private feed"
}

// PostToYou says "only you".
func (l Language) PostToYou() string {
	if l == Russian {
		return "только вы"
	}
	return "only you"
}

// PostWhere says "Where it is posted".
func (l Language) PostWhere() string {
	if l == Russian {
		return "Где он опубликован"
	}
	return "Where it is posted"
}

// PostWhereHint says "Moving a post does not bring it to the top again.".
func (l Language) PostWhereHint() string {
	if l == Russian {
		return "Перенос поста не поднимает его наверх."
	}
	return "Moving a post does not bring it to the top again."
}

// PostWhereItGoes says "Where it goes".
func (l Language) PostWhereItGoes() string {
	if l == Russian {
		return "Куда отправить"
	}
	return "Where it goes"
}

// ReadersBoth says "subscribers and members only".
func (l Language) ReadersBoth() string {
	if l == Russian {
		return "для подписчиков и участников"
	}
	return "subscribers and members only"
}

// ReadersBy says "Visible to {people}.".
func (l Language) ReadersBy(people string) string {
	if l == Russian {
		return "Читают: " + people + "."
	}
	return "Visible to " + people + "."
}

// ReadersDirect says "direct".
func (l Language) ReadersDirect() string {
	if l == Russian {
		return "личное"
	}
	return "direct"
}

// ReadersDirectLong says "Direct message: only the people it was sent to can read it.".
func (l Language) ReadersDirectLong() string {
	if l == Russian {
		return "Личное сообщение: его читают только те, кому оно отправлено."
	}
	return "Direct message: only the people it was sent to can read it."
}

// ReadersMembers says "members only".
func (l Language) ReadersMembers() string {
	if l == Russian {
		return "для участников"
	}
	return "members only"
}

// ReadersMembersOf says "members of {group}".
func (l Language) ReadersMembersOf(group string) string {
	if l == Russian {
		return "участники группы «" + group + "»"
	}
	return "members of " + group
}

// ReadersPrivate says "not public".
func (l Language) ReadersPrivate() string {
	if l == Russian {
		return "не для всех"
	}
	return "not public"
}

// ReadersPrivateOf says "subscribers to the private feed of {who}".
func (l Language) ReadersPrivateOf(who string) string {
	if l == Russian {
		return "подписчики приватной ленты " + who
	}
	return "subscribers to the private feed of " + who
}

// ReadersSigned says "signed in only".
func (l Language) ReadersSigned() string {
	if l == Russian {
		return "для вошедших"
	}
	return "signed in only"
}

// ReadersSignedLong says "Visible to everyone who is signed in.".
func (l Language) ReadersSignedLong() string {
	if l == Russian {
		return "Читают все, кто вошёл на сайт."
	}
	return "Visible to everyone who is signed in."
}

// ReadersSome says "Not everyone can read it.".
func (l Language) ReadersSome() string {
	if l == Russian {
		return "Это могут читать не все."
	}
	return "Not everyone can read it."
}

// ReadersSubscribers says "subscribers only".
func (l Language) ReadersSubscribers() string {
	if l == Russian {
		return "для подписчиков"
	}
	return "subscribers only"
}

// ReadersSubscribersOf says "subscribers to {who}".
func (l Language) ReadersSubscribersOf(who string) string {
	if l == Russian {
		return "подписчики ленты " + who
	}
	return "subscribers to " + who
}

// ReadersYou says "only you".
func (l Language) ReadersYou() string {
	if l == Russian {
		return "только вы"
	}
	return "only you"
}

// ReadersYouLong says "For your eyes only: no one else can read it.".
func (l Language) ReadersYouLong() string {
	if l == Russian {
		return "Только для себя: никто другой не может это прочитать."
	}
	return "For your eyes only: no one else can read it."
}

// ReadingFyeo says "Only you".
func (l Language) ReadingFyeo() string {
	if l == Russian {
		return "Только вы"
	}
	return "Only you"
}

// ReadingFyeoHint says "No one else can read it, not even subscribers. They keep their subscription and can read again when you reopen it.".
func (l Language) ReadingFyeoHint() string {
	if l == Russian {
		return "Её не читает никто другой, даже подписчики. Подписки сохранятся: когда вы снова откроете ленту, её опять смогут читать."
	}
	return "No one else can read it, not even subscribers. They keep their subscription and can read again when you reopen it."
}

// ReadingPrivate says "Private".
func (l Language) ReadingPrivate() string {
	if l == Russian {
		return "Закрытая"
	}
	return "Private"
}

// ReadingPrivateGroupHint says "Only members you let in can read it.".
func (l Language) ReadingPrivateGroupHint() string {
	if l == Russian {
		return "Её читают только принятые вами участники."
	}
	return "Only members you let in can read it."
}

// ReadingPrivateHint says "Only approved subscribers can read it.".
func (l Language) ReadingPrivateHint() string {
	if l == Russian {
		return "Её читают только одобренные подписчики."
	}
	return "Only approved subscribers can read it."
}

// ReadingProtected says "Protected".
func (l Language) ReadingProtected() string {
	if l == Russian {
		return "Защищённая"
	}
	return "Protected"
}

// ReadingProtectedHint says "People who are signed in can read it.".
func (l Language) ReadingProtectedHint() string {
	if l == Russian {
		return "Её читают те, кто вошёл на сайт."
	}
	return "People who are signed in can read it."
}

// ReadingPublic says "Public".
func (l Language) ReadingPublic() string {
	if l == Russian {
		return "Открытая"
	}
	return "Public"
}

// ReadingPublicHint says "Everyone can read it, signed in or not.".
func (l Language) ReadingPublicHint() string {
	if l == Russian {
		return "Её читают все, даже не входя на сайт."
	}
	return "Everyone can read it, signed in or not."
}

// ReadingRobots says "Public, but not for search engines".
func (l Language) ReadingRobots() string {
	if l == Russian {
		return "Открытая, но не для поисковых систем"
	}
	return "Public, but not for search engines"
}

// ReadingRobotsHint says "Everyone can read it; search engines are asked to leave it alone.".
func (l Language) ReadingRobotsHint() string {
	if l == Russian {
		return "Её читают все, но мы просим поисковые системы её не индексировать."
	}
	return "Everyone can read it; search engines are asked to leave it alone."
}

// RefusedBytes says "The file of the picture {name} is too large. Make the picture smaller, and add it again.".
func (l Language) RefusedBytes(name string) string {
	if l == Russian {
		return "Файл картинки " + name + " слишком большой. Уменьшите картинку и добавьте снова."
	}
	return "The file of the picture " + name + " is too large. Make the picture smaller, and add it again."
}

// RefusedDamaged says "The picture {name} is damaged or incomplete. Save it again, or choose another one.".
func (l Language) RefusedDamaged(name string) string {
	if l == Russian {
		return "Картинка " + name + " повреждена или неполна. Сохраните её заново или выберите другую."
	}
	return "The picture " + name + " is damaged or incomplete. Save it again, or choose another one."
}

// RefusedEffort says "The picture {name} takes too much time or memory to read. Make it smaller, or save it as JPEG, and add it again.".
func (l Language) RefusedEffort(name string) string {
	if l == Russian {
		return "Обработка картинки " + name + " требует слишком много времени или памяти. Уменьшите картинку или сохраните её как JPEG и добавьте снова."
	}
	return "The picture " + name + " takes too much time or memory to read. Make it smaller, or save it as JPEG, and add it again."
}

// RefusedFailed says "{name} could not be prepared. Add it again later.".
func (l Language) RefusedFailed(name string) string {
	if l == Russian {
		return "Файл " + name + " обработать не удалось. Добавьте его снова позже."
	}
	return name + " could not be prepared. Add it again later."
}

// RefusedFrames says "The picture {name} has too many frames. Shorten it, and add it again.".
func (l Language) RefusedFrames(name string) string {
	if l == Russian {
		return "В картинке " + name + " слишком много кадров. Сделайте её короче и добавьте снова."
	}
	return "The picture " + name + " has too many frames. Shorten it, and add it again."
}

// RefusedNoTool says "This server can't show pictures yet, so {name} was left out. Ask the people who run the server.".
func (l Language) RefusedNoTool(name string) string {
	if l == Russian {
		return "Этот сервер пока не показывает картинки, поэтому файла " + name + " здесь нет. Обратитесь к тем, кто управляет сервером."
	}
	return "This server can't show pictures yet, so " + name + " was left out. Ask the people who run the server."
}

// RefusedPixels says "The picture {name} has too many pixels. Make it smaller, and add it again.".
func (l Language) RefusedPixels(name string) string {
	if l == Russian {
		return "В картинке " + name + " слишком много пикселей. Уменьшите её и добавьте снова."
	}
	return "The picture " + name + " has too many pixels. Make it smaller, and add it again."
}

// RefusedType says "{name} is a picture of a type that can't be shown. Save it as JPEG or PNG, and add it again.".
func (l Language) RefusedType(name string) string {
	if l == Russian {
		return "Картинку " + name + " показать нельзя: её формат не подходит. Сохраните её как JPEG или PNG и добавьте снова."
	}
	return name + " is a picture of a type that can't be shown. Save it as JPEG or PNG, and add it again."
}

// ReportActComment says "Delete the comment".
func (l Language) ReportActComment() string {
	if l == Russian {
		return "Удалить комментарий"
	}
	return "Delete the comment"
}

// ReportActDismiss says "Leave everything as it is".
func (l Language) ReportActDismiss() string {
	if l == Russian {
		return "Оставить всё как есть"
	}
	return "Leave everything as it is"
}

// ReportActHide says "Hide the post".
func (l Language) ReportActHide() string {
	if l == Russian {
		return "Скрыть пост"
	}
	return "Hide the post"
}

// ReportActHideHint says "Only its author and administrators see it until you publish it again. The author may change the text.".
func (l Language) ReportActHideHint() string {
	if l == Russian {
		return "Его будут видеть только автор и администраторы, пока вы не опубликуете пост снова. Автор может изменить текст."
	}
	return "Only its author and administrators see it until you publish it again. The author may change the text."
}

// ReportActPost says "Delete the post".
func (l Language) ReportActPost() string {
	if l == Russian {
		return "Удалить пост"
	}
	return "Delete the post"
}

// ReportActSuspend says "Suspend {who}".
func (l Language) ReportActSuspend(who string) string {
	if l == Russian {
		return "Заблокировать " + who
	}
	return "Suspend " + who
}

// ReportActTakeOut says "Take the post out of {group}".
func (l Language) ReportActTakeOut(group string) string {
	if l == Russian {
		return "Убрать пост из группы " + group
	}
	return "Take the post out of " + group
}

// ReportActWarn says "Warn {who}".
func (l Language) ReportActWarn(who string) string {
	if l == Russian {
		return "Предупредить " + who
	}
	return "Warn " + who
}

// ReportBefore says "{n} earlier decisions about this person".
func (l Language) ReportBefore(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Раньше об этом человеке было " + l.Number(n) + " решение"
		case few:
			return "Раньше об этом человеке было " + l.Number(n) + " решения"
		}
		return "Раньше об этом человеке было " + l.Number(n) + " решений"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " earlier decision about this person"
	}
	return l.Number(n) + " earlier decisions about this person"
}

// ReportDays says "Days of the suspension".
func (l Language) ReportDays() string {
	if l == Russian {
		return "Дней блокировки"
	}
	return "Days of the suspension"
}

// ReportDaysHint says "Leave it empty to suspend the account until an administrator restores it.".
func (l Language) ReportDaysHint() string {
	if l == Russian {
		return "Оставьте пустым, чтобы блокировка действовала, пока администратор её не снимет."
	}
	return "Leave it empty to suspend the account until an administrator restores it."
}

// ReportDecide says "Decide".
func (l Language) ReportDecide() string {
	if l == Russian {
		return "Решить"
	}
	return "Decide"
}

// ReportHidden says "You may not read what was reported, or it is gone.".
func (l Language) ReportHidden() string {
	if l == Russian {
		return "Вам это недоступно, или этого уже нет."
	}
	return "You may not read what was reported, or it is gone."
}

// ReportLead says "Administrators read your report and decide what to do. {who} is not told who reported.".
func (l Language) ReportLead(who string) string {
	if l == Russian {
		return "Администраторы прочтут жалобу и решат, что делать. " + who + " не узнает, кто пожаловался."
	}
	return "Administrators read your report and decide what to do. " + who + " is not told who reported."
}

// ReportLeadDecision says "The administrators who decided read your objection, and answer it.".
func (l Language) ReportLeadDecision() string {
	if l == Russian {
		return "Администраторы, которые приняли решение, прочтут возражение и ответят на него."
	}
	return "The administrators who decided read your objection, and answer it."
}

// ReportOfComment says "Report a comment by {who}".
func (l Language) ReportOfComment(who string) string {
	if l == Russian {
		return "Жалоба на комментарий " + who
	}
	return "Report a comment by " + who
}

// ReportOfDecision says "Object to a decision".
func (l Language) ReportOfDecision() string {
	if l == Russian {
		return "Возражение против решения"
	}
	return "Object to a decision"
}

// ReportOfPerson says "Report {who}".
func (l Language) ReportOfPerson(who string) string {
	if l == Russian {
		return "Жалоба на " + who
	}
	return "Report " + who
}

// ReportOfPost says "Report a post by {who}".
func (l Language) ReportOfPost(who string) string {
	if l == Russian {
		return "Жалоба на пост " + who
	}
	return "Report a post by " + who
}

// ReportQuote says "Pass the text on".
func (l Language) ReportQuote() string {
	if l == Russian {
		return "Передать текст"
	}
	return "Pass the text on"
}

// ReportQuoteHint says "Not everyone may read it. Administrators who may not read it see only what you pass on.".
func (l Language) ReportQuoteHint() string {
	if l == Russian {
		return "Этот текст могут читать не все. Администраторы, которым он недоступен, увидят только то, что вы передадите."
	}
	return "Not everyone may read it. Administrators who may not read it see only what you pass on."
}

// ReportQuoted says "{by} passed this on:".
func (l Language) ReportQuoted(by string) string {
	if l == Russian {
		return by + " передаёт текст:"
	}
	return by + " passed this on:"
}

// ReportReason says "What is wrong?".
func (l Language) ReportReason() string {
	if l == Russian {
		return "Что не так?"
	}
	return "What is wrong?"
}

// ReportReasonTold says "{who} reads it, unless you leave everything as it is.".
func (l Language) ReportReasonTold(who string) string {
	if l == Russian {
		return who + " прочтёт её, если вы не оставите всё как есть."
	}
	return who + " reads it, unless you leave everything as it is."
}

// ReportSaidComment says "{by} reports a comment by {who}.".
func (l Language) ReportSaidComment(by string, who string) string {
	if l == Russian {
		return by + " жалуется на комментарий " + who + "."
	}
	return by + " reports a comment by " + who + "."
}

// ReportSaidDecision says "{by} objects to a decision.".
func (l Language) ReportSaidDecision(by string) string {
	if l == Russian {
		return by + " возражает против решения."
	}
	return by + " objects to a decision."
}

// ReportSaidPerson says "{by} reports {who}.".
func (l Language) ReportSaidPerson(by string, who string) string {
	if l == Russian {
		return by + " жалуется на " + who + "."
	}
	return by + " reports " + who + "."
}

// ReportSaidPost says "{by} reports a post by {who}.".
func (l Language) ReportSaidPost(by string, who string) string {
	if l == Russian {
		return by + " жалуется на пост " + who + "."
	}
	return by + " reports a post by " + who + "."
}

// ReportSend says "Send".
func (l Language) ReportSend() string {
	if l == Russian {
		return "Отправить"
	}
	return "Send"
}

// ReportSent says "Thank you. You will get a notification when administrators have looked at it.".
func (l Language) ReportSent() string {
	if l == Russian {
		return "Спасибо. Вы получите уведомление, когда администраторы её рассмотрят."
	}
	return "Thank you. You will get a notification when administrators have looked at it."
}

// ReportSentTitle says "Your report was sent".
func (l Language) ReportSentTitle() string {
	if l == Russian {
		return "Жалоба отправлена"
	}
	return "Your report was sent"
}

// ReportTo says "Who decides?".
func (l Language) ReportTo() string {
	if l == Russian {
		return "Кто решает?"
	}
	return "Who decides?"
}

// ReportToGroup says "The administrators of {group}".
func (l Language) ReportToGroup(group string) string {
	if l == Russian {
		return "Администраторы группы " + group
	}
	return "The administrators of " + group
}

// ReportToSite says "The administrators of the site".
func (l Language) ReportToSite() string {
	if l == Russian {
		return "Администраторы сайта"
	}
	return "The administrators of the site"
}

// ReportWhat says "Decision".
func (l Language) ReportWhat() string {
	if l == Russian {
		return "Решение"
	}
	return "Decision"
}

// ReportsClosed says "Decided".
func (l Language) ReportsClosed() string {
	if l == Russian {
		return "Решённые"
	}
	return "Decided"
}

// ReportsClosedNone says "Nothing was decided yet.".
func (l Language) ReportsClosedNone() string {
	if l == Russian {
		return "Решений пока нет."
	}
	return "Nothing was decided yet."
}

// ReportsLead says "What people reported to you. Your decision closes all reports of the same thing.".
func (l Language) ReportsLead() string {
	if l == Russian {
		return "На что вам пожаловались. Решение закрывает все жалобы на одно и то же."
	}
	return "What people reported to you. Your decision closes all reports of the same thing."
}

// ReportsNone says "No report waits for you.".
func (l Language) ReportsNone() string {
	if l == Russian {
		return "Жалоб нет."
	}
	return "No report waits for you."
}

// ReportsOpen says "Open".
func (l Language) ReportsOpen() string {
	if l == Russian {
		return "Ждут решения"
	}
	return "Open"
}

// ReportsTitle says "Reports".
func (l Language) ReportsTitle() string {
	if l == Russian {
		return "Жалобы"
	}
	return "Reports"
}

// RequestAccept says "Accept".
func (l Language) RequestAccept() string {
	if l == Russian {
		return "Принять"
	}
	return "Accept"
}

// RequestAdministrator says "administrator".
func (l Language) RequestAdministrator() string {
	if l == Russian {
		return "администратор"
	}
	return "administrator"
}

// RequestAskFeed says "asks to subscribe to you".
func (l Language) RequestAskFeed() string {
	if l == Russian {
		return "просит о подписке на вас"
	}
	return "asks to subscribe to you"
}

// RequestAskJoin says "asks to join".
func (l Language) RequestAskJoin() string {
	if l == Russian {
		return "просит принять в группу"
	}
	return "asks to join"
}

// RequestAskPrivate says "asks to subscribe to your private feed".
func (l Language) RequestAskPrivate() string {
	if l == Russian {
		return "просит доступ к вашей приватной ленте"
	}
	return "asks to subscribe to your private feed"
}

// RequestAsking says "Requests to you".
func (l Language) RequestAsking() string {
	if l == Russian {
		return "Заявки вам"
	}
	return "Requests to you"
}

// RequestBlock says "Block".
func (l Language) RequestBlock() string {
	if l == Russian {
		return "Закрыть доступ"
	}
	return "Block"
}

// RequestDecline says "Decline".
func (l Language) RequestDecline() string {
	if l == Russian {
		return "Отклонить"
	}
	return "Decline"
}

// RequestInvitations says "Invitations".
func (l Language) RequestInvitations() string {
	if l == Russian {
		return "Приглашения"
	}
	return "Invitations"
}

// RequestInviteFeed says "invites you to subscribe".
func (l Language) RequestInviteFeed() string {
	if l == Russian {
		return "приглашает вас подписаться"
	}
	return "invites you to subscribe"
}

// RequestInviteJoin says "invites you to join".
func (l Language) RequestInviteJoin() string {
	if l == Russian {
		return "приглашает вас в группу"
	}
	return "invites you to join"
}

// RequestInvitePrivate says "invites you to subscribe to their private feed".
func (l Language) RequestInvitePrivate() string {
	if l == Russian {
		return "приглашает вас в свою приватную ленту"
	}
	return "invites you to subscribe to their private feed"
}

// RequestLikers says "People who like this post".
func (l Language) RequestLikers() string {
	if l == Russian {
		return "Кто поставил лайк"
	}
	return "People who like this post"
}

// RequestLikersNone says "No one likes this post yet.".
func (l Language) RequestLikersNone() string {
	if l == Russian {
		return "Лайков пока нет."
	}
	return "No one likes this post yet."
}

// RequestMakeAdmin says "Make administrator".
func (l Language) RequestMakeAdmin() string {
	if l == Russian {
		return "Сделать администратором"
	}
	return "Make administrator"
}

// RequestMembers says "Members".
func (l Language) RequestMembers() string {
	if l == Russian {
		return "Участники"
	}
	return "Members"
}

// RequestMembersNone says "No members yet.".
func (l Language) RequestMembersNone() string {
	if l == Russian {
		return "Участников пока нет."
	}
	return "No members yet."
}

// RequestNone says "No requests yet.".
func (l Language) RequestNone() string {
	if l == Russian {
		return "Заявок пока нет."
	}
	return "No requests yet."
}

// RequestNoneText says "Requests to subscribe to you or to join your groups, and invitations to you, appear here.".
func (l Language) RequestNoneText() string {
	if l == Russian {
		return "Здесь появляются заявки на подписку и на вступление в ваши группы, а также приглашения для вас."
	}
	return "Requests to subscribe to you or to join your groups, and invitations to you, appear here."
}

// RequestReject says "Reject".
func (l Language) RequestReject() string {
	if l == Russian {
		return "Отклонить"
	}
	return "Reject"
}

// RequestRemove says "Remove".
func (l Language) RequestRemove() string {
	if l == Russian {
		return "Убрать"
	}
	return "Remove"
}

// RequestSubscribers says "Subscribers".
func (l Language) RequestSubscribers() string {
	if l == Russian {
		return "Подписчики"
	}
	return "Subscribers"
}

// RequestSubscribersNone says "No subscribers yet.".
func (l Language) RequestSubscribersNone() string {
	if l == Russian {
		return "Подписчиков пока нет."
	}
	return "No subscribers yet."
}

// RequestSubscriptions says "Subscriptions".
func (l Language) RequestSubscriptions() string {
	if l == Russian {
		return "Подписки"
	}
	return "Subscriptions"
}

// RequestSubscriptionsNone says "No subscriptions yet.".
func (l Language) RequestSubscriptionsNone() string {
	if l == Russian {
		return "Подписок пока нет."
	}
	return "No subscriptions yet."
}

// RequestTitle says "Requests".
func (l Language) RequestTitle() string {
	if l == Russian {
		return "Заявки"
	}
	return "Requests"
}

// SearchForget says "Delete saved search".
func (l Language) SearchForget() string {
	if l == Russian {
		return "Удалить сохранённый поиск"
	}
	return "Delete saved search"
}

// SearchHelpAfter says "published on that day or later (UTC)".
func (l Language) SearchHelpAfter() string {
	if l == Russian {
		return "посты, опубликованные в этот день или позже (UTC)"
	}
	return "published on that day or later (UTC)"
}

// SearchHelpBefore says "published before that day".
func (l Language) SearchHelpBefore() string {
	if l == Russian {
		return "посты, опубликованные до этого дня"
	}
	return "published before that day"
}

// SearchHelpCommented says "that anna commented on; with several names, that all of them commented on".
func (l Language) SearchHelpCommented() string {
	if l == Russian {
		return "посты, которые комментирует anna; если имён несколько — каждый из них"
	}
	return "that anna commented on; with several names, that all of them commented on"
}

// SearchHelpFrom says "by anna; with several names, by any of them".
func (l Language) SearchHelpFrom() string {
	if l == Russian {
		return "посты anna; если имён несколько — посты любого из них"
	}
	return "by anna; with several names, by any of them"
}

// SearchHelpGroup says "posted to the group; with several groups, to any of them".
func (l Language) SearchHelpGroup() string {
	if l == Russian {
		return "посты в этой группе; если групп несколько — в любой из них"
	}
	return "posted to the group; with several groups, to any of them"
}

// SearchHelpHas says "with a photo; also has:video, has:audio and has:file".
func (l Language) SearchHelpHas() string {
	if l == Russian {
		return "посты с фотографией; ещё есть has:video, has:audio и has:file"
	}
	return "with a photo; also has:video, has:audio and has:file"
}

// SearchHelpIn says "finds the words in comments".
func (l Language) SearchHelpIn() string {
	if l == Russian {
		return "поиск слов в комментариях"
	}
	return "finds the words in comments"
}

// SearchHelpLiked says "that anna likes; with several names, that all of them like".
func (l Language) SearchHelpLiked() string {
	if l == Russian {
		return "посты, которым anna ставит лайк; если имён несколько — лайк каждого из них"
	}
	return "that anna likes; with several names, that all of them like"
}

// SearchHelpNot says "without this word; a minus works before almost anything".
func (l Language) SearchHelpNot() string {
	if l == Russian {
		return "без этого слова; минус можно ставить почти перед любым условием"
	}
	return "without this word; a minus works before almost anything"
}

// SearchHelpPhrase says "these words together".
func (l Language) SearchHelpPhrase() string {
	if l == Russian {
		return "эти слова рядом"
	}
	return "these words together"
}

// SearchHelpTag says "with the tag".
func (l Language) SearchHelpTag() string {
	if l == Russian {
		return "посты с этим тегом"
	}
	return "with the tag"
}

// SearchHelpWords says "posts with both words, in any of their forms".
func (l Language) SearchHelpWords() string {
	if l == Russian {
		return "посты с обоими словами в любой форме"
	}
	return "posts with both words, in any of their forms"
}

// SearchIsSaved says "You saved this search".
func (l Language) SearchIsSaved() string {
	if l == Russian {
		return "Этот поиск сохранён"
	}
	return "You saved this search"
}

// SearchLabel says "Search posts".
func (l Language) SearchLabel() string {
	if l == Russian {
		return "Искать посты"
	}
	return "Search posts"
}

// SearchOr says "Or find [people by name], or browse the [groups].".
func (l Language) SearchOr() Linked {
	if l == Russian {
		return Linked("Или найдите [людей по имени] либо посмотрите [группы].")
	}
	return Linked("Or find [people by name], or browse the [groups].")
}

// SearchPeople says "People and groups".
func (l Language) SearchPeople() string {
	if l == Russian {
		return "Люди и группы"
	}
	return "People and groups"
}

// SearchSave says "Save".
func (l Language) SearchSave() string {
	if l == Russian {
		return "Сохранить"
	}
	return "Save"
}

// SearchSaveName says "Name this search".
func (l Language) SearchSaveName() string {
	if l == Russian {
		return "Название поиска"
	}
	return "Name this search"
}

// SearchSaveThis says "Save this search".
func (l Language) SearchSaveThis() string {
	if l == Russian {
		return "Сохранить этот поиск"
	}
	return "Save this search"
}

// SearchSaved says "Saved searches".
func (l Language) SearchSaved() string {
	if l == Russian {
		return "Сохранённые поиски"
	}
	return "Saved searches"
}

// SearchSubmit says "Search".
func (l Language) SearchSubmit() string {
	if l == Russian {
		return "Найти"
	}
	return "Search"
}

// SearchTips says "Search tips".
func (l Language) SearchTips() string {
	if l == Russian {
		return "Как искать"
	}
	return "Search tips"
}

// SearchTitle says "Search".
func (l Language) SearchTitle() string {
	if l == Russian {
		return "Поиск"
	}
	return "Search"
}

// SettingsAbout says "About you".
func (l Language) SettingsAbout() string {
	if l == Russian {
		return "О вас"
	}
	return "About you"
}

// SettingsAccount says "Account".
func (l Language) SettingsAccount() string {
	if l == Russian {
		return "Аккаунт"
	}
	return "Account"
}

// SettingsAppearance says "Appearance".
func (l Language) SettingsAppearance() string {
	if l == Russian {
		return "Оформление"
	}
	return "Appearance"
}

// SettingsData says "Your data".
func (l Language) SettingsData() string {
	if l == Russian {
		return "Ваши данные"
	}
	return "Your data"
}

// SettingsDelete says "Delete account".
func (l Language) SettingsDelete() string {
	if l == Russian {
		return "Удаление аккаунта"
	}
	return "Delete account"
}

// SettingsDeleteClosed says "{group*} has no other members. It is closed for good when your account is erased.".
func (l Language) SettingsDeleteClosed() Filled {
	if l == Russian {
		return Filled("В группе \x01 больше никого нет. Она закроется навсегда, когда аккаунт будет удалён окончательно.")
	}
	return Filled("\x01 has no other members. It is closed for good when your account is erased.")
}

// SettingsDeleteCopy says "To keep a copy, [make an export] first.".
func (l Language) SettingsDeleteCopy() Linked {
	if l == Russian {
		return Linked("Чтобы у вас осталась копия, сначала [сделайте экспорт].")
	}
	return Linked("To keep a copy, [make an export] first.")
}

// SettingsDeleteFinal says "After {days} days everything is erased for good: your posts with their comments, your comments and likes on other posts, your subscriptions and direct messages.".
func (l Language) SettingsDeleteFinal(days string) string {
	if l == Russian {
		return "Через " + days + " дней всё будет удалено навсегда: ваши посты с комментариями, ваши комментарии и лайки к чужим постам, подписки и личные сообщения."
	}
	return "After " + days + " days everything is erased for good: your posts with their comments, your comments and likes on other posts, your subscriptions and direct messages."
}

// SettingsDeleteHeir says "No one else administers {group*}. {heir*}, its member for the longest time, becomes its administrator.".
func (l Language) SettingsDeleteHeir() Filled {
	if l == Russian {
		return Filled("Кроме вас, у группы \x01 нет администраторов. Администратором станет \x02 — дольше всех в группе.")
	}
	return Filled("No one else administers \x01. \x02, its member for the longest time, becomes its administrator.")
}

// SettingsDeleteHeirOther says "To choose someone else, [make them an administrator] first.".
func (l Language) SettingsDeleteHeirOther() Linked {
	if l == Russian {
		return Linked("Если вы хотите выбрать кого-то другого, сначала [назначьте администратора].")
	}
	return Linked("To choose someone else, [make them an administrator] first.")
}

// SettingsDeleteLater says "If you sign in within {days} days, you can press “Come back”. Then everything is as it was, except for requests and invitations that waited for an answer.".
func (l Language) SettingsDeleteLater(days string) string {
	if l == Russian {
		return "Если войти на сайт в течение " + days + " дней, можно нажать «Вернуться». Тогда всё станет как было, кроме запросов и приглашений, на которые никто не успел ответить."
	}
	return "If you sign in within " + days + " days, you can press “Come back”. Then everything is as it was, except for requests and invitations that waited for an answer."
}

// SettingsDeleteLead says "You can come back for {days} days. What happens:".
func (l Language) SettingsDeleteLead(days string) string {
	if l == Russian {
		return "В течение " + days + " дней можно вернуться. Что произойдёт:"
	}
	return "You can come back for " + days + " days. What happens:"
}

// SettingsDeleteName says "Your username stays taken, so that no one can pretend to be you.".
func (l Language) SettingsDeleteName() string {
	if l == Russian {
		return "Ваш логин останется занятым, чтобы никто не выдал себя за вас."
	}
	return "Your username stays taken, so that no one can pretend to be you."
}

// SettingsDeleteNow says "At once no one sees anything that you wrote, and you are signed out everywhere. Your API tokens stop working for good.".
func (l Language) SettingsDeleteNow() string {
	if l == Russian {
		return "Всё, что вы написали, сразу перестанет быть видно, а на всех устройствах будет выполнен выход. Токены API навсегда перестанут работать."
	}
	return "At once no one sees anything that you wrote, and you are signed out everywhere. Your API tokens stop working for good."
}

// SettingsDeleteOpen says "Delete my account…".
func (l Language) SettingsDeleteOpen() string {
	if l == Russian {
		return "Удалить мой аккаунт…"
	}
	return "Delete my account…"
}

// SettingsDeletePassword says "Your password".
func (l Language) SettingsDeletePassword() string {
	if l == Russian {
		return "Ваш пароль"
	}
	return "Your password"
}

// SettingsDeleteSure says "Delete my account and everything I wrote".
func (l Language) SettingsDeleteSure() string {
	if l == Russian {
		return "Удалить мой аккаунт и всё, что в нём есть"
	}
	return "Delete my account and everything I wrote"
}

// SettingsDensity says "Density".
func (l Language) SettingsDensity() string {
	if l == Russian {
		return "Плотность"
	}
	return "Density"
}

// SettingsDensityComfortable says "Comfortable".
func (l Language) SettingsDensityComfortable() string {
	if l == Russian {
		return "Свободно"
	}
	return "Comfortable"
}

// SettingsDensityCompact says "Compact".
func (l Language) SettingsDensityCompact() string {
	if l == Russian {
		return "Компактно"
	}
	return "Compact"
}

// SettingsDensityCompactHint says "Smaller text and spacing, so more fits on the screen.".
func (l Language) SettingsDensityCompactHint() string {
	if l == Russian {
		return "Текст и отступы меньше, на экране помещается больше."
	}
	return "Smaller text and spacing, so more fits on the screen."
}

// SettingsDevice says "{browser} on {system}".
func (l Language) SettingsDevice(browser string, system string) string {
	if l == Russian {
		return browser + ", " + system
	}
	return browser + " on " + system
}

// SettingsDeviceUnknown says "Unknown device".
func (l Language) SettingsDeviceUnknown() string {
	if l == Russian {
		return "Неизвестное устройство"
	}
	return "Unknown device"
}

// SettingsDirects says "Who can message you".
func (l Language) SettingsDirects() string {
	if l == Russian {
		return "Кто может писать вам лично"
	}
	return "Who can message you"
}

// SettingsDirectsAnybody says "Everyone".
func (l Language) SettingsDirectsAnybody() string {
	if l == Russian {
		return "Все"
	}
	return "Everyone"
}

// SettingsDirectsAnybodyHint says "Except people you have banned or who banned you.".
func (l Language) SettingsDirectsAnybodyHint() string {
	if l == Russian {
		return "Кроме тех, кого забанили вы или кто забанил вас."
	}
	return "Except people you have banned or who banned you."
}

// SettingsDirectsSubscriptions says "People I subscribe to".
func (l Language) SettingsDirectsSubscriptions() string {
	if l == Russian {
		return "Только люди из моих подписок"
	}
	return "People I subscribe to"
}

// SettingsDisplay says "Display name".
func (l Language) SettingsDisplay() string {
	if l == Russian {
		return "Отображаемое имя"
	}
	return "Display name"
}

// SettingsEmail says "E-mail".
func (l Language) SettingsEmail() string {
	if l == Russian {
		return "E-mail"
	}
	return "E-mail"
}

// SettingsEmailAddress says "E-mail address".
func (l Language) SettingsEmailAddress() string {
	if l == Russian {
		return "Адрес e-mail"
	}
	return "E-mail address"
}

// SettingsEmailAgain says "Send the mail again".
func (l Language) SettingsEmailAgain() string {
	if l == Russian {
		return "Отправить письмо ещё раз"
	}
	return "Send the mail again"
}

// SettingsEmailConfirmed says "The address is confirmed.".
func (l Language) SettingsEmailConfirmed() string {
	if l == Russian {
		return "Адрес подтверждён."
	}
	return "The address is confirmed."
}

// SettingsEmailFailed says "Mail to {address} came back: there is no such mailbox. Correct the address, or confirm it once more.".
func (l Language) SettingsEmailFailed(address string) string {
	if l == Russian {
		return "Письмо на " + address + " вернулось: такого ящика нет. Исправьте адрес или подтвердите его ещё раз."
	}
	return "Mail to " + address + " came back: there is no such mailbox. Correct the address, or confirm it once more."
}

// SettingsEmailKeep says "Keep the present address".
func (l Language) SettingsEmailKeep() string {
	if l == Russian {
		return "Оставить прежний адрес"
	}
	return "Keep the present address"
}

// SettingsEmailLead says "You can sign in with this address; no one else sees it. This site can't send e-mail yet, so the address isn't confirmed and won't help if you forget your password.".
func (l Language) SettingsEmailLead() string {
	if l == Russian {
		return "С этим адресом можно входить на сайт; никто другой его не видит. Сайт пока не умеет отправлять письма, поэтому адрес не подтверждён и не поможет, если вы забудете пароль."
	}
	return "You can sign in with this address; no one else sees it. This site can't send e-mail yet, so the address isn't confirmed and won't help if you forget your password."
}

// SettingsEmailLeadMail says "You can sign in with this address. If you forget your password, we send a link to it. No one else sees it.".
func (l Language) SettingsEmailLeadMail() string {
	if l == Russian {
		return "С этим адресом можно входить на сайт. Если вы забудете пароль, мы пришлём на него ссылку. Больше его никто не увидит."
	}
	return "You can sign in with this address. If you forget your password, we send a link to it. No one else sees it."
}

// SettingsEmailSave says "Change e-mail".
func (l Language) SettingsEmailSave() string {
	if l == Russian {
		return "Сменить e-mail"
	}
	return "Change e-mail"
}

// SettingsEmailUnconfirmed says "The address isn't confirmed yet. Open the link in the mail that we sent to {address}.".
func (l Language) SettingsEmailUnconfirmed(address string) string {
	if l == Russian {
		return "Адрес ещё не подтверждён. Откройте ссылку из письма, которое мы отправили на " + address + "."
	}
	return "The address isn't confirmed yet. Open the link in the mail that we sent to " + address + "."
}

// SettingsEmailWanted says "We sent a mail to {address}. It becomes your address when you open the link in the mail.".
func (l Language) SettingsEmailWanted(address string) string {
	if l == Russian {
		return "Мы отправили письмо на " + address + ". Этот адрес станет вашим, когда вы откроете ссылку из письма."
	}
	return "We sent a mail to " + address + ". It becomes your address when you open the link in the mail."
}

// SettingsFeed says "Who can read your feed".
func (l Language) SettingsFeed() string {
	if l == Russian {
		return "Кто читает вашу ленту"
	}
	return "Who can read your feed"
}

// SettingsLanguage says "Language of the site".
func (l Language) SettingsLanguage() string {
	if l == Russian {
		return "Язык сайта"
	}
	return "Language of the site"
}

// SettingsLanguageAutomatic says "Automatic: my browser's language".
func (l Language) SettingsLanguageAutomatic() string {
	if l == Russian {
		return "Автоматически: как в браузере"
	}
	return "Automatic: my browser's language"
}

// SettingsLanguageHint says "The language of buttons and messages.".
func (l Language) SettingsLanguageHint() string {
	if l == Russian {
		return "Язык кнопок и сообщений."
	}
	return "The language of buttons and messages."
}

// SettingsName says "Username".
func (l Language) SettingsName() string {
	if l == Russian {
		return "Логин"
	}
	return "Username"
}

// SettingsNameHint says "The address of your page. Your old username stays yours and leads here.".
func (l Language) SettingsNameHint() string {
	if l == Russian {
		return "Адрес вашей страницы. Старый логин останется за вами и будет вести сюда."
	}
	return "The address of your page. Your old username stays yours and leads here."
}

// SettingsNameSave says "Change username".
func (l Language) SettingsNameSave() string {
	if l == Russian {
		return "Сменить логин"
	}
	return "Change username"
}

// SettingsOwn says "Your home page".
func (l Language) SettingsOwn() string {
	if l == Russian {
		return "Ваша главная страница"
	}
	return "Your home page"
}

// SettingsOwnHide says "Hide my own posts".
func (l Language) SettingsOwnHide() string {
	if l == Russian {
		return "Не показывать мои посты"
	}
	return "Hide my own posts"
}

// SettingsOwnHideHint says "You will still find them on your own page and in your discussions.".
func (l Language) SettingsOwnHideHint() string {
	if l == Russian {
		return "Они есть на вашей странице и в обсуждениях."
	}
	return "You will still find them on your own page and in your discussions."
}

// SettingsOwnShow says "Show my own posts".
func (l Language) SettingsOwnShow() string {
	if l == Russian {
		return "Показывать мои посты"
	}
	return "Show my own posts"
}

// SettingsPasskeyAdd says "Add a passkey".
func (l Language) SettingsPasskeyAdd() string {
	if l == Russian {
		return "Добавить ключ входа"
	}
	return "Add a passkey"
}

// SettingsPasskeyEdit says "Rename or remove".
func (l Language) SettingsPasskeyEdit() string {
	if l == Russian {
		return "Переименовать или удалить"
	}
	return "Rename or remove"
}

// SettingsPasskeyFailed says "Your browser made no passkey. Perhaps this device has one for your account already.".
func (l Language) SettingsPasskeyFailed() string {
	if l == Russian {
		return "Браузер не создал ключ входа. Возможно, на этом устройстве он для вашего аккаунта уже есть."
	}
	return "Your browser made no passkey. Perhaps this device has one for your account already."
}

// SettingsPasskeyName says "Name of the passkey".
func (l Language) SettingsPasskeyName() string {
	if l == Russian {
		return "Название ключа"
	}
	return "Name of the passkey"
}

// SettingsPasskeyNameHint says "So that you recognize it here, for example the name of the device.".
func (l Language) SettingsPasskeyNameHint() string {
	if l == Russian {
		return "Чтобы узнать его в этом списке: например, название устройства."
	}
	return "So that you recognize it here, for example the name of the device."
}

// SettingsPasskeyNone says "You have no passkeys yet.".
func (l Language) SettingsPasskeyNone() string {
	if l == Russian {
		return "У вас пока нет ключей входа."
	}
	return "You have no passkeys yet."
}

// SettingsPasskeyRemove says "Remove passkey".
func (l Language) SettingsPasskeyRemove() string {
	if l == Russian {
		return "Удалить ключ"
	}
	return "Remove passkey"
}

// SettingsPasskeyRemoveHint says "Also delete it on your device or in your password manager, which would offer it again.".
func (l Language) SettingsPasskeyRemoveHint() string {
	if l == Russian {
		return "Удалите его и на устройстве или в менеджере паролей, иначе он продолжит его предлагать."
	}
	return "Also delete it on your device or in your password manager, which would offer it again."
}

// SettingsPasskeyUnused says "added {when*}, not used yet".
func (l Language) SettingsPasskeyUnused() Filled {
	if l == Russian {
		return Filled("добавлен \x01, ещё не использовался")
	}
	return Filled("added \x01, not used yet")
}

// SettingsPasskeyUsed says "added {when*}, last used {used*}".
func (l Language) SettingsPasskeyUsed() Filled {
	if l == Russian {
		return Filled("добавлен \x01, последнее использование \x02")
	}
	return Filled("added \x01, last used \x02")
}

// SettingsPasskeys says "Passkeys".
func (l Language) SettingsPasskeys() string {
	if l == Russian {
		return "Ключи входа"
	}
	return "Passkeys"
}

// SettingsPasskeysLead says "With a passkey you sign in by your fingerprint, your face or the PIN of your device, without a password. No one can guess it, and it works on this site alone. Your password keeps working.".
func (l Language) SettingsPasskeysLead() string {
	if l == Russian {
		return "С ключом входа (passkey) не нужен пароль: достаточно отпечатка пальца, лица или PIN-кода устройства. Его нельзя подобрать, и работает он только на этом сайте. Пароль тоже продолжит работать."
	}
	return "With a passkey you sign in by your fingerprint, your face or the PIN of your device, without a password. No one can guess it, and it works on this site alone. Your password keeps working."
}

// SettingsPassword says "Password".
func (l Language) SettingsPassword() string {
	if l == Russian {
		return "Пароль"
	}
	return "Password"
}

// SettingsPasswordForgot says "You signed in by a link. For an hour you can set a new password here without the old one. It signs you out everywhere else.".
func (l Language) SettingsPasswordForgot() string {
	if l == Russian {
		return "Вы вошли по ссылке. В течение часа можно задать новый пароль, не вводя старый. На всех остальных устройствах вы выйдете."
	}
	return "You signed in by a link. For an hour you can set a new password here without the old one. It signs you out everywhere else."
}

// SettingsPasswordHint says "At least 8 characters.".
func (l Language) SettingsPasswordHint() string {
	if l == Russian {
		return "Не меньше 8 символов."
	}
	return "At least 8 characters."
}

// SettingsPasswordLead says "A new password signs you out everywhere else.".
func (l Language) SettingsPasswordLead() string {
	if l == Russian {
		return "После смены пароля на всех других устройствах придётся войти заново."
	}
	return "A new password signs you out everywhere else."
}

// SettingsPasswordNew says "New password".
func (l Language) SettingsPasswordNew() string {
	if l == Russian {
		return "Новый пароль"
	}
	return "New password"
}

// SettingsPasswordNone says "You have no password yet. With a password you can sign in by your username. Setting one signs you out everywhere else.".
func (l Language) SettingsPasswordNone() string {
	if l == Russian {
		return "У вас ещё нет пароля. С паролем можно входить по логину. Когда вы его зададите, на других устройствах придётся войти заново."
	}
	return "You have no password yet. With a password you can sign in by your username. Setting one signs you out everywhere else."
}

// SettingsPasswordOld says "Current password".
func (l Language) SettingsPasswordOld() string {
	if l == Russian {
		return "Текущий пароль"
	}
	return "Current password"
}

// SettingsPasswordSave says "Change password".
func (l Language) SettingsPasswordSave() string {
	if l == Russian {
		return "Сменить пароль"
	}
	return "Change password"
}

// SettingsPasswordSet says "Set password".
func (l Language) SettingsPasswordSet() string {
	if l == Russian {
		return "Задать пароль"
	}
	return "Set password"
}

// SettingsPrivacy says "Privacy".
func (l Language) SettingsPrivacy() string {
	if l == Russian {
		return "Приватность"
	}
	return "Privacy"
}

// SettingsProfile says "Profile".
func (l Language) SettingsProfile() string {
	if l == Russian {
		return "Профиль"
	}
	return "Profile"
}

// SettingsQuota says "{n} requests this hour, of {limit}".
func (l Language) SettingsQuota(n int, limit string) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " запрос за этот час из " + limit
		case few:
			return l.Number(n) + " запроса за этот час из " + limit
		}
		return l.Number(n) + " запросов за этот час из " + limit
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " request this hour, of " + limit
	}
	return l.Number(n) + " requests this hour, of " + limit
}

// SettingsQuotaFree says "{n} requests this hour".
func (l Language) SettingsQuotaFree(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " запрос за этот час"
		case few:
			return l.Number(n) + " запроса за этот час"
		}
		return l.Number(n) + " запросов за этот час"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " request this hour"
	}
	return l.Number(n) + " requests this hour"
}

// SettingsQuotaOwn says "All your tokens and devices together:".
func (l Language) SettingsQuotaOwn() string {
	if l == Russian {
		return "Все ваши токены и устройства вместе:"
	}
	return "All your tokens and devices together:"
}

// SettingsScopeAdmin says "Administer".
func (l Language) SettingsScopeAdmin() string {
	if l == Russian {
		return "Управлять"
	}
	return "Administer"
}

// SettingsScopeAdminHint says "Manage groups and the site where you are an administrator.".
func (l Language) SettingsScopeAdminHint() string {
	if l == Russian {
		return "Управлять группами и сайтом там, где вы администратор."
	}
	return "Manage groups and the site where you are an administrator."
}

// SettingsScopeRead says "Read".
func (l Language) SettingsScopeRead() string {
	if l == Russian {
		return "Читать"
	}
	return "Read"
}

// SettingsScopeReadHint says "Everything that you can see, private posts too.".
func (l Language) SettingsScopeReadHint() string {
	if l == Russian {
		return "Всё, что видите вы, включая закрытые посты."
	}
	return "Everything that you can see, private posts too."
}

// SettingsScopeWrite says "Write".
func (l Language) SettingsScopeWrite() string {
	if l == Russian {
		return "Писать"
	}
	return "Write"
}

// SettingsScopeWriteHint says "Post, comment, like, subscribe, and change your settings.".
func (l Language) SettingsScopeWriteHint() string {
	if l == Russian {
		return "Писать посты и комментарии, ставить лайки, подписываться, менять ваши настройки."
	}
	return "Post, comment, like, subscribe, and change your settings."
}

// SettingsSessionEnd says "Sign out".
func (l Language) SettingsSessionEnd() string {
	if l == Russian {
		return "Выйти"
	}
	return "Sign out"
}

// SettingsSessionEnded says "Signed out".
func (l Language) SettingsSessionEnded() string {
	if l == Russian {
		return "Выход выполнен"
	}
	return "Signed out"
}

// SettingsSessionThis says "this device, now".
func (l Language) SettingsSessionThis() string {
	if l == Russian {
		return "это устройство, сейчас"
	}
	return "this device, now"
}

// SettingsSessionUsed says "signed in {when*}, last used {used*}".
func (l Language) SettingsSessionUsed() Filled {
	if l == Russian {
		return Filled("вход \x01, последнее использование \x02")
	}
	return Filled("signed in \x01, last used \x02")
}

// SettingsSessions says "Where you are signed in".
func (l Language) SettingsSessions() string {
	if l == Russian {
		return "Где выполнен вход"
	}
	return "Where you are signed in"
}

// SettingsSessionsEnd says "Sign out all other devices".
func (l Language) SettingsSessionsEnd() string {
	if l == Russian {
		return "Выйти на всех других устройствах"
	}
	return "Sign out all other devices"
}

// SettingsSessionsLead says "For each device we keep only the browser, the system, and the hour of its last use.".
func (l Language) SettingsSessionsLead() string {
	if l == Russian {
		return "О каждом устройстве хранятся только браузер, система и время последнего использования с точностью до часа."
	}
	return "For each device we keep only the browser, the system, and the hour of its last use."
}

// SettingsTheme says "Theme".
func (l Language) SettingsTheme() string {
	if l == Russian {
		return "Тема"
	}
	return "Theme"
}

// SettingsThemeDark says "Dark".
func (l Language) SettingsThemeDark() string {
	if l == Russian {
		return "Тёмная"
	}
	return "Dark"
}

// SettingsThemeLight says "Light".
func (l Language) SettingsThemeLight() string {
	if l == Russian {
		return "Светлая"
	}
	return "Light"
}

// SettingsThemeSystem says "Same as this device".
func (l Language) SettingsThemeSystem() string {
	if l == Russian {
		return "Как на устройстве"
	}
	return "Same as this device"
}

// SettingsTitle says "Settings".
func (l Language) SettingsTitle() string {
	if l == Russian {
		return "Настройки"
	}
	return "Settings"
}

// SettingsTokenAfter says "After {n} days".
func (l Language) SettingsTokenAfter(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " день"
		case few:
			return l.Number(n) + " дня"
		}
		return l.Number(n) + " дней"
	}
	switch enForm(n) {
	case one:
		return "After " + l.Number(n) + " day"
	}
	return "After " + l.Number(n) + " days"
}

// SettingsTokenCreate says "Create token".
func (l Language) SettingsTokenCreate() string {
	if l == Russian {
		return "Создать токен"
	}
	return "Create token"
}

// SettingsTokenDays says "When it ends".
func (l Language) SettingsTokenDays() string {
	if l == Russian {
		return "Срок действия"
	}
	return "When it ends"
}

// SettingsTokenExpired says "ended {when*}".
func (l Language) SettingsTokenExpired() Filled {
	if l == Russian {
		return Filled("перестал действовать \x01")
	}
	return Filled("ended \x01")
}

// SettingsTokenExpires says "ends {when*}".
func (l Language) SettingsTokenExpires() Filled {
	if l == Russian {
		return Filled("действует до \x01")
	}
	return Filled("ends \x01")
}

// SettingsTokenName says "What the token is for".
func (l Language) SettingsTokenName() string {
	if l == Russian {
		return "Для чего этот токен"
	}
	return "What the token is for"
}

// SettingsTokenNameless says "Untitled".
func (l Language) SettingsTokenNameless() string {
	if l == Russian {
		return "Без названия"
	}
	return "Untitled"
}

// SettingsTokenNever says "Only when I revoke it".
func (l Language) SettingsTokenNever() string {
	if l == Russian {
		return "Пока я его не отзову"
	}
	return "Only when I revoke it"
}

// SettingsTokenNew says "Here is the new token. Copy it now: it is shown only once.".
func (l Language) SettingsTokenNew() string {
	if l == Russian {
		return "Вот новый токен. Скопируйте его сейчас: он показывается только один раз."
	}
	return "Here is the new token. Copy it now: it is shown only once."
}

// SettingsTokenRevoke says "Revoke".
func (l Language) SettingsTokenRevoke() string {
	if l == Russian {
		return "Отозвать"
	}
	return "Revoke"
}

// SettingsTokenScopes says "What it may do".
func (l Language) SettingsTokenScopes() string {
	if l == Russian {
		return "Что с ним можно делать"
	}
	return "What it may do"
}

// SettingsTokenUnused says "created {when*}, never used".
func (l Language) SettingsTokenUnused() Filled {
	if l == Russian {
		return Filled("создан \x01, ни разу не использован")
	}
	return Filled("created \x01, never used")
}

// SettingsTokenUsed says "created {when*}, last used {used*}".
func (l Language) SettingsTokenUsed() Filled {
	if l == Russian {
		return Filled("создан \x01, последний раз использован \x02")
	}
	return Filled("created \x01, last used \x02")
}

// SettingsTokens says "API tokens".
func (l Language) SettingsTokens() string {
	if l == Russian {
		return "Токены API"
	}
	return "API tokens"
}

// SettingsTokensLead says "A token lets a program read and write as you. Give each program its own.".
func (l Language) SettingsTokensLead() string {
	if l == Russian {
		return "С токеном программа читает и пишет от вашего имени. Дайте каждой программе свой."
	}
	return "A token lets a program read and write as you. Give each program its own."
}

// SettingsVisits says "When you visit".
func (l Language) SettingsVisits() string {
	if l == Russian {
		return "Когда вы заходите"
	}
	return "When you visit"
}

// SettingsVisitsDrop says "Don't remember when I visit".
func (l Language) SettingsVisitsDrop() string {
	if l == Russian {
		return "Не запоминать, когда я захожу"
	}
	return "Don't remember when I visit"
}

// SettingsVisitsKeep says "Prepare my home page before I visit".
func (l Language) SettingsVisitsKeep() string {
	if l == Russian {
		return "Готовить мою главную страницу заранее"
	}
	return "Prepare my home page before I visit"
}

// SettingsVisitsKeepHint says "For this, the server remembers the times of your visits for four weeks, to the quarter of an hour. No one can see them.".
func (l Language) SettingsVisitsKeepHint() string {
	if l == Russian {
		return "Для этого сервер четыре недели помнит время ваших визитов с точностью до пятнадцати минут. Никто, кроме сервера, его не видит."
	}
	return "For this, the server remembers the times of your visits for four weeks, to the quarter of an hour. No one can see them."
}

// SettingsWrites says "I write in".
func (l Language) SettingsWrites() string {
	if l == Russian {
		return "Я пишу на языке"
	}
	return "I write in"
}

// SettingsWritesAutomatic says "Automatic: detect for each post".
func (l Language) SettingsWritesAutomatic() string {
	if l == Russian {
		return "Автоматически: по тексту поста"
	}
	return "Automatic: detect for each post"
}

// SettingsWritesHint says "Your posts are marked with this language unless you choose another.".
func (l Language) SettingsWritesHint() string {
	if l == Russian {
		return "Ваши посты будут отмечены этим языком, если не выбрать другой."
	}
	return "Your posts are marked with this language unless you choose another."
}

// SettingsZone says "Time zone".
func (l Language) SettingsZone() string {
	if l == Russian {
		return "Часовой пояс"
	}
	return "Time zone"
}

// SettingsZoneAutomatic says "My browser's time zone".
func (l Language) SettingsZoneAutomatic() string {
	if l == Russian {
		return "Как в браузере"
	}
	return "My browser's time zone"
}

// SettingsZoneHint says "Without JavaScript, times are in UTC unless you choose a time zone. Calendar days are always in UTC.".
func (l Language) SettingsZoneHint() string {
	if l == Russian {
		return "Без JavaScript время показывается по UTC, если не выбран часовой пояс. Дни в календаре всегда по UTC."
	}
	return "Without JavaScript, times are in UTC unless you choose a time zone. Calendar days are always in UTC."
}

// ShareGroup says "Posts in the group {name} on {site}.".
func (l Language) ShareGroup(name string, site string) string {
	if l == Russian {
		return "Посты группы «" + name + "» на сайте " + site + "."
	}
	return "Posts in the group " + name + " on " + site + "."
}

// ShareLocale says "en_US".
func (l Language) ShareLocale() string {
	if l == Russian {
		return "ru_RU"
	}
	return "en_US"
}

// ShareLogo says "The logo of Amstel: three waves".
func (l Language) ShareLogo() string {
	if l == Russian {
		return "Логотип Amstel: три волны"
	}
	return "The logo of Amstel: three waves"
}

// SharePerson says "Posts by {who} on {site}.".
func (l Language) SharePerson(who string, site string) string {
	if l == Russian {
		return "Посты " + who + " на сайте " + site + "."
	}
	return "Posts by " + who + " on " + site + "."
}

// SharePictureOf says "Avatar of {who}".
func (l Language) SharePictureOf(who string) string {
	if l == Russian {
		return "Аватар: " + who
	}
	return "Avatar of " + who
}

// SignUpLinkCame says "Who came".
func (l Language) SignUpLinkCame() string {
	if l == Russian {
		return "Кто пришёл"
	}
	return "Who came"
}

// SignUpLinkCameNone says "No one came by your links yet.".
func (l Language) SignUpLinkCameNone() string {
	if l == Russian {
		return "По вашим ссылкам пока никто не пришёл."
	}
	return "No one came by your links yet."
}

// SignUpLinkCreate says "Make a link".
func (l Language) SignUpLinkCreate() string {
	if l == Russian {
		return "Создать ссылку"
	}
	return "Make a link"
}

// SignUpLinkDays says "When it ends".
func (l Language) SignUpLinkDays() string {
	if l == Russian {
		return "Когда она перестанет действовать"
	}
	return "When it ends"
}

// SignUpLinkLead says "Whoever opens a link of yours can sign up here, even while others can't. You see who came, and administrators see by whose link.".
func (l Language) SignUpLinkLead() string {
	if l == Russian {
		return "Тот, кто откроет вашу ссылку, сможет зарегистрироваться, даже если другим нельзя. Вы увидите, кто пришёл, а администраторы – по чьей ссылке."
	}
	return "Whoever opens a link of yours can sign up here, even while others can't. You see who came, and administrators see by whose link."
}

// SignUpLinkList says "Links that work".
func (l Language) SignUpLinkList() string {
	if l == Russian {
		return "Действующие ссылки"
	}
	return "Links that work"
}

// SignUpLinkNew says "Give this link to whom you want to invite. It is shown only once.".
func (l Language) SignUpLinkNew() string {
	if l == Russian {
		return "Передайте эту ссылку тому, кого приглашаете. Она показывается только один раз."
	}
	return "Give this link to whom you want to invite. It is shown only once."
}

// SignUpLinkNone says "You have no links that work.".
func (l Language) SignUpLinkNone() string {
	if l == Russian {
		return "У вас нет действующих ссылок."
	}
	return "You have no links that work."
}

// SignUpLinkRevoke says "Revoke".
func (l Language) SignUpLinkRevoke() string {
	if l == Russian {
		return "Отозвать"
	}
	return "Revoke"
}

// SignUpLinkTitle says "Invite people".
func (l Language) SignUpLinkTitle() string {
	if l == Russian {
		return "Пригласить людей"
	}
	return "Invite people"
}

// SignUpLinkUntil says "Made {when*}, ends {ends*}.".
func (l Language) SignUpLinkUntil() Filled {
	if l == Russian {
		return Filled("Создана \x01, действует до \x02.")
	}
	return Filled("Made \x01, ends \x02.")
}

// SignUpLinkUsed says "{used} of {uses} people signed up.".
func (l Language) SignUpLinkUsed(used string, uses string) string {
	if l == Russian {
		return "Зарегистрировались: " + used + " из " + uses + "."
	}
	return used + " of " + uses + " people signed up."
}

// SignUpLinkUses says "How many people".
func (l Language) SignUpLinkUses() string {
	if l == Russian {
		return "Сколько человек"
	}
	return "How many people"
}

// SiteAbout says "About the site".
func (l Language) SiteAbout() string {
	if l == Russian {
		return "О сайте"
	}
	return "About the site"
}

// SiteAboutHint says "What the site is, and who runs it. It stands at the top of the page about the site.".
func (l Language) SiteAboutHint() string {
	if l == Russian {
		return "Что это за сайт и кто его ведёт. Этим начинается страница о сайте."
	}
	return "What the site is, and who runs it. It stands at the top of the page about the site."
}

// SiteBestComment says "Best of: points for a comment".
func (l Language) SiteBestComment() string {
	if l == Russian {
		return "Лучшее: баллы за комментарий"
	}
	return "Best of: points for a comment"
}

// SiteBestFav says "Best of: points for a favourite".
func (l Language) SiteBestFav() string {
	if l == Russian {
		return "Лучшее: баллы за избранное"
	}
	return "Best of: points for a favourite"
}

// SiteBestHalf says "Best of, Rising: hours until a score halves".
func (l Language) SiteBestHalf() string {
	if l == Russian {
		return "Лучшее, «Набирает»: за сколько часов оценка падает вдвое"
	}
	return "Best of, Rising: hours until a score halves"
}

// SiteBestLike says "Best of: points for a like".
func (l Language) SiteBestLike() string {
	if l == Russian {
		return "Лучшее: баллы за лайк"
	}
	return "Best of: points for a like"
}

// SiteBump says "Which comments bring a post to the top".
func (l Language) SiteBump() string {
	if l == Russian {
		return "Какие комментарии поднимают пост"
	}
	return "Which comments bring a post to the top"
}

// SiteBumpEvery says "Every comment".
func (l Language) SiteBumpEvery() string {
	if l == Russian {
		return "Все"
	}
	return "Every comment"
}

// SiteBumpRecent says "Only comments on recent or active posts".
func (l Language) SiteBumpRecent() string {
	if l == Russian {
		return "Только комментарии к свежим и активным постам"
	}
	return "Only comments on recent or active posts"
}

// SiteBumpRecentHint says "A post is recent for a day, and active if it had more than two comments in the last day.".
func (l Language) SiteBumpRecentHint() string {
	if l == Russian {
		return "Свежим пост считается первые сутки, активным — если за последние сутки у него больше двух комментариев."
	}
	return "A post is recent for a day, and active if it had more than two comments in the last day."
}

// SiteChange says "{who} changed “{setting}”".
func (l Language) SiteChange(who string, setting string) string {
	if l == Russian {
		return who + ": изменение настройки «" + setting + "»"
	}
	return who + " changed “" + setting + "”"
}

// SiteChanges says "Changes of settings".
func (l Language) SiteChanges() string {
	if l == Russian {
		return "Изменения настроек"
	}
	return "Changes of settings"
}

// SiteChangesNone says "No one has changed a setting yet.".
func (l Language) SiteChangesNone() string {
	if l == Russian {
		return "Настройки ещё никто не менял."
	}
	return "No one has changed a setting yet."
}

// SiteFavedComment says "Most favourited: points for a comment".
func (l Language) SiteFavedComment() string {
	if l == Russian {
		return "Чаще всего в избранном: баллы за комментарий"
	}
	return "Most favourited: points for a comment"
}

// SiteFavedFav says "Most favourited: points for a favourite".
func (l Language) SiteFavedFav() string {
	if l == Russian {
		return "Чаще всего в избранном: баллы за избранное"
	}
	return "Most favourited: points for a favourite"
}

// SiteFavedHalf says "Most favourited, Rising: hours until a score halves".
func (l Language) SiteFavedHalf() string {
	if l == Russian {
		return "Чаще всего в избранном, «Набирает»: за сколько часов оценка падает вдвое"
	}
	return "Most favourited, Rising: hours until a score halves"
}

// SiteFavedLike says "Most favourited: points for a like".
func (l Language) SiteFavedLike() string {
	if l == Russian {
		return "Чаще всего в избранном: баллы за лайк"
	}
	return "Most favourited: points for a like"
}

// SiteHalfHint says "The lower the number, the sooner new posts replace old ones.".
func (l Language) SiteHalfHint() string {
	if l == Russian {
		return "Чем меньше число, тем быстрее новые посты вытесняют старые."
	}
	return "The lower the number, the sooner new posts replace old ones."
}

// SiteIntakes says "Feeds that one person may import".
func (l Language) SiteIntakes() string {
	if l == Russian {
		return "Сколько лент может импортировать один человек"
	}
	return "Feeds that one person may import"
}

// SiteIntakesHint says "New items of these feeds of other sites become posts. 0 switches the import off; feeds that people added are kept.".
func (l Language) SiteIntakesHint() string {
	if l == Russian {
		return "Новые записи этих лент с других сайтов становятся постами. 0 отключает импорт; добавленные ленты сохраняются."
	}
	return "New items of these feeds of other sites become posts. 0 switches the import off; feeds that people added are kept."
}

// SiteLead says "These settings apply to everyone, on every server.".
func (l Language) SiteLead() string {
	if l == Russian {
		return "Эти настройки действуют для всех и на всех серверах."
	}
	return "These settings apply to everyone, on every server."
}

// SiteLift says "Bump what friends like or comment on".
func (l Language) SiteLift() string {
	if l == Russian {
		return "Поднимать то, что лайкают и комментируют друзья"
	}
	return "Bump what friends like or comment on"
}

// SiteLiftHint says "A post that a person likes or comments on rises once to the top of their subscribers' home pages.".
func (l Language) SiteLiftHint() string {
	if l == Russian {
		return "Пост, который человек лайкнул или прокомментировал, один раз поднимается наверх главной страницы у его подписчиков."
	}
	return "A post that a person likes or comments on rises once to the top of their subscribers' home pages."
}

// SiteLinkPreviews says "Show previews of links".
func (l Language) SiteLinkPreviews() string {
	if l == Russian {
		return "Показывать превью ссылок"
	}
	return "Show previews of links"
}

// SiteLinkPreviewsHint says "The server fetches the first page that a post links to, and shows its title and picture below the post. Authors can switch this off for a post.".
func (l Language) SiteLinkPreviewsHint() string {
	if l == Russian {
		return "Сервер загружает первую страницу, на которую ссылается пост, и показывает под ним её заголовок и картинку. Автор может отключить это для своего поста."
	}
	return "The server fetches the first page that a post links to, and shows its title and picture below the post. Authors can switch this off for a post."
}

// SiteName says "Name of the site".
func (l Language) SiteName() string {
	if l == Russian {
		return "Название сайта"
	}
	return "Name of the site"
}

// SiteNewDays says "Days for which an account is new".
func (l Language) SiteNewDays() string {
	if l == Russian {
		return "Сколько дней учётная запись считается новой"
	}
	return "Days for which an account is new"
}

// SiteNewDaysHint says "The next two settings hold for new accounts. 0: they hold for none.".
func (l Language) SiteNewDaysHint() string {
	if l == Russian {
		return "Следующие две настройки действуют для новых учётных записей. 0: ни для кого."
	}
	return "The next two settings hold for new accounts. 0: they hold for none."
}

// SiteNewLinks says "Links by new people".
func (l Language) SiteNewLinks() string {
	if l == Russian {
		return "Ссылки от новых людей"
	}
	return "Links by new people"
}

// SiteNewLinksAllowed says "Allowed".
func (l Language) SiteNewLinksAllowed() string {
	if l == Russian {
		return "Разрешены"
	}
	return "Allowed"
}

// SiteNewLinksHeld says "Posts with links wait for you".
func (l Language) SiteNewLinksHeld() string {
	if l == Russian {
		return "Посты со ссылками ждут вас"
	}
	return "Posts with links wait for you"
}

// SiteNewLinksHeldHint says "You publish or delete them under Reports. Until then only their authors see them. Comments and direct messages by new people can't have links.".
func (l Language) SiteNewLinksHeldHint() string {
	if l == Russian {
		return "Вы публикуете или удаляете их в разделе «Жалобы». До этого их видит только автор. В комментариях и личных сообщениях новых людей ссылок быть не может."
	}
	return "You publish or delete them under Reports. Until then only their authors see them. Comments and direct messages by new people can't have links."
}

// SiteNewPosts says "Posts and comments by a new person in 24 hours".
func (l Language) SiteNewPosts() string {
	if l == Russian {
		return "Сколько постов и комментариев новый человек может написать за 24 часа"
	}
	return "Posts and comments by a new person in 24 hours"
}

// SiteNewPostsHint says "Administrators of the site may always write more.".
func (l Language) SiteNewPostsHint() string {
	if l == Russian {
		return "Администраторов сайта это не ограничивает."
	}
	return "Administrators of the site may always write more."
}

// SiteNo says "No".
func (l Language) SiteNo() string {
	if l == Russian {
		return "Нет"
	}
	return "No"
}

// SiteNothing says "empty".
func (l Language) SiteNothing() string {
	if l == Russian {
		return "пусто"
	}
	return "empty"
}

// SitePointsHint says "From 0 to {max}, with up to three decimals.".
func (l Language) SitePointsHint(max string) string {
	if l == Russian {
		return "От 0 до " + max + ", не больше трёх знаков после запятой."
	}
	return "From 0 to " + max + ", with up to three decimals."
}

// SitePresence says "Show how many people are reading".
func (l Language) SitePresence() string {
	if l == Russian {
		return "Показывать число читающих"
	}
	return "Show how many people are reading"
}

// SitePresenceHint says "The page of a post shows how many people have it open. Each server counts only its own readers.".
func (l Language) SitePresenceHint() string {
	if l == Russian {
		return "На странице поста видно, у скольких человек она сейчас открыта. Каждый сервер считает только своих читателей."
	}
	return "The page of a post shows how many people have it open. Each server counts only its own readers."
}

// SiteQuotaAddress says "Requests an hour from one address, without signing in".
func (l Language) SiteQuotaAddress() string {
	if l == Russian {
		return "Запросов в час с одного адреса, без входа на сайт"
	}
	return "Requests an hour from one address, without signing in"
}

// SiteQuotaAddressHint says "An IPv4 address or an IPv6 /64. All servers together keep to it. 0 means no limit.".
func (l Language) SiteQuotaAddressHint() string {
	if l == Russian {
		return "Адрес IPv4 или сеть IPv6 /64. Считается на всех серверах вместе. 0 — без ограничения."
	}
	return "An IPv4 address or an IPv6 /64. All servers together keep to it. 0 means no limit."
}

// SiteQuotaHint says "All servers together keep to it. 0 means no limit.".
func (l Language) SiteQuotaHint() string {
	if l == Russian {
		return "Считается на всех серверах вместе. 0 — без ограничения."
	}
	return "All servers together keep to it. 0 means no limit."
}

// SiteQuotaPerson says "Requests an hour by one person".
func (l Language) SiteQuotaPerson() string {
	if l == Russian {
		return "Запросов в час от одного человека"
	}
	return "Requests an hour by one person"
}

// SiteQuotaToken says "Requests an hour by one token".
func (l Language) SiteQuotaToken() string {
	if l == Russian {
		return "Запросов в час с одним токеном"
	}
	return "Requests an hour by one token"
}

// SiteReady says "Prepare home pages for regular readers".
func (l Language) SiteReady() string {
	if l == Russian {
		return "Готовить главные страницы постоянных читателей"
	}
	return "Prepare home pages for regular readers"
}

// SiteReadyHint says "The server remembers the times of visits for four weeks, to the quarter of an hour, and prepares home pages shortly before their readers come. Everyone can switch this off for themselves.".
func (l Language) SiteReadyHint() string {
	if l == Russian {
		return "Сервер четыре недели помнит время визитов с точностью до пятнадцати минут и готовит главные страницы незадолго до прихода читателей. Каждый может отключить это для себя."
	}
	return "The server remembers the times of visits for four weeks, to the quarter of an hour, and prepares home pages shortly before their readers come. Everyone can switch this off for themselves."
}

// SiteRefused says "Words and sites that no one may write".
func (l Language) SiteRefused() string {
	if l == Russian {
		return "Слова и сайты, которые писать нельзя"
	}
	return "Words and sites that no one may write"
}

// SiteRefusedHint says "One a line: a word, some words, or the name of a site, as spam.example. watch* stands for all words that begin with watch. It holds for posts, comments, names and descriptions. The list is not public, but a person who writes one of the words is told which.".
func (l Language) SiteRefusedHint() string {
	if l == Russian {
		return "По одному в строке: слово, несколько слов или имя сайта, например spam.example. час* означает все слова, которые начинаются с «час». Это касается постов, комментариев, имён и описаний. Список не публичный, но тому, кто напишет такое слово, оно будет названо."
	}
	return "One a line: a word, some words, or the name of a site, as spam.example. watch* stands for all words that begin with watch. It holds for posts, comments, names and descriptions. The list is not public, but a person who writes one of the words is told which."
}

// SiteRegistration says "Who can sign up".
func (l Language) SiteRegistration() string {
	if l == Russian {
		return "Кто может зарегистрироваться"
	}
	return "Who can sign up"
}

// SiteRegistrationApproval says "People whom an administrator accepts".
func (l Language) SiteRegistrationApproval() string {
	if l == Russian {
		return "Те, кого примет администратор"
	}
	return "People whom an administrator accepts"
}

// SiteRegistrationApprovalHint says "They write why they want to join, and wait. Links of administrators let people in at once.".
func (l Language) SiteRegistrationApprovalHint() string {
	if l == Russian {
		return "Они пишут, почему хотят присоединиться, и ждут. По ссылкам администраторов можно войти сразу."
	}
	return "They write why they want to join, and wait. Links of administrators let people in at once."
}

// SiteRegistrationClosed says "No one".
func (l Language) SiteRegistrationClosed() string {
	if l == Russian {
		return "Никто"
	}
	return "No one"
}

// SiteRegistrationClosedHint says "You can still add people on the command line.".
func (l Language) SiteRegistrationClosedHint() string {
	if l == Russian {
		return "Добавить человека по-прежнему можно из командной строки."
	}
	return "You can still add people on the command line."
}

// SiteRegistrationLink says "People with a link".
func (l Language) SiteRegistrationLink() string {
	if l == Russian {
		return "Люди со ссылкой"
	}
	return "People with a link"
}

// SiteRegistrationLinkHint says "Everyone can make such links in the settings.".
func (l Language) SiteRegistrationLinkHint() string {
	if l == Russian {
		return "Такие ссылки каждый создаёт в настройках."
	}
	return "Everyone can make such links in the settings."
}

// SiteRegistrationOpen says "Everyone".
func (l Language) SiteRegistrationOpen() string {
	if l == Russian {
		return "Все"
	}
	return "Everyone"
}

// SiteRules says "Rules".
func (l Language) SiteRules() string {
	if l == Russian {
		return "Правила"
	}
	return "Rules"
}

// SiteRulesHint says "New people must agree to them. The page about the site and the bottom of every page lead to them. Empty: there are none.".
func (l Language) SiteRulesHint() string {
	if l == Russian {
		return "С ними должны согласиться новые люди. На них ведут страница о сайте и ссылка внизу каждой страницы. Если поле пустое, правил нет."
	}
	return "New people must agree to them. The page about the site and the bottom of every page lead to them. Empty: there are none."
}

// SiteTitle says "The site".
func (l Language) SiteTitle() string {
	if l == Russian {
		return "Сайт"
	}
	return "The site"
}

// SiteWas says "From {was} to {now}".
func (l Language) SiteWas(was string, now string) string {
	if l == Russian {
		return "Было: " + was + "; стало: " + now
	}
	return "From " + was + " to " + now
}

// SiteYes says "Yes".
func (l Language) SiteYes() string {
	if l == Russian {
		return "Да"
	}
	return "Yes"
}

// StatusAgain says "[Check again], or read this page [as JSON].".
func (l Language) StatusAgain() Linked {
	if l == Russian {
		return Linked("[Обновить] или прочитать [как JSON].")
	}
	return Linked("[Check again], or read this page [as JSON].")
}

// StatusAhead says "Home pages prepared in advance".
func (l Language) StatusAhead() string {
	if l == Russian {
		return "Главные страницы, подготовленные заранее"
	}
	return "Home pages prepared in advance"
}

// StatusAheadFirst says "{how}. Of {first} first visits, {hits} found the page ready.".
func (l Language) StatusAheadFirst(how string, first string, hits string) string {
	if l == Russian {
		return how + ". Первых визитов: " + first + ", из них на готовую страницу: " + hits + "."
	}
	return how + ". Of " + first + " first visits, " + hits + " found the page ready."
}

// StatusAheadHow says "{built}; {hits} found by their readers, {misses} not needed".
func (l Language) StatusAheadHow(built string, hits string, misses string) string {
	if l == Russian {
		return built + "; пригодились: " + hits + ", не понадобились: " + misses
	}
	return built + "; " + hits + " found by their readers, " + misses + " not needed"
}

// StatusAsOf says "As of {when*}, on the server that answered.".
func (l Language) StatusAsOf() Filled {
	if l == Russian {
		return Filled("Данные с ответившего сервера: \x01.")
	}
	return Filled("As of \x01, on the server that answered.")
}

// StatusBehind says "Updates are delayed: pages are {age} old. Nothing is lost.".
func (l Language) StatusBehind(age string) string {
	if l == Russian {
		return "Обновления задерживаются: возраст страниц — " + age + ". Ничего не потеряно."
	}
	return "Updates are delayed: pages are " + age + " old. Nothing is lost."
}

// StatusChanges says "{n} changes".
func (l Language) StatusChanges(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " изменение"
		case few:
			return l.Number(n) + " изменения"
		}
		return l.Number(n) + " изменений"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " change"
	}
	return l.Number(n) + " changes"
}

// StatusClosed says "Pages that no one has open".
func (l Language) StatusClosed() string {
	if l == Russian {
		return "Страницы, которые никто не открыл"
	}
	return "Pages that no one has open"
}

// StatusClosedHow says "{age}, on {marked} of {all} pages; they are updated before they are shown".
func (l Language) StatusClosedHow(age string, marked string, all string) string {
	if l == Russian {
		return age + "; это касается " + marked + " из " + all + " страниц, перед показом они обновляются"
	}
	return age + ", on " + marked + " of " + all + " pages; they are updated before they are shown"
}

// StatusEvery says "every {time}".
func (l Language) StatusEvery(time string) string {
	if l == Russian {
		return "раз в " + time
	}
	return "every " + time
}

// StatusEveryHour says "every hour".
func (l Language) StatusEveryHour() string {
	if l == Russian {
		return "каждый час"
	}
	return "every hour"
}

// StatusEveryMinute says "every minute".
func (l Language) StatusEveryMinute() string {
	if l == Russian {
		return "каждую минуту"
	}
	return "every minute"
}

// StatusFailed says "{how}; failed, will be tried again".
func (l Language) StatusFailed(how string) string {
	if l == Russian {
		return how + "; не удалось, будет повторено"
	}
	return how + "; failed, will be tried again"
}

// StatusFine says "All is well. Pages are {age} old.".
func (l Language) StatusFine(age string) string {
	if l == Russian {
		return "Всё в порядке. Возраст страниц — " + age + "."
	}
	return "All is well. Pages are " + age + " old."
}

// StatusFreshness says "How fresh pages are".
func (l Language) StatusFreshness() string {
	if l == Russian {
		return "Насколько свежи страницы"
	}
	return "How fresh pages are"
}

// StatusGib says "{amount} GiB".
func (l Language) StatusGib(amount string) string {
	if l == Russian {
		return amount + " ГиБ"
	}
	return amount + " GiB"
}

// StatusHours says "{n} hours".
func (l Language) StatusHours(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " час"
		case few:
			return l.Number(n) + " часа"
		}
		return l.Number(n) + " часов"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " hour"
	}
	return l.Number(n) + " hours"
}

// StatusInstant says "less than a second".
func (l Language) StatusInstant() string {
	if l == Russian {
		return "меньше секунды"
	}
	return "less than a second"
}

// StatusIsLate says "{how}; late".
func (l Language) StatusIsLate(how string) string {
	if l == Russian {
		return how + "; опаздывает"
	}
	return how + "; late"
}

// StatusJobExpire says "Dropping unread pages".
func (l Language) StatusJobExpire() string {
	if l == Russian {
		return "Выгрузка страниц, которые не читают"
	}
	return "Dropping unread pages"
}

// StatusJobPrune says "Deleting expired data".
func (l Language) StatusJobPrune() string {
	if l == Russian {
		return "Удаление устаревших данных"
	}
	return "Deleting expired data"
}

// StatusJobRank says "Ranking Best of and Most favourited".
func (l Language) StatusJobRank() string {
	if l == Russian {
		return "Подсчёт рейтингов"
	}
	return "Ranking Best of and Most favourited"
}

// StatusJobSaveLeftOff says "Saving where readers left off".
func (l Language) StatusJobSaveLeftOff() string {
	if l == Russian {
		return "Сохранение мест, где остановились читатели"
	}
	return "Saving where readers left off"
}

// StatusJobSaveQuotas says "Saving how many requests were made".
func (l Language) StatusJobSaveQuotas() string {
	if l == Russian {
		return "Сохранение числа запросов"
	}
	return "Saving how many requests were made"
}

// StatusJobSaveVisits says "Saving when readers come".
func (l Language) StatusJobSaveVisits() string {
	if l == Russian {
		return "Сохранение времени визитов"
	}
	return "Saving when readers come"
}

// StatusJobSweep says "Deleting files that no post uses".
func (l Language) StatusJobSweep() string {
	if l == Russian {
		return "Удаление файлов, которых нет ни в одном посте"
	}
	return "Deleting files that no post uses"
}

// StatusJobWorkOff says "Deleting closed accounts".
func (l Language) StatusJobWorkOff() string {
	if l == Russian {
		return "Удаление закрытых аккаунтов"
	}
	return "Deleting closed accounts"
}

// StatusJobs says "Background work".
func (l Language) StatusJobs() string {
	if l == Russian {
		return "Фоновая работа"
	}
	return "Background work"
}

// StatusKib says "{amount} KiB".
func (l Language) StatusKib(amount string) string {
	if l == Russian {
		return amount + " КиБ"
	}
	return amount + " KiB"
}

// StatusLast says "{how}; last done {when*}".
func (l Language) StatusLast(how string) Filled {
	if l == Russian {
		return Filled(how + "; последний раз \x01")
	}
	return Filled(how + "; last done \x01")
}

// StatusLate says "Pages are {age} old, but some background work is late: {what}.".
func (l Language) StatusLate(age string, what string) string {
	if l == Russian {
		return "Возраст страниц — " + age + ", но часть фоновой работы опаздывает: " + what + "."
	}
	return "Pages are " + age + " old, but some background work is late: " + what + "."
}

// StatusLog says "Change log".
func (l Language) StatusLog() string {
	if l == Russian {
		return "Журнал изменений"
	}
	return "Change log"
}

// StatusLogHow says "position {position}; {changes} at the last look".
func (l Language) StatusLogHow(position string, changes string) string {
	if l == Russian {
		return "позиция " + position + "; при последней проверке — " + changes
	}
	return "position " + position + "; " + changes + " at the last look"
}

// StatusMib says "{amount} MiB".
func (l Language) StatusMib(amount string) string {
	if l == Russian {
		return amount + " МиБ"
	}
	return amount + " MiB"
}

// StatusMinutes says "{n} minutes".
func (l Language) StatusMinutes(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " минута"
		case few:
			return l.Number(n) + " минуты"
		}
		return l.Number(n) + " минут"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " minute"
	}
	return l.Number(n) + " minutes"
}

// StatusNotYet says "{how}; not done yet".
func (l Language) StatusNotYet(how string) string {
	if l == Russian {
		return how + "; ещё не выполнялось"
	}
	return how + "; not done yet"
}

// StatusOpen says "Open pages".
func (l Language) StatusOpen() string {
	if l == Russian {
		return "Открытые страницы"
	}
	return "Open pages"
}

// StatusPages says "{n} open pages".
func (l Language) StatusPages(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " открытая страница"
		case few:
			return l.Number(n) + " открытые страницы"
		}
		return l.Number(n) + " открытых страниц"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " open page"
	}
	return l.Number(n) + " open pages"
}

// StatusRivers says "Rivers".
func (l Language) StatusRivers() string {
	if l == Russian {
		return "Ленты"
	}
	return "Rivers"
}

// StatusRiversHow says "{living} kept up to date, {open} of them open; {pages}".
func (l Language) StatusRiversHow(living string, open string, pages string) string {
	if l == Russian {
		return "обновляются: " + living + ", из них открыто: " + open + "; " + pages
	}
	return living + " kept up to date, " + open + " of them open; " + pages
}

// StatusRoom says "Space for them".
func (l Language) StatusRoom() string {
	if l == Russian {
		return "Место для них"
	}
	return "Space for them"
}

// StatusRoomHow says "{memory} of {memorymax} of memory, and {disk} of {diskmax} on disk".
func (l Language) StatusRoomHow(memory string, memorymax string, disk string, diskmax string) string {
	if l == Russian {
		return memory + " из " + memorymax + " памяти и " + disk + " из " + diskmax + " на диске"
	}
	return memory + " of " + memorymax + " of memory, and " + disk + " of " + diskmax + " on disk"
}

// StatusSeconds says "{n} seconds".
func (l Language) StatusSeconds(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return l.Number(n) + " секунда"
		case few:
			return l.Number(n) + " секунды"
		}
		return l.Number(n) + " секунд"
	}
	switch enForm(n) {
	case one:
		return l.Number(n) + " second"
	}
	return l.Number(n) + " seconds"
}

// StatusServer says "This server".
func (l Language) StatusServer() string {
	if l == Russian {
		return "Этот сервер"
	}
	return "This server"
}

// StatusStarted says "Started".
func (l Language) StatusStarted() string {
	if l == Russian {
		return "Запущен"
	}
	return "Started"
}

// StatusStarting says "This server is starting and will be ready in a moment.".
func (l Language) StatusStarting() string {
	if l == Russian {
		return "Сервер запускается и скоро будет готов."
	}
	return "This server is starting and will be ready in a moment."
}

// StatusStopping says "This server is being restarted. Open pages come back on their own; nothing is lost.".
func (l Language) StatusStopping() string {
	if l == Russian {
		return "Сервер перезапускается. Открытые страницы вернутся сами, ничего не потеряно."
	}
	return "This server is being restarted. Open pages come back on their own; nothing is lost."
}

// StatusTitle says "Status".
func (l Language) StatusTitle() string {
	if l == Russian {
		return "Состояние"
	}
	return "Status"
}

// StatusTrouble says "Pages are {age} old, but something is wrong on this server: {what}.".
func (l Language) StatusTrouble(age string, what string) string {
	if l == Russian {
		return "Возраст страниц — " + age + ", но на этом сервере что-то не так: " + what + "."
	}
	return "Pages are " + age + " old, but something is wrong on this server: " + what + "."
}

// StatusTroublePrimary says "the main database can't be reached".
func (l Language) StatusTroublePrimary() string {
	if l == Russian {
		return "нет связи с основной базой данных"
	}
	return "the main database can't be reached"
}

// StatusTroubleRenewed says "the river database had to be created again {n} times within a minute".
func (l Language) StatusTroubleRenewed(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "за минуту базу лент пришлось создать заново " + l.Number(n) + " раз"
		case few:
			return "за минуту базу лент пришлось создать заново " + l.Number(n) + " раза"
		}
		return "за минуту базу лент пришлось создать заново " + l.Number(n) + " раз"
	}
	switch enForm(n) {
	case one:
		return "the river database had to be created again " + l.Number(n) + " time within a minute"
	}
	return "the river database had to be created again " + l.Number(n) + " times within a minute"
}

// StatusTroubleRiverDb says "the river database can't be written, so pages would be slow after a restart".
func (l Language) StatusTroubleRiverDb() string {
	if l == Russian {
		return "не удаётся записать базу лент, поэтому после перезапуска страницы будут открываться медленно"
	}
	return "the river database can't be written, so pages would be slow after a restart"
}

// StatusTroubleTurns says "new changes can't be processed".
func (l Language) StatusTroubleTurns() string {
	if l == Russian {
		return "сервер не может обработать изменения"
	}
	return "new changes can't be processed"
}

// StatusUnknown says "not known yet".
func (l Language) StatusUnknown() string {
	if l == Russian {
		return "пока неизвестно"
	}
	return "not known yet"
}

// StatusVersion says "Version".
func (l Language) StatusVersion() string {
	if l == Russian {
		return "Версия"
	}
	return "Version"
}

// StatusYours says "Your own actions".
func (l Language) StatusYours() string {
	if l == Russian {
		return "Ваши действия"
	}
	return "Your own actions"
}

// StatusYoursHow says "shown at once".
func (l Language) StatusYoursHow() string {
	if l == Russian {
		return "видны сразу"
	}
	return "shown at once"
}

// StepsDismiss says "Hide these steps".
func (l Language) StepsDismiss() string {
	if l == Russian {
		return "Скрыть эти шаги"
	}
	return "Hide these steps"
}

// StepsDone says "Done.".
func (l Language) StepsDone() string {
	if l == Russian {
		return "Готово."
	}
	return "Done."
}

// StepsFollow says "Follow three".
func (l Language) StepsFollow() string {
	if l == Russian {
		return "Подпишитесь на троих"
	}
	return "Follow three"
}

// StepsFollowMore says "More: [all people] and [all groups].".
func (l Language) StepsFollowMore() Linked {
	if l == Russian {
		return Linked("Ещё: [все люди] и [все группы].")
	}
	return Linked("More: [all people] and [all groups].")
}

// StepsFollowText says "Your home page shows what the people and groups you choose write, like and comment on.".
func (l Language) StepsFollowText() string {
	if l == Russian {
		return "На главной вы увидите, что пишут, лайкают и комментируют выбранные вами люди и группы."
	}
	return "Your home page shows what the people and groups you choose write, like and comment on."
}

// StepsHello says "Say hello".
func (l Language) StepsHello() string {
	if l == Russian {
		return "Поздоровайтесь"
	}
	return "Say hello"
}

// StepsHelloText says "[Write a first post]: who you are, and what you like to read about.".
func (l Language) StepsHelloText() Linked {
	if l == Russian {
		return Linked("[Напишите первый пост]: кто вы и о чём любите читать.")
	}
	return Linked("[Write a first post]: who you are, and what you like to read about.")
}

// StepsPicture says "Add a picture".
func (l Language) StepsPicture() string {
	if l == Russian {
		return "Добавьте картинку"
	}
	return "Add a picture"
}

// StepsPictureText says "A face is easier to remember than a letter. [Choose a picture].".
func (l Language) StepsPictureText() Linked {
	if l == Russian {
		return Linked("Лицо запоминается лучше, чем буква. [Выберите картинку].")
	}
	return Linked("A face is easier to remember than a letter. [Choose a picture].")
}

// StepsTitle says "Welcome! Three steps to begin".
func (l Language) StepsTitle() string {
	if l == Russian {
		return "Добро пожаловать! Три шага для начала"
	}
	return "Welcome! Three steps to begin"
}

// SuspensionEnded says "The suspension of {who} ended.".
func (l Language) SuspensionEnded(who string) string {
	if l == Russian {
		return "Блокировка " + who + " закончилась."
	}
	return "The suspension of " + who + " ended."
}

// SuspensionJournal says "Journal".
func (l Language) SuspensionJournal() string {
	if l == Russian {
		return "Журнал"
	}
	return "Journal"
}

// SuspensionJournalLead says "What administrators did to accounts, posts and comments. No one can change it.".
func (l Language) SuspensionJournalLead() string {
	if l == Russian {
		return "Что администраторы делали с учётными записями, постами и комментариями. Изменить журнал нельзя."
	}
	return "What administrators did to accounts, posts and comments. No one can change it."
}

// SuspensionJournalNone says "Nothing yet.".
func (l Language) SuspensionJournalNone() string {
	if l == Russian {
		return "Пока пусто."
	}
	return "Nothing yet."
}

// SuspensionLead says "A suspended person is signed out and can't sign in, and no one sees what they wrote. When you restore the account, everything is back.".
func (l Language) SuspensionLead() string {
	if l == Russian {
		return "Заблокированный человек не может войти, и никто не видит того, что он написал. Если снять блокировку, всё вернётся."
	}
	return "A suspended person is signed out and can't sign in, and no one sees what they wrote. When you restore the account, everything is back."
}

// SuspensionList says "Suspended now".
func (l Language) SuspensionList() string {
	if l == Russian {
		return "Заблокированы сейчас"
	}
	return "Suspended now"
}

// SuspensionName says "Username".
func (l Language) SuspensionName() string {
	if l == Russian {
		return "Имя пользователя"
	}
	return "Username"
}

// SuspensionNone says "No account is suspended.".
func (l Language) SuspensionNone() string {
	if l == Russian {
		return "Никто не заблокирован."
	}
	return "No account is suspended."
}

// SuspensionOperator says "The operator of the server".
func (l Language) SuspensionOperator() string {
	if l == Russian {
		return "Владелец сервера"
	}
	return "The operator of the server"
}

// SuspensionReason says "Reason".
func (l Language) SuspensionReason() string {
	if l == Russian {
		return "Причина"
	}
	return "Reason"
}

// SuspensionReasonHint says "The person reads it when the account works again. So do administrators.".
func (l Language) SuspensionReasonHint() string {
	if l == Russian {
		return "Человек прочтёт её, когда блокировку снимут. Видят её и администраторы."
	}
	return "The person reads it when the account works again. So do administrators."
}

// SuspensionRestore says "Restore".
func (l Language) SuspensionRestore() string {
	if l == Russian {
		return "Снять блокировку"
	}
	return "Restore"
}

// SuspensionRestored says "{by} restored {who}.".
func (l Language) SuspensionRestored(by string, who string) string {
	if l == Russian {
		return by + ": снята блокировка " + who + "."
	}
	return by + " restored " + who + "."
}

// SuspensionSuspend says "Suspend the account".
func (l Language) SuspensionSuspend() string {
	if l == Russian {
		return "Заблокировать"
	}
	return "Suspend the account"
}

// SuspensionSuspended says "{by} suspended {who}.".
func (l Language) SuspensionSuspended(by string, who string) string {
	if l == Russian {
		return by + ": блокировка " + who + "."
	}
	return by + " suspended " + who + "."
}

// SuspensionSuspendedUntil says "{by} suspended {who} until {day}.".
func (l Language) SuspensionSuspendedUntil(by string, who string, day string) string {
	if l == Russian {
		return by + ": блокировка " + who + " до " + day + "."
	}
	return by + " suspended " + who + " until " + day + "."
}

// SuspensionTitle says "Suspended accounts".
func (l Language) SuspensionTitle() string {
	if l == Russian {
		return "Блокировки"
	}
	return "Suspended accounts"
}

// SuspensionUnknown says "a deleted account".
func (l Language) SuspensionUnknown() string {
	if l == Russian {
		return "удалённая учётная запись"
	}
	return "a deleted account"
}

// SuspensionUntil says "Until {day}.".
func (l Language) SuspensionUntil(day string) string {
	if l == Russian {
		return "До " + day + "."
	}
	return "Until " + day + "."
}

// WelcomeFree says "Reading needs no account.".
func (l Language) WelcomeFree() string {
	if l == Russian {
		return "Читать можно и без аккаунта."
	}
	return "Reading needs no account."
}

// WelcomeGroups says "Groups they write in".
func (l Language) WelcomeGroups() string {
	if l == Russian {
		return "В этих группах"
	}
	return "Groups they write in"
}

// WelcomeMore says "[All groups]".
func (l Language) WelcomeMore() Linked {
	if l == Russian {
		return Linked("[Все группы]")
	}
	return Linked("[All groups]")
}

// WelcomePeople says "People talking here".
func (l Language) WelcomePeople() string {
	if l == Russian {
		return "Здесь разговаривают"
	}
	return "People talking here"
}

// WelcomePosts says "The latest conversations".
func (l Language) WelcomePosts() string {
	if l == Russian {
		return "Последние разговоры"
	}
	return "The latest conversations"
}

// WelcomeSignUp says "Create an account".
func (l Language) WelcomeSignUp() string {
	if l == Russian {
		return "Зарегистрироваться"
	}
	return "Create an account"
}

// WelcomeText says "Follow people and groups, and talk in the comments. The busiest conversations rise to the top.".
func (l Language) WelcomeText() string {
	if l == Russian {
		return "Подписывайтесь на людей и группы, разговаривайте в комментариях. Самые живые разговоры поднимаются наверх."
	}
	return "Follow people and groups, and talk in the comments. The busiest conversations rise to the top."
}

// WelcomeTitle says "A small social network that updates as you read.".
func (l Language) WelcomeTitle() string {
	if l == Russian {
		return "Небольшая социальная сеть, которая обновляется, пока вы читаете."
	}
	return "A small social network that updates as you read."
}

// WhyBelongs says "It belongs on this page.".
func (l Language) WhyBelongs() string {
	if l == Russian {
		return "Этот пост относится к этой странице."
	}
	return "It belongs on this page."
}

// WhyBest says "It is among the posts with the most likes, comments and favourites.".
func (l Language) WhyBest() string {
	if l == Russian {
		return "Этот пост среди самых популярных."
	}
	return "It is among the posts with the most likes, comments and favourites."
}

// WhyCommented says "{who*} commented on it.".
func (l Language) WhyCommented() Filled {
	if l == Russian {
		return Filled("Комментирует \x01.")
	}
	return Filled("\x01 commented on it.")
}

// WhyEverything says "This page has all posts that are not private.".
func (l Language) WhyEverything() string {
	if l == Russian {
		return "На этой странице собраны все посты, кроме закрытых."
	}
	return "This page has all posts that are not private."
}

// WhyFav says "It is one of your favourites.".
func (l Language) WhyFav() string {
	if l == Russian {
		return "Это у вас в избранном."
	}
	return "It is one of your favourites."
}

// WhyFaved says "It is among the posts that most people saved as favourites.".
func (l Language) WhyFaved() string {
	if l == Russian {
		return "Этот пост среди тех, что чаще всего добавляют в избранное."
	}
	return "It is among the posts that most people saved as favourites."
}

// WhyFyeo says "You posted it for your eyes only.".
func (l Language) WhyFyeo() string {
	if l == Russian {
		return "Вы написали это только для себя."
	}
	return "You posted it for your eyes only."
}

// WhyGroup says "You are a member of {who*}.".
func (l Language) WhyGroup() Filled {
	if l == Russian {
		return Filled("Вы участник группы \x01.")
	}
	return Filled("You are a member of \x01.")
}

// WhyGroupList says "It was posted to {who*}, which is in this list.".
func (l Language) WhyGroupList() Filled {
	if l == Russian {
		return Filled("Пост в группе \x01 из этого списка.")
	}
	return Filled("It was posted to \x01, which is in this list.")
}

// WhyInList says "{who*} is in this list.".
func (l Language) WhyInList() Filled {
	if l == Russian {
		return Filled("\x01 в этом списке.")
	}
	return Filled("\x01 is in this list.")
}

// WhyLanguage says "It is in the language of this page.".
func (l Language) WhyLanguage() string {
	if l == Russian {
		return "Пост на языке этой страницы."
	}
	return "It is in the language of this page."
}

// WhyLeave says "Leave".
func (l Language) WhyLeave() string {
	if l == Russian {
		return "Выйти"
	}
	return "Leave"
}

// WhyLeaveGroup says "Leave {group}".
func (l Language) WhyLeaveGroup(group string) string {
	if l == Russian {
		return "Выйти из группы «" + group + "»"
	}
	return "Leave " + group
}

// WhyLeavePrivate says "Leave the private feed".
func (l Language) WhyLeavePrivate() string {
	if l == Russian {
		return "Отписаться от приватной ленты"
	}
	return "Leave the private feed"
}

// WhyLiked says "{who*} liked it.".
func (l Language) WhyLiked() Filled {
	if l == Russian {
		return Filled("Лайк: \x01.")
	}
	return Filled("\x01 liked it.")
}

// WhyMatches says "It matches your search.".
func (l Language) WhyMatches() string {
	if l == Russian {
		return "Пост подходит под ваш поиск."
	}
	return "It matches your search."
}

// WhyMatchesWords says "It matches your search: {words}".
func (l Language) WhyMatchesWords(words string) string {
	if l == Russian {
		return "Пост подходит под ваш поиск: " + words
	}
	return "It matches your search: " + words
}

// WhyMention says "It mentions you, in the post or in a comment.".
func (l Language) WhyMention() string {
	if l == Russian {
		return "Вас упомянули в посте или в комментарии."
	}
	return "It mentions you, in the post or in a comment."
}

// WhyMuteComments says "Mute the comments of {who}".
func (l Language) WhyMuteComments(who string) string {
	if l == Russian {
		return "Заглушить комментарии: " + who
	}
	return "Mute the comments of " + who
}

// WhyMuteLikes says "Mute the likes of {who}".
func (l Language) WhyMuteLikes(who string) string {
	if l == Russian {
		return "Заглушить лайки: " + who
	}
	return "Mute the likes of " + who
}

// WhyOwn says "It is your own post.".
func (l Language) WhyOwn() string {
	if l == Russian {
		return "Это ваш пост."
	}
	return "It is your own post."
}

// WhyOwnHide says "Hide my own posts on my home page".
func (l Language) WhyOwnHide() string {
	if l == Russian {
		return "Не показывать мои посты на главной"
	}
	return "Hide my own posts on my home page"
}

// WhyOwnList says "It is your own post, and your feed is in this list.".
func (l Language) WhyOwnList() string {
	if l == Russian {
		return "Это ваш пост, а ваша лента в этом списке."
	}
	return "It is your own post, and your feed is in this list."
}

// WhyOwnPage says "This is the post's own page.".
func (l Language) WhyOwnPage() string {
	if l == Russian {
		return "Это страница самого поста."
	}
	return "This is the post's own page."
}

// WhyPageCommented says "{who*} commented on it, and this is their page.".
func (l Language) WhyPageCommented() Filled {
	if l == Russian {
		return Filled("Комментирует \x01, и это страница этих комментариев.")
	}
	return Filled("\x01 commented on it, and this is their page.")
}

// WhyPageGroup says "It was posted to {who*}, and this is the page of the group.".
func (l Language) WhyPageGroup() Filled {
	if l == Russian {
		return Filled("Пост в группе \x01, и это её страница.")
	}
	return Filled("It was posted to \x01, and this is the page of the group.")
}

// WhyPageLiked says "{who*} liked it, and this is their page.".
func (l Language) WhyPageLiked() Filled {
	if l == Russian {
		return Filled("Лайк: \x01, и это страница этих лайков.")
	}
	return Filled("\x01 liked it, and this is their page.")
}

// WhyPagePerson says "{who*} wrote it, and this is their page.".
func (l Language) WhyPagePerson() Filled {
	if l == Russian {
		return Filled("Автор — \x01, и это страница автора.")
	}
	return Filled("\x01 wrote it, and this is their page.")
}

// WhyPagePrivate says "It was posted to the private feed of {who*}, and this is the page of that feed.".
func (l Language) WhyPagePrivate() Filled {
	if l == Russian {
		return Filled("Пост в приватной ленте \x01, и это её страница.")
	}
	return Filled("It was posted to the private feed of \x01, and this is the page of that feed.")
}

// WhyPerson says "You subscribe to {who*}.".
func (l Language) WhyPerson() Filled {
	if l == Russian {
		return Filled("Вы подписаны на автора: \x01.")
	}
	return Filled("You subscribe to \x01.")
}

// WhyPersonList says "{who*} wrote it and is in this list.".
func (l Language) WhyPersonList() Filled {
	if l == Russian {
		return Filled("Автор — \x01 из этого списка.")
	}
	return Filled("\x01 wrote it and is in this list.")
}

// WhyPhotos says "It has a photo.".
func (l Language) WhyPhotos() string {
	if l == Russian {
		return "В посте есть фотография."
	}
	return "It has a photo."
}

// WhyPrivate says "You subscribe to the private feed of {who*}.".
func (l Language) WhyPrivate() Filled {
	if l == Russian {
		return Filled("Вы подписаны на приватную ленту \x01.")
	}
	return Filled("You subscribe to the private feed of \x01.")
}

// WhyPrivateList says "It was posted to the private feed of {who*}, which is in this list.".
func (l Language) WhyPrivateList() Filled {
	if l == Russian {
		return Filled("Пост в приватной ленте \x01 из этого списка.")
	}
	return Filled("It was posted to the private feed of \x01, which is in this list.")
}

// WhySent says "{who*} sent it to you.".
func (l Language) WhySent() Filled {
	if l == Russian {
		return Filled("Это личное сообщение вам: \x01.")
	}
	return Filled("\x01 sent it to you.")
}

// WhyTag says "It has the tag of this page.".
func (l Language) WhyTag() string {
	if l == Russian {
		return "В тексте есть тег этой страницы."
	}
	return "It has the tag of this page."
}

// WhyTakeOut says "Remove from this list".
func (l Language) WhyTakeOut() string {
	if l == Russian {
		return "Убрать из этого списка"
	}
	return "Remove from this list"
}

// WhyUnfavourite says "Unfavourite".
func (l Language) WhyUnfavourite() string {
	if l == Russian {
		return "Убрать из избранного"
	}
	return "Unfavourite"
}

// WhyUnlike says "Unlike".
func (l Language) WhyUnlike() string {
	if l == Russian {
		return "Убрать лайк"
	}
	return "Unlike"
}

// WhyUnsubscribe says "Unsubscribe".
func (l Language) WhyUnsubscribe() string {
	if l == Russian {
		return "Отписаться"
	}
	return "Unsubscribe"
}

// WhyYouCommented says "You commented on it.".
func (l Language) WhyYouCommented() string {
	if l == Russian {
		return "Вы это комментировали."
	}
	return "You commented on it."
}

// WhyYouInList says "You are in this list.".
func (l Language) WhyYouInList() string {
	if l == Russian {
		return "Вы в этом списке."
	}
	return "You are in this list."
}

// WhyYouLiked says "You liked it.".
func (l Language) WhyYouLiked() string {
	if l == Russian {
		return "Лайк: вы."
	}
	return "You liked it."
}

// WhyYouSent says "You sent it.".
func (l Language) WhyYouSent() string {
	if l == Russian {
		return "Вы это отправили."
	}
	return "You sent it."
}

// WhyYouWrote says "You wrote it.".
func (l Language) WhyYouWrote() string {
	if l == Russian {
		return "Это написали вы."
	}
	return "You wrote it."
}

// WrongAddress says "This is not the address of a web page.".
func (l Language) WrongAddress() string {
	if l == Russian {
		return "Это не адрес веб-страницы."
	}
	return "This is not the address of a web page."
}

// WrongCharacters says "This has characters that can't be saved. Remove them.".
func (l Language) WrongCharacters() string {
	if l == Russian {
		return "Здесь есть символы, которые нельзя сохранить. Уберите их."
	}
	return "This has characters that can't be saved. Remove them."
}

// WrongChoice says "Choose one of the options.".
func (l Language) WrongChoice() string {
	if l == Russian {
		return "Выберите один из вариантов."
	}
	return "Choose one of the options."
}

// WrongCommon says "That word is too common. Add another.".
func (l Language) WrongCommon() string {
	if l == Russian {
		return "Это слово слишком частое. Добавьте ещё одно."
	}
	return "That word is too common. Add another."
}

// WrongCommonPassword says "Many people use this password, so it is guessed first. Choose another, for example a few words that only you would put together.".
func (l Language) WrongCommonPassword() string {
	if l == Russian {
		return "Такой пароль у многих, и его подбирают первым. Придумайте другой, например из нескольких слов, которые вместе поставите только вы."
	}
	return "Many people use this password, so it is guessed first. Choose another, for example a few words that only you would put together."
}

// WrongCountsNothing says "At least one of the three values must be above 0.".
func (l Language) WrongCountsNothing() string {
	if l == Russian {
		return "Хотя бы одно из трёх значений должно быть больше 0."
	}
	return "At least one of the three values must be above 0."
}

// WrongDays says "Write a number of days from 1 to {n}, or leave it empty.".
func (l Language) WrongDays(n int) string {
	if l == Russian {
		return "Напишите число дней от 1 до " + l.Number(n) + " или оставьте поле пустым."
	}
	return "Write a number of days from 1 to " + l.Number(n) + ", or leave it empty."
}

// WrongDeep says "Pages this far down are not numbered. Follow the “Older” links instead.".
func (l Language) WrongDeep() string {
	if l == Russian {
		return "Так далеко страницы не нумеруются. Переходите по ссылкам «Раньше»."
	}
	return "Pages this far down are not numbered. Follow the “Older” links instead."
}

// WrongEmail says "That doesn't look like an e-mail address.".
func (l Language) WrongEmail() string {
	if l == Russian {
		return "Это не похоже на адрес e-mail."
	}
	return "That doesn't look like an e-mail address."
}

// WrongEmpty says "Fill this in.".
func (l Language) WrongEmpty() string {
	if l == Russian {
		return "Заполните это поле."
	}
	return "Fill this in."
}

// WrongFilterEmpty says "The line “{name}” has no letter or digit.".
func (l Language) WrongFilterEmpty(name string) string {
	if l == Russian {
		return "В строке «" + name + "» нет ни буквы, ни цифры."
	}
	return "The line “" + name + "” has no letter or digit."
}

// WrongFilterLong says "A line can have up to {n} characters.".
func (l Language) WrongFilterLong(n int) string {
	if l == Russian {
		return "В строке может быть не больше " + l.Number(n) + " знаков."
	}
	return "A line can have up to " + l.Number(n) + " characters."
}

// WrongFilterMany says "The list can have up to {n} lines.".
func (l Language) WrongFilterMany(n int) string {
	if l == Russian {
		return "В списке может быть не больше " + l.Number(n) + " строк."
	}
	return "The list can have up to " + l.Number(n) + " lines."
}

// WrongFull says "You have reached the limit. Remove something first.".
func (l Language) WrongFull() string {
	if l == Russian {
		return "Достигнут предел. Сначала что-нибудь удалите."
	}
	return "You have reached the limit. Remove something first."
}

// WrongGroup says "That is a group. Use a person's name.".
func (l Language) WrongGroup() string {
	if l == Russian {
		return "Это группа. Укажите имя человека."
	}
	return "That is a group. Use a person's name."
}

// WrongHeld says "You can't change where this post goes while it waits for an administrator.".
func (l Language) WrongHeld() string {
	if l == Russian {
		return "Пока пост ждёт администратора, нельзя изменить, куда он отправлен."
	}
	return "You can't change where this post goes while it waits for an administrator."
}

// WrongHidePrivate says "A post in private places can't be hidden, because all administrators read what is hidden. Delete it, or leave it.".
func (l Language) WrongHidePrivate() string {
	if l == Russian {
		return "Пост из закрытых мест скрыть нельзя, потому что скрытое читают все администраторы. Удалите его или оставьте."
	}
	return "A post in private places can't be hidden, because all administrators read what is hidden. Delete it, or leave it."
}

// WrongInput says "This value isn't valid. Check it and try again.".
func (l Language) WrongInput() string {
	if l == Russian {
		return "Это значение не подходит. Проверьте его и попробуйте снова."
	}
	return "This value isn't valid. Check it and try again."
}

// WrongIntakeAdding says "Another feed of yours is being added. Wait until that is done, then try again.".
func (l Language) WrongIntakeAdding() string {
	if l == Russian {
		return "Другая ваша лента ещё добавляется. Дождитесь, пока она появится, и попробуйте снова."
	}
	return "Another feed of yours is being added. Wait until that is done, then try again."
}

// WrongIntakeAddress says "This is not a public web address. Copy it from your browser; it starts with https://.".
func (l Language) WrongIntakeAddress() string {
	if l == Russian {
		return "Это не адрес открытого сайта. Скопируйте адрес из браузера: он начинается с https://."
	}
	return "This is not a public web address. Copy it from your browser; it starts with https://."
}

// WrongIntakeAway says "The site could not be reached, or didn't answer in time. Check the address, or try again later.".
func (l Language) WrongIntakeAway() string {
	if l == Russian {
		return "Сайт недоступен или отвечает слишком долго. Проверьте адрес или попробуйте позже."
	}
	return "The site could not be reached, or didn't answer in time. Check the address, or try again later."
}

// WrongIntakeBroken says "The feed is damaged and can't be read. Tell the people who run the site.".
func (l Language) WrongIntakeBroken() string {
	if l == Russian {
		return "Лента повреждена, прочитать её не удаётся. Сообщите об этом владельцам сайта."
	}
	return "The feed is damaged and can't be read. Tell the people who run the site."
}

// WrongIntakeCrowd says "Many people are adding feeds right now. Try again in a minute.".
func (l Language) WrongIntakeCrowd() string {
	if l == Russian {
		return "Сейчас ленты добавляет много людей. Попробуйте снова через минуту."
	}
	return "Many people are adding feeds right now. Try again in a minute."
}

// WrongIntakeFull says "You import as many feeds as this site allows. Remove one first.".
func (l Language) WrongIntakeFull() string {
	if l == Russian {
		return "Вы импортируете столько лент, сколько разрешает сайт. Сначала уберите одну."
	}
	return "You import as many feeds as this site allows. Remove one first."
}

// WrongIntakeGone says "The site says that this feed no longer exists. Look for its new address there.".
func (l Language) WrongIntakeGone() string {
	if l == Russian {
		return "Сайт сообщает, что этой ленты больше нет. Поищите там её новый адрес."
	}
	return "The site says that this feed no longer exists. Look for its new address there."
}

// WrongIntakeLarge says "The feed is too large. Look for a shorter one on the site.".
func (l Language) WrongIntakeLarge() string {
	if l == Russian {
		return "Лента слишком большая. Поищите на сайте ленту покороче."
	}
	return "The feed is too large. Look for a shorter one on the site."
}

// WrongIntakeNoFeed says "There is no feed at this address. Look on the site for a link called RSS, Atom or Feed, and use that.".
func (l Language) WrongIntakeNoFeed() string {
	if l == Russian {
		return "По этому адресу ленты нет. Найдите на сайте ссылку RSS, Atom или Feed и укажите её."
	}
	return "There is no feed at this address. Look on the site for a link called RSS, Atom or Feed, and use that."
}

// WrongIntakeOff says "Feeds are not imported on this site.".
func (l Language) WrongIntakeOff() string {
	if l == Russian {
		return "На этом сайте ленты не импортируются."
	}
	return "Feeds are not imported on this site."
}

// WrongIntakeRights says "You can't post to this group at the moment. Join it again, or remove the feed.".
func (l Language) WrongIntakeRights() string {
	if l == Russian {
		return "Сейчас вы не можете писать в эту группу. Вступите в неё снова или уберите ленту."
	}
	return "You can't post to this group at the moment. Join it again, or remove the feed."
}

// WrongIntakeStatus says "The site refused: {status}. Check that the feed opens in your browser without signing in.".
func (l Language) WrongIntakeStatus(status string) string {
	if l == Russian {
		return "Сайт отказал: " + status + ". Проверьте, открывается ли лента в браузере без входа."
	}
	return "The site refused: " + status + ". Check that the feed opens in your browser without signing in."
}

// WrongIntakeTwice says "You import this feed there already.".
func (l Language) WrongIntakeTwice() string {
	if l == Russian {
		return "Вы уже импортируете туда эту ленту."
	}
	return "You import this feed there already."
}

// WrongInvisible says "Use at least one visible character.".
func (l Language) WrongInvisible() string {
	if l == Russian {
		return "Нужен хотя бы один видимый символ."
	}
	return "Use at least one visible character."
}

// WrongListName says "Choose a name without slashes.".
func (l Language) WrongListName() string {
	if l == Russian {
		return "Выберите название без косой черты."
	}
	return "Choose a name without slashes."
}

// WrongMixedDirect says "A direct message can't also be posted to a feed or a group. Choose one of them.".
func (l Language) WrongMixedDirect() string {
	if l == Russian {
		return "Личное сообщение нельзя одновременно отправить в ленту или группу. Выберите что-то одно."
	}
	return "A direct message can't also be posted to a feed or a group. Choose one of them."
}

// WrongMixedFyeo says "A post for your eyes only can't also be posted elsewhere. Choose one of them.".
func (l Language) WrongMixedFyeo() string {
	if l == Russian {
		return "Пост только для себя нельзя отправить куда-то ещё. Выберите что-то одно."
	}
	return "A post for your eyes only can't also be posted elsewhere. Choose one of them."
}

// WrongName says "Use 3-49 characters: a-z, 0-9, _ and -; don't start with -.".
func (l Language) WrongName() string {
	if l == Russian {
		return "Нужно от 3 до 49 символов: a-z, 0-9, _ и -; первым не может быть -."
	}
	return "Use 3-49 characters: a-z, 0-9, _ and -; don't start with -."
}

// WrongNewcomerLink says "You can add links here when your account is {n} days old. Write it without the link.".
func (l Language) WrongNewcomerLink(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Ссылки здесь можно добавлять, когда учётной записи исполнится " + l.Number(n) + " день. Напишите без ссылки."
		case few:
			return "Ссылки здесь можно добавлять, когда учётной записи исполнится " + l.Number(n) + " дня. Напишите без ссылки."
		}
		return "Ссылки здесь можно добавлять, когда учётной записи исполнится " + l.Number(n) + " дней. Напишите без ссылки."
	}
	switch enForm(n) {
	case one:
		return "You can add links here when your account is " + l.Number(n) + " day old. Write it without the link."
	}
	return "You can add links here when your account is " + l.Number(n) + " days old. Write it without the link."
}

// WrongNewcomerPosts says "New people can write {n} posts and comments within 24 hours. Try again later.".
func (l Language) WrongNewcomerPosts(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Новый человек может написать не больше " + l.Number(n) + " поста или комментария за 24 часа. Попробуйте позже."
		case few:
			return "Новый человек может написать не больше " + l.Number(n) + " постов и комментариев за 24 часа. Попробуйте позже."
		}
		return "Новый человек может написать не больше " + l.Number(n) + " постов и комментариев за 24 часа. Попробуйте позже."
	}
	switch enForm(n) {
	case one:
		return "New people can write " + l.Number(n) + " post or comment within 24 hours. Try again later."
	}
	return "New people can write " + l.Number(n) + " posts and comments within 24 hours. Try again later."
}

// WrongNoCommentWord says "Add a word to search for in comments.".
func (l Language) WrongNoCommentWord() string {
	if l == Russian {
		return "Добавьте слово для поиска в комментариях."
	}
	return "Add a word to search for in comments."
}

// WrongNoContent says "Write something, or add a file.".
func (l Language) WrongNoContent() string {
	if l == Russian {
		return "Напишите что-нибудь или добавьте файл."
	}
	return "Write something, or add a file."
}

// WrongNoDay says "{day} is not a date. Write it like 2024-12-31.".
func (l Language) WrongNoDay(day string) string {
	if l == Russian {
		return day + " — не дата. Напишите её в виде 2024-12-31."
	}
	return day + " is not a date. Write it like 2024-12-31."
}

// WrongNoFile says "One of the files was deleted, was refused, or belongs to another post. Remove it, or add it again.".
func (l Language) WrongNoFile() string {
	if l == Russian {
		return "Один из файлов удалён, не подошёл или принадлежит другому посту. Уберите его или добавьте снова."
	}
	return "One of the files was deleted, was refused, or belongs to another post. Remove it, or add it again."
}

// WrongNoGroup says "There is no group called {name}.".
func (l Language) WrongNoGroup(name string) string {
	if l == Russian {
		return "Группы с именем " + name + " нет."
	}
	return "There is no group called " + name + "."
}

// WrongNoLetter says "Use at least one letter, digit, - or _.".
func (l Language) WrongNoLetter() string {
	if l == Russian {
		return "Нужна хотя бы одна латинская буква, цифра, - или _."
	}
	return "Use at least one letter, digit, - or _."
}

// WrongNoPassword says "You have no password yet. Set one first.".
func (l Language) WrongNoPassword() string {
	if l == Russian {
		return "У вас пока нет пароля. Сначала задайте его."
	}
	return "You have no password yet. Set one first."
}

// WrongNoPerson says "There is no one called {name}.".
func (l Language) WrongNoPerson(name string) string {
	if l == Russian {
		return "Человека с именем " + name + " нет."
	}
	return "There is no one called " + name + "."
}

// WrongNoScope says "Choose at least one.".
func (l Language) WrongNoScope() string {
	if l == Russian {
		return "Выберите хотя бы одно."
	}
	return "Choose at least one."
}

// WrongNoWord says "There is no word to search for. Add one.".
func (l Language) WrongNoWord() string {
	if l == Russian {
		return "В запросе нет слов для поиска. Добавьте слово."
	}
	return "There is no word to search for. Add one."
}

// WrongNobody says "There is no one by that name.".
func (l Language) WrongNobody() string {
	if l == Russian {
		return "Никого с таким именем нет."
	}
	return "There is no one by that name."
}

// WrongNotMember says "Only members can become administrators.".
func (l Language) WrongNotMember() string {
	if l == Russian {
		return "Администратором может стать только участник."
	}
	return "Only members can become administrators."
}

// WrongNotThere says "The post is not in this group any more. Choose again.".
func (l Language) WrongNotThere() string {
	if l == Russian {
		return "Поста больше нет в этой группе. Выберите ещё раз."
	}
	return "The post is not in this group any more. Choose again."
}

// WrongNumber says "Use a number within the limits.".
func (l Language) WrongNumber() string {
	if l == Russian {
		return "Укажите число в допустимых пределах."
	}
	return "Use a number within the limits."
}

// WrongOften says "You changed the name too often. Try again later.".
func (l Language) WrongOften() string {
	if l == Russian {
		return "Вы слишком часто меняли логин. Попробуйте позже."
	}
	return "You changed the name too often. Try again later."
}

// WrongOldPassword says "That isn't your current password.".
func (l Language) WrongOldPassword() string {
	if l == Russian {
		return "Это не ваш текущий пароль."
	}
	return "That isn't your current password."
}

// WrongOneLine says "Use one line, without line breaks.".
func (l Language) WrongOneLine() string {
	if l == Russian {
		return "Нужна одна строка, без переносов."
	}
	return "Use one line, without line breaks."
}

// WrongOnlyNot says "This search only says what to leave out. Add a word to search for.".
func (l Language) WrongOnlyNot() string {
	if l == Russian {
		return "В запросе только исключения. Добавьте слово для поиска."
	}
	return "This search only says what to leave out. Add a word to search for."
}

// WrongOwnLike says "You can't like your own posts and comments.".
func (l Language) WrongOwnLike() string {
	if l == Russian {
		return "Нельзя лайкать свои посты и комментарии."
	}
	return "You can't like your own posts and comments."
}

// WrongOwnPassword says "A name or an address is guessed first. Choose another password.".
func (l Language) WrongOwnPassword() string {
	if l == Russian {
		return "Имя или адрес подбирают первым. Придумайте другой пароль."
	}
	return "A name or an address is guessed first. Choose another password."
}

// WrongPassword says "That isn't your password.".
func (l Language) WrongPassword() string {
	if l == Russian {
		return "Это не ваш пароль."
	}
	return "That isn't your password."
}

// WrongPast says "Choose a time in the future.".
func (l Language) WrongPast() string {
	if l == Russian {
		return "Выберите время в будущем."
	}
	return "Choose a time in the future."
}

// WrongPictureDamaged says "This picture is damaged or incomplete. Save it again, or choose another one.".
func (l Language) WrongPictureDamaged() string {
	if l == Russian {
		return "Картинка повреждена или загрузилась не целиком. Сохраните её заново или выберите другую."
	}
	return "This picture is damaged or incomplete. Save it again, or choose another one."
}

// WrongPictureLarge says "This picture is too large. Make it smaller, or choose another one.".
func (l Language) WrongPictureLarge() string {
	if l == Russian {
		return "Картинка слишком большая. Уменьшите её или выберите другую."
	}
	return "This picture is too large. Make it smaller, or choose another one."
}

// WrongPictureTool says "This server can't accept pictures yet. Ask the people who run it.".
func (l Language) WrongPictureTool() string {
	if l == Russian {
		return "Этот сервер пока не принимает картинки. Обратитесь к тем, кто им управляет."
	}
	return "This server can't accept pictures yet. Ask the people who run it."
}

// WrongPictureType says "This file is not a picture that can be used. Choose a JPEG, PNG, GIF, WebP or AVIF file.".
func (l Language) WrongPictureType() string {
	if l == Russian {
		return "Это не картинка или её формат не подходит. Выберите файл JPEG, PNG, GIF, WebP или AVIF."
	}
	return "This file is not a picture that can be used. Choose a JPEG, PNG, GIF, WebP or AVIF file."
}

// WrongPlaces says "Too many places. Choose fewer.".
func (l Language) WrongPlaces() string {
	if l == Russian {
		return "Слишком много мест. Выберите меньше."
	}
	return "Too many places. Choose fewer."
}

// WrongRarer says "Too many posts have these words. Add a rarer word, or an author with from:.".
func (l Language) WrongRarer() string {
	if l == Russian {
		return "Эти слова есть в слишком многих постах. Добавьте более редкое слово или from: с именем."
	}
	return "Too many posts have these words. Add a rarer word, or an author with from:."
}

// WrongRecipients says "Recipients can't be removed from a direct message.".
func (l Language) WrongRecipients() string {
	if l == Russian {
		return "Из личного сообщения нельзя убрать получателей."
	}
	return "Recipients can't be removed from a direct message."
}

// WrongRefused says "The administrators of this site do not allow “{name}”. Write it without that.".
func (l Language) WrongRefused(name string) string {
	if l == Russian {
		return "Администраторы этого сайта не разрешают писать «" + name + "». Напишите без этого."
	}
	return "The administrators of this site do not allow “" + name + "”. Write it without that."
}

// WrongReserved says "This name is reserved. Choose another.".
func (l Language) WrongReserved() string {
	if l == Russian {
		return "Это имя зарезервировано. Выберите другое."
	}
	return "This name is reserved. Choose another."
}

// WrongRules says "Read the rules of the site, and agree to them, or you can't join.".
func (l Language) WrongRules() string {
	if l == Russian {
		return "Прочитайте правила сайта: без согласия с ними аккаунт не создать."
	}
	return "Read the rules of the site, and agree to them, or you can't join."
}

// WrongSelfDirect says "You can't send a direct message to yourself. Post it for your eyes only.".
func (l Language) WrongSelfDirect() string {
	if l == Russian {
		return "Нельзя отправить личное сообщение себе. Сохраните пост только для себя."
	}
	return "You can't send a direct message to yourself. Post it for your eyes only."
}

// WrongSignHas says "After has: write image, video, audio or file.".
func (l Language) WrongSignHas() string {
	if l == Russian {
		return "После has: напишите image, video, audio или file."
	}
	return "After has: write image, video, audio or file."
}

// WrongSignIn says "Only in:comments is supported.".
func (l Language) WrongSignIn() string {
	if l == Russian {
		return "Поддерживается только in:comments."
	}
	return "Only in:comments is supported."
}

// WrongSignInAgain says "You signed in more than an hour ago. Sign out, sign in again, and come back.".
func (l Language) WrongSignInAgain() string {
	if l == Russian {
		return "Вы вошли больше часа назад. Выйдите, войдите снова и вернитесь сюда."
	}
	return "You signed in more than an hour ago. Sign out, sign in again, and come back."
}

// WrongSignMinus says "{sign} can't be excluded. Remove the minus before it.".
func (l Language) WrongSignMinus(sign string) string {
	if l == Russian {
		return "Исключить " + sign + " нельзя. Уберите минус."
	}
	return sign + " can't be excluded. Remove the minus before it."
}

// WrongSignName says "Write a name right after {sign}.".
func (l Language) WrongSignName(sign string) string {
	if l == Russian {
		return "Напишите имя сразу после " + sign + "."
	}
	return "Write a name right after " + sign + "."
}

// WrongSignUpLink says "This link was used up or revoked, or is too old. Ask for a new one.".
func (l Language) WrongSignUpLink() string {
	if l == Russian {
		return "Эта ссылка уже использована, отозвана или устарела. Попросите новую."
	}
	return "This link was used up or revoked, or is too old. Ask for a new one."
}

// WrongSiteOnly says "Reports about people go to the administrators of the site.".
func (l Language) WrongSiteOnly() string {
	if l == Russian {
		return "Жалобы на людей получают администраторы сайта."
	}
	return "Reports about people go to the administrators of the site."
}

// WrongStaysDirect says "A direct message can't become a post, and a post can't become a direct message. Write a new one.".
func (l Language) WrongStaysDirect() string {
	if l == Russian {
		return "Личное сообщение не может стать постом, а пост — личным сообщением. Напишите новое."
	}
	return "A direct message can't become a post, and a post can't become a direct message. Write a new one."
}

// WrongSuspended says "This account is suspended or deleted, so it can't administer the group.".
func (l Language) WrongSuspended() string {
	if l == Russian {
		return "Этот аккаунт заблокирован или удалён и не может быть администратором."
	}
	return "This account is suspended or deleted, so it can't administer the group."
}

// WrongTaken says "This is already taken. Choose another.".
func (l Language) WrongTaken() string {
	if l == Russian {
		return "Это уже занято. Выберите другое."
	}
	return "This is already taken. Choose another."
}

// WrongTimes says "The end is before the beginning. Swap the two dates.".
func (l Language) WrongTimes() string {
	if l == Russian {
		return "Конец раньше начала. Поменяйте даты местами."
	}
	return "The end is before the beginning. Swap the two dates."
}

// WrongTooLong says "Too long: use at most {n} characters.".
func (l Language) WrongTooLong(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Слишком длинно: можно не больше " + l.Number(n) + " символа."
		case few:
			return "Слишком длинно: можно не больше " + l.Number(n) + " символов."
		}
		return "Слишком длинно: можно не больше " + l.Number(n) + " символов."
	}
	switch enForm(n) {
	case one:
		return "Too long: use at most " + l.Number(n) + " character."
	}
	return "Too long: use at most " + l.Number(n) + " characters."
}

// WrongTooMany says "Too many files: add at most {n}.".
func (l Language) WrongTooMany(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Слишком много файлов: можно добавить не больше " + l.Number(n) + "."
		case few:
			return "Слишком много файлов: можно добавить не больше " + l.Number(n) + "."
		}
		return "Слишком много файлов: можно добавить не больше " + l.Number(n) + "."
	}
	switch enForm(n) {
	case one:
		return "Too many files: add at most " + l.Number(n) + "."
	}
	return "Too many files: add at most " + l.Number(n) + "."
}

// WrongTooMuch says "This search is too long. Use fewer words.".
func (l Language) WrongTooMuch() string {
	if l == Russian {
		return "Запрос слишком длинный. Уберите часть слов."
	}
	return "This search is too long. Use fewer words."
}

// WrongTooShort says "Too short: use at least {n} characters.".
func (l Language) WrongTooShort(n int) string {
	if l == Russian {
		switch ruForm(n) {
		case one:
			return "Слишком коротко: нужно не меньше " + l.Number(n) + " символа."
		case few:
			return "Слишком коротко: нужно не меньше " + l.Number(n) + " символов."
		}
		return "Слишком коротко: нужно не меньше " + l.Number(n) + " символов."
	}
	switch enForm(n) {
	case one:
		return "Too short: use at least " + l.Number(n) + " character."
	}
	return "Too short: use at least " + l.Number(n) + " characters."
}

// WrongUnreadable says "You can't read this feed. Choose another.".
func (l Language) WrongUnreadable() string {
	if l == Russian {
		return "Вы не можете читать эту ленту. Выберите другую."
	}
	return "You can't read this feed. Choose another."
}

// WrongWhere says "Choose where the post goes.".
func (l Language) WrongWhere() string {
	if l == Russian {
		return "Выберите, куда отправить пост."
	}
	return "Choose where the post goes."
}

// WrongYourself says "That is you. Use someone else's name.".
func (l Language) WrongYourself() string {
	if l == Russian {
		return "Это вы. Укажите другого человека."
	}
	return "That is you. Use someone else's name."
}

// ZoneAfrica says "Africa".
func (l Language) ZoneAfrica() string {
	if l == Russian {
		return "Африка"
	}
	return "Africa"
}

// ZoneAmerica says "America".
func (l Language) ZoneAmerica() string {
	if l == Russian {
		return "Америка"
	}
	return "America"
}

// ZoneAntarctica says "Antarctica".
func (l Language) ZoneAntarctica() string {
	if l == Russian {
		return "Антарктида"
	}
	return "Antarctica"
}

// ZoneArctic says "Arctic".
func (l Language) ZoneArctic() string {
	if l == Russian {
		return "Арктика"
	}
	return "Arctic"
}

// ZoneAsia says "Asia".
func (l Language) ZoneAsia() string {
	if l == Russian {
		return "Азия"
	}
	return "Asia"
}

// ZoneAtlantic says "Atlantic Ocean".
func (l Language) ZoneAtlantic() string {
	if l == Russian {
		return "Атлантический океан"
	}
	return "Atlantic Ocean"
}

// ZoneAustralia says "Australia".
func (l Language) ZoneAustralia() string {
	if l == Russian {
		return "Австралия"
	}
	return "Australia"
}

// ZoneEurope says "Europe".
func (l Language) ZoneEurope() string {
	if l == Russian {
		return "Европа"
	}
	return "Europe"
}

// ZoneIndian says "Indian Ocean".
func (l Language) ZoneIndian() string {
	if l == Russian {
		return "Индийский океан"
	}
	return "Indian Ocean"
}

// ZoneOthers says "Others".
func (l Language) ZoneOthers() string {
	if l == Russian {
		return "Другие"
	}
	return "Others"
}

// ZonePacific says "Pacific Ocean".
func (l Language) ZonePacific() string {
	if l == Russian {
		return "Тихий океан"
	}
	return "Pacific Ocean"
}
