-- Files that administrators have made, bundles they have uploaded, and whose bundles are trusted. Times are epoch milliseconds.

create table download_job (
  id bigint generated always as identity primary key,
  -- database_dump, catalogue_bundle, logs, support_bundle; bundle_import is an upload.
  kind text not null,
  -- The data folder in which its file lies: only a process of that folder works on it.
  place text not null,
  options jsonb not null,
  -- What was asked for, in words.
  about text not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled', 'interrupted')),
  asked_by text not null,
  asked_time bigint not null,
  started_time bigint,
  ended_time bigint,
  -- When the file and the job go.
  expires_time bigint,
  cancel_asked boolean not null default false,
  file_name text not null,
  bytes bigint not null default 0,
  rows bigint not null default 0,
  total bigint not null default 0,
  stage text not null default '',
  message text not null default '',
  -- Of an import: what it would change, or has changed.
  report jsonb
);
create index download_job_waiting on download_job (place, id) where state = 'queued';

create table download_ticket (
  -- SHA-256 of the ticket, in hex; the ticket itself is never kept.
  ticket_hash text collate "C" primary key,
  job_id bigint not null references download_job (id) on delete cascade,
  expires_time bigint not null
);

create table bundle_key (
  -- The first 16 hexadecimal digits of the key's SHA-256.
  fingerprint text collate "C" primary key,
  name text not null,
  -- Ed25519, 32 bytes in base64.
  public_key text not null,
  added_time bigint not null,
  added_by text not null
);
