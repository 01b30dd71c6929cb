-- Mails are found by their Message-ID when they come back.

-- +goose Up
create index mails_message on mails (message);

-- +goose Down
drop index mails_message;
