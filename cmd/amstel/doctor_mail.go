package main

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// mailWithin is the time that the mail server has to answer.
const mailWithin = 10 * time.Second

// checkMail connects to the mail server as a node does, without sending anything.
func (d *doctor) checkMail(ctx context.Context) finding {
	if d.Mail == "" {
		return found(stateOK, "the site sends no mail, so people who forget their password ask you for a link: --mail and --mail-from change that")
	}
	transport, err := d.transport()
	if err != nil {
		return found(stateProblem, "%v", err)
	}
	ctx, cancel := context.WithTimeout(ctx, mailWithin)
	defer cancel()
	if err := transport.Check(ctx); err != nil {
		return found(stateProblem, "the mail server refuses the site: %v: correct --mail, or mend the server; until then mails wait for two days", err)
	}
	return found(stateOK, "the mail server lets the site in")
}

// waitingMails is how long a mail waits before it is a finding.
const waitingMails = time.Hour

// checkMails looks for mails that wait.
func (d *doctor) checkMails(ctx context.Context) finding {
	const query = `
		select count(*), coalesce(max(fault) filter (where fault <> ''), 'no node has tried') from mails
		where state = 'queued' and created_at < $1 having count(*) > 0`
	var waiting int
	var fault string
	err := d.db.pool.QueryRow(ctx, query, d.now().Add(-waitingMails)).Scan(&waiting, &fault)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return found(stateOK, "no mail waits")
	case err != nil:
		return found(stateProblem, "the queue of mails can't be read: %v", err)
	}
	return found(stateWarning, "%d mails wait for more than an hour, the last for this reason: %s", waiting, fault)
}
