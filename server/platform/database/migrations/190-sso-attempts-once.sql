-- Sign-ins by single sign-on from which a browser has come back: each is good once.
create table sso_returned_attempt (
  -- SHA-256 of the attempt's state, in hex.
  state_hash text collate "C" primary key,
  -- When the attempt would have ended by itself.
  expires_time bigint not null
);
create index sso_returned_attempt_by_expiry on sso_returned_attempt (expires_time);
