package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"amstel.dev/amstel/timeline"
)

// userCmd holds the commands with which an operator manages accounts.
type userCmd struct {
	Add      userAddCmd      `cmd:"" help:"Add an account."`
	Token    userTokenCmd    `cmd:"" help:"Make an API token and print it on a line of its own."`
	Link     userLinkCmd     `cmd:"" help:"Print a link that signs in to an account. It works once, within a day."`
	Password userPasswordCmd `cmd:"" help:"Set a password. The account is signed out everywhere."`
	Suspend  userSuspendCmd  `cmd:"" help:"Suspend an account: it is signed out everywhere and can't sign in. Its posts stay."`
	Restore  userRestoreCmd  `cmd:"" help:"Let a suspended account sign in again."`
}

type userAddCmd struct {
	primary
	Name     string `arg:"" help:"Name of the account."`
	Email    string `required:"" placeholder:"ADDRESS" help:"E-mail address."`
	Password string `placeholder:"WORDS" help:"Password. Without one, the account signs in by a link: see amstel user link."`
	Admin    bool   `help:"Make the account an administrator of the site. While the site has none, a new account becomes one anyway."`
}

// Run adds an account.
func (c *userAddCmd) Run(ctx context.Context, to streams) (err error) {
	db, err := c.open(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	store := timeline.New(db.pool, timeline.Options{})
	_, err = store.SignUp(ctx, timeline.NewUser{
		Name: c.Name, Email: c.Email, Password: c.Password, NoPassword: c.Password == "", Admin: c.Admin,
	})
	if err != nil {
		return plain(err)
	}
	if c.Password == "" {
		to.notice(fmt.Sprintf("%s has no password: amstel user link %s prints a link to sign in with.", c.Name, c.Name))
	}
	_, err = fmt.Fprintf(to.out, "Added %s.\n", c.Name)
	return err
}

type userTokenCmd struct {
	primary
	Name string `arg:"" help:"Name of the account."`
	For  string `default:"amstel user token" placeholder:"APPLICATION" help:"Purpose of the token, shown in the account's list of tokens (${default})."`

	Scope []string `enum:"read,write,admin" default:"read,write" help:"What the token may do, any of read, write and admin (${default})."`
	Days  int      `placeholder:"N" help:"Number of days after which the token ends. Without this flag, it lasts until it is revoked."`
}

// Run prints a new token.
func (c *userTokenCmd) Run(ctx context.Context, to streams) error {
	return c.withUser(ctx, to, c.Name, func(store *timeline.Store, user timeline.UserID) error {
		spec := timeline.TokenSpec{Name: c.For}
		var err error
		if spec.Scopes, err = timeline.ParseScopes(c.Scope); err != nil {
			return plain(err)
		}
		switch {
		case c.Days < 0:
			return &settingError{"--days must be above 0"}
		case c.Days > 0:
			spec.Expires = time.Now().AddDate(0, 0, c.Days)
		}
		token, err := store.NewToken(ctx, user, spec)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(to.out, token)
		return err
	})
}

type userPasswordCmd struct {
	primary
	Name     string `arg:"" help:"Name of the account."`
	Password string `placeholder:"WORDS" help:"New password. Without this flag, amstel asks for the password on a terminal, or reads it from the standard input."`
}

// Run sets a password.
func (c *userPasswordCmd) Run(ctx context.Context, to streams) error {
	password := c.Password
	if password == "" {
		var err error
		if password, err = askPassword(to); err != nil {
			return err
		}
	}
	return c.withUser(ctx, to, c.Name, func(store *timeline.Store, user timeline.UserID) error {
		if err := store.SetPassword(ctx, user, password); err != nil {
			return err
		}
		_, err := fmt.Fprintf(to.out, "%s has a new password and is signed out everywhere.\n", c.Name)
		return err
	})
}

// askPassword asks for a password on the terminal, twice, because the terminal does not show it.
// If the input is not a terminal, askPassword reads one line.
func askPassword(to streams) (string, error) {
	if to.in == nil {
		return "", &settingError{"--password is missing"}
	}
	terminal, ok := to.in.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		line, err := bufio.NewReader(to.in).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read the password: %w", err)
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	var typed [2]string
	for i, question := range []string{"New password: ", "Once more: "} {
		fmt.Fprint(to.err, question)
		text, err := term.ReadPassword(int(terminal.Fd()))
		fmt.Fprintln(to.err)
		if err != nil {
			return "", fmt.Errorf("read the password: %w", err)
		}
		typed[i] = string(text)
	}
	if typed[0] != typed[1] {
		return "", &settingError{"the two passwords differ"}
	}
	return typed[0], nil
}

// withUser opens the primary, and calls do with the store and the account that has the name.
func (p primary) withUser(ctx context.Context, to streams, name string, do func(*timeline.Store, timeline.UserID) error) (err error) {
	db, err := p.open(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	store := timeline.New(db.pool, timeline.Options{})
	user, err := lookUpUser(ctx, store, name)
	if err != nil {
		return err
	}
	err = do(store, user)
	if errors.Is(err, timeline.ErrUnauthorized) {
		return fmt.Errorf("the account %q is suspended or deleted: a suspended one works again after amstel user restore %s, one that was deleted less than 14 days ago after amstel user link %[2]s", name, name)
	}
	return plain(err)
}

// lookUpUser returns the account of a person by name.
func lookUpUser(ctx context.Context, store *timeline.Store, name string) (timeline.UserID, error) {
	named, err := store.Lookup(ctx, name)
	switch {
	case errors.Is(err, timeline.ErrNotFound):
		return 0, fmt.Errorf("there is no account %q", name)
	case err != nil:
		return 0, err
	case named.User == 0:
		return 0, fmt.Errorf("%q is a group", name)
	}
	return named.User, nil
}

// plain returns an error of the store about bad input as a settingError, and any other error unchanged.
func plain(err error) error {
	if invalid, ok := errors.AsType[*timeline.InvalidError](err); ok {
		return &settingError{invalid.Error()}
	}
	return err
}
