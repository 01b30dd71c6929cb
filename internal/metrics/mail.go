package metrics

// Mails adds the metrics of mails.
func (m *Metrics) Mails() {
	m.mails = m.counters("mails_total", "Mails, by outcome: sent, later (the mail server did not take the mail, which is tried again), failed (given up), dropped (it must not be sent any more).", "outcome")
}

// Mail records what became of a mail, by its outcome.
func (m *Metrics) Mail(outcome string) { m.mails.WithLabelValues(outcome).Inc() }
