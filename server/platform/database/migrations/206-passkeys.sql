-- Passkeys (WebAuthn) as a second factor. Times are epoch milliseconds.

create table passkey (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  -- As the person calls it.
  name text not null,
  -- base64url, as the authenticator made it.
  credential_id text collate "C" not null unique,
  -- COSE key, base64url.
  public_key text not null,
  -- The host that the authenticator bound the passkey to.
  relying_party text not null,
  -- Signatures that the authenticator has made; 0 for ever where it does not count.
  counter bigint not null,
  -- How the browser reaches the authenticator: usb, nfc, internal and others.
  transports text[] not null,
  created_time bigint not null,
  last_used_time bigint
);
create index passkey_by_user on passkey (user_id);

create table passkey_challenge (
  -- SHA-256 of the challenge, in hex. One that was answered is gone.
  challenge_hash text collate "C" primary key,
  user_id bigint not null references users (id) on delete cascade,
  -- Whether it adds a passkey or asks for one.
  purpose text not null check (purpose in ('add', 'use')),
  expires_time bigint not null
);
create index passkey_challenge_by_user on passkey_challenge (user_id);
create index passkey_challenge_by_expiry on passkey_challenge (expires_time);

-- Who has only a passkey has backup codes too.
alter table two_factor_backup_code drop constraint two_factor_backup_code_user_id_fkey;
alter table two_factor_backup_code add foreign key (user_id) references users (id) on delete cascade;
