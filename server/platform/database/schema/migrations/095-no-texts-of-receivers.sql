-- Replies of receivers may repeat the secret address or token of their channel: only the status stays of them.
update outbox set last_error = regexp_replace(last_error, '(The receiver replied \d+|The delivery to (?:the address|\S+) failed):.*$', '\1')
  where channel_id is not null;
update channel set problem = regexp_replace(problem, '(The receiver replied \d+|The delivery to (?:the address|\S+) failed):.*$', '\1');
update outbox set body = regexp_replace(body, '(The receiver replied \d+|The delivery to (?:the address|\S+) failed):[^\n]*', '\1')
  where channel_id is null and kind = 'Channel';
