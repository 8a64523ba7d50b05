-- The schema: tables by area, each with a comment that says what a row is. Times are epoch milliseconds.
-- Columns that are ordered or compared by bytes are collated "C".

create extension if not exists pg_trgm;

-- Identifiers and versions are put in order by their numbers. The same functions, for rows in memory: catalogue/definition/natural-order.ts.
create function natural_order(text) returns text language sql immutable parallel safe
  return regexp_replace(regexp_replace(left($1, 100), '([0-9]+)', '0000000000000000000\1', 'g'), '[0-9]*([0-9]{19})', '\1', 'g');
-- Bound to the other function, which has no schema here: indexes are built with a search path of the system's own.
create function version_order(text) returns text language sql immutable parallel safe
  return translate(regexp_replace(natural_order(case when $1 ~ '^[0-9]+:' then $1 else '0:' || $1 end), '-(?=.*-)', '|', 'g'),
    '~.+', chr(1) || '}{') || chr(2);

-- === Settings and audit ===

-- What administrators may set, by name; a setting that was never changed has no row.
create table settings (
  name text primary key,
  value jsonb not null
);

-- Where the chain ends, and where it begins since older entries were removed. Who writes holds the row's lock.
create table audit_chain (
  one boolean primary key default true CHECK (one),
  last_id bigint not null,
  last_hash text not null,
  removed_id bigint not null,
  removed_hash text not null
);

-- Who did what. Entries are chained by their hashes and kept from change; times are epoch milliseconds.
create table audit_entry (
  -- Counted by audit_chain, without gaps.
  id bigint primary key,
  time bigint not null,
  -- Refers to nobody: who was removed has still done what they did.
  user_id bigint,
  user_name text,
  key_name text,
  client_id bigint,
  client_name text,
  -- Folded, of those three names.
  who_folded text collate "C" not null,
  action text collate "C" not null,
  subject text not null,
  subject_folded text collate "C" not null,
  -- JSON as it was written: the hash is of these characters. Null where there is none.
  before_json text,
  after_json text,
  parameters_json text,
  address text not null,
  request_id text collate "C" not null,
  outcome text not null check (outcome in ('done', 'refused', 'failed')),
  code text not null,
  -- SHA-256 in hex, of the entry before and of this one.
  previous_hash text collate "C" not null,
  hash text collate "C" not null,
  -- Entries are chained by HMAC from here on; this names the key. Entries of earlier versions have none: they are chained by a plain hash.
  key_id text
);
create index audit_entry_by_time on audit_entry ("time");
create index audit_entry_by_action on audit_entry (action, id);
create index audit_entry_by_request on audit_entry (request_id);

create function audit_entry_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('patch.audit_removal', true) = 'on' then
    return old;
  end if;
  -- A dump that is restored empties the tables which the migrations have just made.
  if tg_op = 'TRUNCATE' and not exists (select from audit_entry) then
    return null;
  end if;
  raise exception 'Entries of the audit log are neither changed nor removed';
end
$$;

-- The one way out: the oldest entries, all that are older than a time which is a day ago or more. Answers how many went, and the last of them.
create function audit_remove_before(before bigint) returns table (removed bigint, last_removed bigint) language plpgsql as $$
declare
  chain audit_chain;
  through bigint;
begin
  if before > extract(epoch from now()) * 1000 - 86400000 then
    raise exception 'Entries of the last day are not removed from the audit log';
  end if;
  select * into chain from audit_chain for update;
  select id - 1 into through from audit_entry where time >= before order by id limit 1;
  through := coalesce(through, chain.last_id);
  removed := 0;
  last_removed := chain.removed_id;
  if through > chain.removed_id then
    update audit_chain set
      removed_id = through,
      removed_hash = coalesce((select hash from audit_entry where id <= through order by id desc limit 1), chain.removed_hash);
    perform set_config('patch.audit_removal', 'on', true);
    delete from audit_entry where id <= through;
    get diagnostics removed = row_count;
    perform set_config('patch.audit_removal', 'off', true);
    last_removed := through;
  end if;
  return next;
end
$$;

create trigger audit_entry_is_not_emptied before truncate on audit_entry for each statement execute function audit_entry_stays();
create trigger audit_entry_stays before  delete or update on audit_entry for each row execute function audit_entry_stays();

insert into audit_chain (last_id, last_hash, removed_id, removed_hash) values (0, '', 0, '');

-- === People ===
-- Accounts and how people and programs sign in. Secrets are hashed or sealed.

-- Who may sign in, who is signed in, and how often somebody tried. Times are epoch milliseconds.
create table users (
  id bigint generated always as identity primary key,
  name text not null check (position('@' in name) = 0),
  name_folded text collate "C" not null unique,
  -- Empty: none is known.
  email text not null,
  email_folded text collate "C" not null,
  user_type text not null check (user_type in ('Admin', 'Standard')),
  -- IANA name; null: the browser's own.
  timezone text,
  -- argon2id in PHC string format.
  password_hash text not null,
  must_change_password boolean not null,
  created_time bigint not null,
  last_sign_in_time bigint
);
create unique index users_by_email on users (email_folded) where email_folded <> ''::text;

-- Second factors at sign-in, and signing in with an identity provider. Times are epoch milliseconds.
create table two_factor (
  user_id bigint primary key references users (id) on delete cascade,
  -- Of the authenticator app, sealed with the service's key.
  sealed_secret text not null,
  -- Null: shown to the user, who has not yet proved that the app has it; nothing is asked for.
  enabled_time bigint,
  -- The 30 seconds of the last code that was taken, counted since 1970; it and all before are good no more.
  last_step bigint not null
);

-- The hash of a backup code, used once.
create table two_factor_backup_code (
  user_id bigint not null references users (id) on delete cascade,
  -- SHA-256 of the user's id and the code, in hex; a code that was used is gone.
  code_hash text collate "C" not null,
  primary key (user_id, code_hash)
);

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

-- A challenge for a passkey, answered once.
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

-- A signed-in browser: the hash of its token.
create table sessions (
  -- SHA-256 of the token, in hex; the token itself is never kept.
  token_hash text collate "C" primary key,
  user_id bigint not null references users (id) on delete cascade,
  address text not null,
  created_time bigint not null,
  last_used_time bigint not null,
  -- When it ends if it is not used again; never later than ends_time.
  expires_time bigint not null,
  ends_time bigint not null,
  id bigint generated always as identity,
  user_agent text not null default '',
  -- How a session was begun: by a password of this service, or by an identity provider, which asks for factors of its own.
  by_provider boolean not null default false,
  -- When the person last proved who they are in this session; null: not in a way that is known.
  proven_time bigint
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_time);

-- The networks that a person has signed in from: a try from one of them is not slowed by wrong tries from elsewhere.
create table known_network (
  user_id bigint not null references users (id) on delete cascade,
  -- An IPv4 address, or the /64 of an IPv6 address.
  network text collate "C" not null,
  last_time bigint not null,
  primary key (user_id, network)
);
create index known_network_by_network on known_network (network, last_time);

-- The tries of the last minutes that were not followed by a good one, for each account from each address.
create table sign_in_attempts (
  account text collate "C" not null,
  address text collate "C" not null,
  tried_times bigint[] not null,
  -- From then on the row says nothing any more.
  expires_time bigint not null,
  primary key (account, address)
);
create index sign_in_attempts_by_expiry on sign_in_attempts (expires_time);

-- A link that sets a new password, used once.
create table password_reset (
  -- SHA-256 of the link's id, in hex; the id itself is never kept.
  id_hash text collate "C" primary key,
  user_id bigint not null references users (id) on delete cascade,
  created_time bigint not null,
  expires_time bigint not null
);
create index password_reset_by_user on password_reset (user_id);

-- Who a user is to an identity provider.
create table sso_identity (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id bigint not null references users (id) on delete cascade,
  created_time bigint not null,
  primary key (issuer, subject)
);
create index sso_identity_by_user on sso_identity (user_id);

-- What a browser comes back with from an identity provider, to be exchanged for a session once.
create table sso_ticket (
  -- SHA-256 of the ticket, in hex; the ticket itself is never kept.
  ticket_hash text collate "C" primary key,
  -- SHA-256 of the cookie of the browser that began; no other may exchange it.
  browser_hash text collate "C" not null,
  user_id bigint not null references users (id) on delete cascade,
  created_time bigint not null,
  expires_time bigint not null,
  -- When the person signed in at the identity provider, as it says; null: it does not say.
  proven_time bigint
);
create index sso_ticket_by_expiry on sso_ticket (expires_time);
create index sso_ticket_by_user on sso_ticket (user_id);

-- Sign-ins by single sign-on from which a browser has come back: each is good once.
create table sso_returned_attempt (
  -- SHA-256 of the attempt's state, in hex.
  state_hash text collate "C" primary key,
  -- When the attempt would have ended by itself.
  expires_time bigint not null
);
create index sso_returned_attempt_by_expiry on sso_returned_attempt (expires_time);

-- A key with which a program calls the API: its hash, scopes and end.
create table api_key (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  name text not null,
  name_folded text collate "C" not null,
  -- SHA-256 of the key, in hex; the key itself is never kept.
  key_hash text collate "C" not null unique,
  -- How the key begins.
  prefix text not null,
  scopes jsonb not null,
  created_time bigint not null,
  -- Null: never.
  expires_time bigint not null,
  last_used_time bigint,
  unique (user_id, name_folded)
);

-- Pictures of people, where they are signed in, and the API keys of programs. Times are epoch milliseconds.
-- A picture's file name is random: who may see it knows it. A new picture has a new name, so that the old one may be kept for ever.
create table avatar (
  user_id bigint primary key references users (id) on delete cascade,
  file_name text collate "C" not null unique,
  image bytea not null
);

-- === Preferences ===

-- What people prefer, and the searches they have saved. Times are epoch milliseconds.
create table user_preference (
  user_id bigint not null references users (id) on delete cascade,
  -- The key of a list.
  module text not null,
  value jsonb not null,
  primary key (user_id, module)
);

-- A search of a list, saved under a name.
create table saved_view (
  id bigint generated always as identity primary key,
  list text not null,
  owner_id bigint not null references users (id) on delete cascade,
  name text not null,
  name_folded text collate "C" not null,
  shared boolean not null,
  search jsonb not null,
  updated_time bigint not null,
  unique (owner_id, list, name_folded)
);
create index saved_view_by_list on saved_view (list, name_folded);

-- At most one view of a list opens by itself for a person.
create table default_view (
  user_id bigint not null references users (id) on delete cascade,
  list text not null,
  view_id bigint not null references saved_view (id) on delete cascade,
  primary key (user_id, list)
);
create index default_view_by_view on default_view (view_id);

-- When each person looked at the dashboard: it shows what is new since an earlier day. Times are epoch milliseconds.
create table dashboard_visit (
  user_id bigint primary key references users (id) on delete cascade,
  last_time bigint not null,
  -- The last visit on an earlier day than last_time; null until there was one.
  before_time bigint
);

-- Downloads that were asked for and not fetched yet: a browser fetches a file without the session's token.
create table export_ticket (
  -- SHA-256 of the ticket, in hex; the ticket itself is never kept.
  ticket_hash text collate "C" primary key,
  user_id bigint not null references users (id) on delete cascade,
  request jsonb not null,
  expires_time bigint not null
);

-- === Lists ===
-- Each list of the catalogue has a table, whose columns follow from its definition in catalogue/vendors (server/platform/database/table-sql.ts).
-- A text column has a folded one for searches, and a start for orders where texts are long.

-- Raised with every change of a list's rows: what was counted at a revision holds while the revision is the same.
create table list_revision (
  list text primary key,
  revision bigint not null,
  -- Rows that are not withdrawn, kept up to date by the entry writer.
  listed bigint not null
);

-- What a record has beyond its row, read one record at a time.
create table entry_detail (
  list text not null,
  row_id bigint not null,
  detail jsonb not null,
  primary key (list, row_id)
);

-- A record of the Windows patch repository.
create table patch_repository (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  name text,
  name_folded text collate "C",
  product_name text,
  product_name_folded text collate "C",
  param_name text,
  param_name_folded text collate "C",
  product_family text,
  product_family_folded text collate "C",
  component text,
  component_folded text collate "C",
  component_start text collate "C",
  kb_id text,
  kb_id_folded text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  impact text,
  impact_folded text collate "C",
  release_date bigint,
  latest_kb text,
  latest_kb_folded text collate "C",
  cve text,
  cve_folded text collate "C",
  cve_start text collate "C",
  supersedes text,
  supersedes_folded text collate "C",
  supersedes_start text collate "C",
  superseded_by text,
  superseded_by_folded text collate "C",
  superseded_by_start text collate "C",
  architecture text,
  architecture_folded text collate "C",
  architecture_start text collate "C",
  restart_behaviour text,
  restart_behaviour_folded text collate "C",
  -- Licensed clients: who may fetch the lists' changes. And what a list's changes are found by: each row says at which revision
  -- of its list it was last written. Times are epoch milliseconds.
  revision bigint not null default 0,
  -- Whether another KB replaces it stands in the rows of the KB list. Until the next sync it is told by the KBs that are known to.
  superseded boolean,
  -- Whether a KB fixes what is exploited or publicly disclosed; filled by the next sync, which reads the security update guide once more.
  exploited boolean,
  publicly_disclosed boolean
);
create index patch_repository_listed on patch_repository (id) where withdrawn_time is null;
create index patch_repository_by_name_folded on patch_repository (name_folded, id) where withdrawn_time is null;
create index patch_repository_by_product_name_folded on patch_repository (product_name_folded, id) where withdrawn_time is null;
create index patch_repository_by_param_name_folded on patch_repository (param_name_folded, id) where withdrawn_time is null;
create index patch_repository_by_product_family_folded on patch_repository (product_family_folded, id) where withdrawn_time is null;
create index patch_repository_by_component_start on patch_repository (component_start, id) where withdrawn_time is null;
create index patch_repository_by_kb_id_folded on patch_repository (kb_id_folded, id) where withdrawn_time is null;
create index patch_repository_by_severity_rank on patch_repository (severity_rank, id) where withdrawn_time is null;
create index patch_repository_by_impact_folded on patch_repository (impact_folded, id) where withdrawn_time is null;
create index patch_repository_by_release_date on patch_repository (release_date, id) where withdrawn_time is null;
create index patch_repository_by_latest_kb_folded on patch_repository (latest_kb_folded, id) where withdrawn_time is null;
create index patch_repository_by_architecture_start on patch_repository (architecture_start, id) where withdrawn_time is null;
create index patch_repository_by_restart_behaviour_folded on patch_repository (restart_behaviour_folded, id) where withdrawn_time is null;
create index patch_repository_by_created_time on patch_repository (created_time, id) where withdrawn_time is null;
create index patch_repository_by_updated_time on patch_repository (updated_time, id) where withdrawn_time is null;
create index patch_repository_by_severity_rank_in_order on patch_repository (severity_rank, release_date, id) where withdrawn_time is null;
create index patch_repository_by_words on patch_repository using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index patch_repository_by_revision on patch_repository (revision, id);
create index patch_repository_by_superseded on patch_repository (superseded, id) where withdrawn_time is null;
create index patch_repository_by_exploited on patch_repository (exploited, id) where withdrawn_time is null;
create index patch_repository_by_publicly_disclosed on patch_repository (publicly_disclosed, id) where withdrawn_time is null;
create index patch_repository_by_param_name_folded_natural on patch_repository (natural_order(param_name_folded), id) where withdrawn_time is null;
create index patch_repository_by_kb_id_folded_natural on patch_repository (natural_order(kb_id_folded), id) where withdrawn_time is null;
create index patch_repository_by_latest_kb_folded_natural on patch_repository (natural_order(latest_kb_folded), id) where withdrawn_time is null;
create index patch_repository_by_cve_start_natural on patch_repository (natural_order(cve_start), id) where withdrawn_time is null;
create index patch_repository_by_supersedes_start_natural on patch_repository (natural_order(supersedes_start), id) where withdrawn_time is null;
create index patch_repository_by_superseded_by_start_natural on patch_repository (natural_order(superseded_by_start), id) where withdrawn_time is null;

-- A record of the KB base.
create table kb_repository (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  kb_id text,
  kb_id_folded text collate "C",
  title text,
  title_folded text collate "C",
  release_date bigint,
  category text,
  category_folded text collate "C",
  category_rank smallint,
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  product_name text,
  product_name_folded text collate "C",
  product_name_start text collate "C",
  size bigint,
  architecture text,
  architecture_folded text collate "C",
  architecture_start text collate "C",
  restart_behaviour text,
  restart_behaviour_folded text collate "C",
  support_uninstallation boolean,
  cab_exists boolean,
  uuid text,
  uuid_folded text collate "C",
  revision bigint not null default 0,
  -- Whether another update replaces it stands in the rows of the KB base and the patch list. The patch list's detail called those other
  -- updates by that name; there they are `supersededBy` now.
  superseded boolean,
  -- The vendor's own word of exploitation, concluded of the records of the KB base: docs/decisions/061.
  exploited boolean
);
create index kb_repository_listed on kb_repository (id) where withdrawn_time is null;
create index kb_repository_by_kb_id_folded on kb_repository (kb_id_folded, id) where withdrawn_time is null;
create index kb_repository_by_title_folded on kb_repository (title_folded, id) where withdrawn_time is null;
create index kb_repository_by_release_date on kb_repository (release_date, id) where withdrawn_time is null;
create index kb_repository_by_category_rank on kb_repository (category_rank, id) where withdrawn_time is null;
create index kb_repository_by_severity_rank on kb_repository (severity_rank, id) where withdrawn_time is null;
create index kb_repository_by_product_name_start on kb_repository (product_name_start, id) where withdrawn_time is null;
create index kb_repository_by_size on kb_repository (size, id) where withdrawn_time is null;
create index kb_repository_by_architecture_start on kb_repository (architecture_start, id) where withdrawn_time is null;
create index kb_repository_by_restart_behaviour_folded on kb_repository (restart_behaviour_folded, id) where withdrawn_time is null;
create index kb_repository_by_support_uninstallation on kb_repository (support_uninstallation, id) where withdrawn_time is null;
create index kb_repository_by_cab_exists on kb_repository (cab_exists, id) where withdrawn_time is null;
create index kb_repository_by_uuid_folded on kb_repository (uuid_folded, id) where withdrawn_time is null;
create index kb_repository_by_category_rank_in_order on kb_repository (category_rank, release_date, id) where withdrawn_time is null;
create index kb_repository_by_severity_rank_in_order on kb_repository (severity_rank, release_date, id) where withdrawn_time is null;
create index kb_repository_by_words on kb_repository using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index kb_repository_by_revision on kb_repository (revision, id);
create index kb_repository_by_superseded on kb_repository (superseded, id) where withdrawn_time is null;
create index kb_repository_by_kb_id_folded_natural on kb_repository (natural_order(kb_id_folded), id) where withdrawn_time is null;
create index kb_repository_by_uuid_folded_natural on kb_repository (natural_order(uuid_folded), id) where withdrawn_time is null;
create index kb_repository_by_exploited on kb_repository (exploited, id) where withdrawn_time is null;

-- A record of the list of Linux repositories.
create table linux_patch_repository (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  patch_id text,
  patch_id_folded text collate "C",
  title text,
  title_folded text collate "C",
  source_pkg_name text,
  source_pkg_name_folded text collate "C",
  source_pkg_version text,
  source_pkg_version_folded text collate "C",
  binary_pkg_name text,
  binary_pkg_name_folded text collate "C",
  binary_pkg_version text,
  binary_pkg_version_folded text collate "C",
  release_date bigint,
  distribution text,
  distribution_folded text collate "C",
  urgency text,
  urgency_folded text collate "C",
  urgency_rank smallint,
  priority text,
  priority_folded text collate "C",
  priority_rank smallint,
  arch text,
  arch_folded text collate "C",
  revision bigint not null default 0,
  phased_update bigint
);
create index linux_patch_repository_listed on linux_patch_repository (id) where withdrawn_time is null;
create index linux_patch_repository_by_patch_id_folded on linux_patch_repository (patch_id_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_title_folded on linux_patch_repository (title_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_source_pkg_name_folded on linux_patch_repository (source_pkg_name_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_source_pkg_version_folded on linux_patch_repository (source_pkg_version_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_binary_pkg_name_folded on linux_patch_repository (binary_pkg_name_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_binary_pkg_version_folded on linux_patch_repository (binary_pkg_version_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_release_date on linux_patch_repository (release_date, id) where withdrawn_time is null;
create index linux_patch_repository_by_distribution_folded on linux_patch_repository (distribution_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_urgency_rank on linux_patch_repository (urgency_rank, id) where withdrawn_time is null;
create index linux_patch_repository_by_priority_rank on linux_patch_repository (priority_rank, id) where withdrawn_time is null;
create index linux_patch_repository_by_arch_folded on linux_patch_repository (arch_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_urgency_rank_in_order on linux_patch_repository (urgency_rank, release_date, id) where withdrawn_time is null;
create index linux_patch_repository_by_priority_rank_in_order on linux_patch_repository (priority_rank, release_date, id) where withdrawn_time is null;
create index linux_patch_repository_by_words on linux_patch_repository using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index linux_patch_repository_by_revision on linux_patch_repository (revision, id);
create index linux_patch_repository_by_phased_update on linux_patch_repository (phased_update, id) where withdrawn_time is null;
create index linux_patch_repository_by_patch_id_folded_natural on linux_patch_repository (natural_order(patch_id_folded), id) where withdrawn_time is null;
create index linux_patch_repository_by_source_pkg_name_folded_natural on linux_patch_repository (natural_order(source_pkg_name_folded), id) where withdrawn_time is null;
create index linux_patch_repository_by_source_pkg_version_folded_version on linux_patch_repository (version_order(source_pkg_version_folded), id) where withdrawn_time is null;
create index linux_patch_repository_by_binary_pkg_name_folded_natural on linux_patch_repository (natural_order(binary_pkg_name_folded), id) where withdrawn_time is null;
create index linux_patch_repository_by_binary_pkg_version_folded_version on linux_patch_repository (version_order(binary_pkg_version_folded), id) where withdrawn_time is null;
create index linux_patch_repository_by_distribution_folded_natural on linux_patch_repository (natural_order(distribution_folded), id) where withdrawn_time is null;
create index linux_patch_repository_by_arch_folded_natural on linux_patch_repository (natural_order(arch_folded), id) where withdrawn_time is null;

-- A record of the list of Linux notices.
create table linux_notice (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  notice_id text,
  notice_id_folded text collate "C",
  title text,
  title_folded text collate "C",
  affected_os text,
  affected_os_folded text collate "C",
  affected_os_start text collate "C",
  published bigint,
  release_date bigint,
  type text,
  type_folded text collate "C",
  revision bigint not null default 0,
  -- Notices have the highest priority of their CVEs, packages the percentage of machines that are offered an update.
  priority text,
  priority_folded text collate "C",
  priority_rank smallint
);
create index linux_notice_listed on linux_notice (id) where withdrawn_time is null;
create index linux_notice_by_notice_id_folded on linux_notice (notice_id_folded, id) where withdrawn_time is null;
create index linux_notice_by_title_folded on linux_notice (title_folded, id) where withdrawn_time is null;
create index linux_notice_by_affected_os_start on linux_notice (affected_os_start, id) where withdrawn_time is null;
create index linux_notice_by_published on linux_notice (published, id) where withdrawn_time is null;
create index linux_notice_by_release_date on linux_notice (release_date, id) where withdrawn_time is null;
create index linux_notice_by_updated_time on linux_notice (updated_time, id) where withdrawn_time is null;
create index linux_notice_by_type_folded on linux_notice (type_folded, id) where withdrawn_time is null;
create index linux_notice_by_words on linux_notice using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index linux_notice_by_revision on linux_notice (revision, id);
create index linux_notice_by_priority_rank on linux_notice (priority_rank, id) where withdrawn_time is null;
create index linux_notice_by_priority_rank_in_order on linux_notice (priority_rank, release_date, id) where withdrawn_time is null;
create index linux_notice_by_notice_id_folded_natural on linux_notice (natural_order(notice_id_folded), id) where withdrawn_time is null;
create index linux_notice_by_type_folded_natural on linux_notice (natural_order(type_folded), id) where withdrawn_time is null;

-- A record of the list of CentOS.
create table centos_patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  title text,
  title_folded text collate "C",
  release_date bigint,
  bulletin_id text,
  bulletin_id_folded text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  binary_pkg_name text,
  binary_pkg_name_folded text collate "C",
  binary_pkg_name_start text collate "C",
  category text,
  category_folded text collate "C",
  category_rank smallint,
  os_version text,
  os_version_folded text collate "C",
  os_version_start text collate "C",
  revision bigint not null default 0
);
create index centos_patch_listed on centos_patch (id) where withdrawn_time is null;
create index centos_patch_by_title_folded on centos_patch (title_folded, id) where withdrawn_time is null;
create index centos_patch_by_release_date on centos_patch (release_date, id) where withdrawn_time is null;
create index centos_patch_by_bulletin_id_folded on centos_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index centos_patch_by_severity_rank on centos_patch (severity_rank, id) where withdrawn_time is null;
create index centos_patch_by_binary_pkg_name_start on centos_patch (binary_pkg_name_start, id) where withdrawn_time is null;
create index centos_patch_by_category_rank on centos_patch (category_rank, id) where withdrawn_time is null;
create index centos_patch_by_os_version_start on centos_patch (os_version_start, id) where withdrawn_time is null;
create index centos_patch_by_severity_rank_in_order on centos_patch (severity_rank, release_date, id) where withdrawn_time is null;
create index centos_patch_by_category_rank_in_order on centos_patch (category_rank, release_date, id) where withdrawn_time is null;
create index centos_patch_by_words on centos_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index centos_patch_by_revision on centos_patch (revision, id);
create index centos_patch_by_bulletin_id_folded_natural on centos_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;

-- A record of the list of openSUSE.
create table opensuse_patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  title text,
  title_folded text collate "C",
  release_date bigint,
  bulletin_id text,
  bulletin_id_folded text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  binary_pkg_name text,
  binary_pkg_name_folded text collate "C",
  binary_pkg_name_start text collate "C",
  category text,
  category_folded text collate "C",
  category_rank smallint,
  os_version text,
  os_version_folded text collate "C",
  os_version_start text collate "C",
  revision bigint not null default 0,
  -- The name that zypper knows an openSUSE patch by: it was part of the natural key alone.
  patch_name text,
  patch_name_folded text collate "C"
);
create index opensuse_patch_listed on opensuse_patch (id) where withdrawn_time is null;
create index opensuse_patch_by_title_folded on opensuse_patch (title_folded, id) where withdrawn_time is null;
create index opensuse_patch_by_release_date on opensuse_patch (release_date, id) where withdrawn_time is null;
create index opensuse_patch_by_bulletin_id_folded on opensuse_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index opensuse_patch_by_severity_rank on opensuse_patch (severity_rank, id) where withdrawn_time is null;
create index opensuse_patch_by_binary_pkg_name_start on opensuse_patch (binary_pkg_name_start, id) where withdrawn_time is null;
create index opensuse_patch_by_category_rank on opensuse_patch (category_rank, id) where withdrawn_time is null;
create index opensuse_patch_by_os_version_start on opensuse_patch (os_version_start, id) where withdrawn_time is null;
create index opensuse_patch_by_severity_rank_in_order on opensuse_patch (severity_rank, release_date, id) where withdrawn_time is null;
create index opensuse_patch_by_category_rank_in_order on opensuse_patch (category_rank, release_date, id) where withdrawn_time is null;
create index opensuse_patch_by_words on opensuse_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index opensuse_patch_by_revision on opensuse_patch (revision, id);
create index opensuse_patch_by_patch_name_folded on opensuse_patch (patch_name_folded, id) where withdrawn_time is null;
create index opensuse_patch_by_bulletin_id_folded_natural on opensuse_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;
create index opensuse_patch_by_patch_name_folded_natural on opensuse_patch (natural_order(patch_name_folded), id) where withdrawn_time is null;

-- A record of the list of AlmaLinux.
create table almalinux_patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  title text,
  title_folded text collate "C",
  release_date bigint,
  bulletin_id text,
  bulletin_id_folded text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  binary_pkg_name text,
  binary_pkg_name_folded text collate "C",
  binary_pkg_name_start text collate "C",
  category text,
  category_folded text collate "C",
  category_rank smallint,
  os_version text,
  os_version_folded text collate "C",
  os_version_start text collate "C",
  revision bigint not null default 0
);
create index almalinux_patch_listed on almalinux_patch (id) where withdrawn_time is null;
create index almalinux_patch_by_title_folded on almalinux_patch (title_folded, id) where withdrawn_time is null;
create index almalinux_patch_by_release_date on almalinux_patch (release_date, id) where withdrawn_time is null;
create index almalinux_patch_by_bulletin_id_folded on almalinux_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index almalinux_patch_by_severity_rank on almalinux_patch (severity_rank, id) where withdrawn_time is null;
create index almalinux_patch_by_binary_pkg_name_start on almalinux_patch (binary_pkg_name_start, id) where withdrawn_time is null;
create index almalinux_patch_by_category_rank on almalinux_patch (category_rank, id) where withdrawn_time is null;
create index almalinux_patch_by_os_version_start on almalinux_patch (os_version_start, id) where withdrawn_time is null;
create index almalinux_patch_by_severity_rank_in_order on almalinux_patch (severity_rank, release_date, id) where withdrawn_time is null;
create index almalinux_patch_by_category_rank_in_order on almalinux_patch (category_rank, release_date, id) where withdrawn_time is null;
create index almalinux_patch_by_words on almalinux_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index almalinux_patch_by_revision on almalinux_patch (revision, id);
create index almalinux_patch_by_bulletin_id_folded_natural on almalinux_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;

-- A record of the list of Rocky Linux.
create table rockylinux_patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  title text,
  title_folded text collate "C",
  release_date bigint,
  bulletin_id text,
  bulletin_id_folded text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  binary_pkg_name text,
  binary_pkg_name_folded text collate "C",
  binary_pkg_name_start text collate "C",
  category text,
  category_folded text collate "C",
  category_rank smallint,
  os_version text,
  os_version_folded text collate "C",
  os_version_start text collate "C",
  revision bigint not null default 0
);
create index rockylinux_patch_listed on rockylinux_patch (id) where withdrawn_time is null;
create index rockylinux_patch_by_title_folded on rockylinux_patch (title_folded, id) where withdrawn_time is null;
create index rockylinux_patch_by_release_date on rockylinux_patch (release_date, id) where withdrawn_time is null;
create index rockylinux_patch_by_bulletin_id_folded on rockylinux_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index rockylinux_patch_by_severity_rank on rockylinux_patch (severity_rank, id) where withdrawn_time is null;
create index rockylinux_patch_by_binary_pkg_name_start on rockylinux_patch (binary_pkg_name_start, id) where withdrawn_time is null;
create index rockylinux_patch_by_category_rank on rockylinux_patch (category_rank, id) where withdrawn_time is null;
create index rockylinux_patch_by_os_version_start on rockylinux_patch (os_version_start, id) where withdrawn_time is null;
create index rockylinux_patch_by_severity_rank_in_order on rockylinux_patch (severity_rank, release_date, id) where withdrawn_time is null;
create index rockylinux_patch_by_category_rank_in_order on rockylinux_patch (category_rank, release_date, id) where withdrawn_time is null;
create index rockylinux_patch_by_words on rockylinux_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index rockylinux_patch_by_revision on rockylinux_patch (revision, id);
create index rockylinux_patch_by_bulletin_id_folded_natural on rockylinux_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;

-- A record of the list of Oracle Linux.
create table oracle_linux_patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  title text,
  title_folded text collate "C",
  release_date bigint,
  bulletin_id text,
  bulletin_id_folded text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  binary_pkg_name text,
  binary_pkg_name_folded text collate "C",
  binary_pkg_name_start text collate "C",
  category text,
  category_folded text collate "C",
  category_rank smallint,
  os_version text,
  os_version_folded text collate "C",
  os_version_start text collate "C",
  revision bigint not null default 0
);
create index oracle_linux_patch_listed on oracle_linux_patch (id) where withdrawn_time is null;
create index oracle_linux_patch_by_title_folded on oracle_linux_patch (title_folded, id) where withdrawn_time is null;
create index oracle_linux_patch_by_release_date on oracle_linux_patch (release_date, id) where withdrawn_time is null;
create index oracle_linux_patch_by_bulletin_id_folded on oracle_linux_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index oracle_linux_patch_by_severity_rank on oracle_linux_patch (severity_rank, id) where withdrawn_time is null;
create index oracle_linux_patch_by_binary_pkg_name_start on oracle_linux_patch (binary_pkg_name_start, id) where withdrawn_time is null;
create index oracle_linux_patch_by_category_rank on oracle_linux_patch (category_rank, id) where withdrawn_time is null;
create index oracle_linux_patch_by_os_version_start on oracle_linux_patch (os_version_start, id) where withdrawn_time is null;
create index oracle_linux_patch_by_severity_rank_in_order on oracle_linux_patch (severity_rank, release_date, id) where withdrawn_time is null;
create index oracle_linux_patch_by_category_rank_in_order on oracle_linux_patch (category_rank, release_date, id) where withdrawn_time is null;
create index oracle_linux_patch_by_words on oracle_linux_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index oracle_linux_patch_by_revision on oracle_linux_patch (revision, id);
create index oracle_linux_patch_by_bulletin_id_folded_natural on oracle_linux_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;

-- A record of the list of Amazon Linux.
create table amazonlinux_patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  title text,
  title_folded text collate "C",
  release_date bigint,
  bulletin_id text,
  bulletin_id_folded text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  binary_pkg_name text,
  binary_pkg_name_folded text collate "C",
  binary_pkg_name_start text collate "C",
  category text,
  category_folded text collate "C",
  category_rank smallint,
  os_version text,
  os_version_folded text collate "C",
  os_version_start text collate "C",
  revision bigint not null default 0
);
create index amazonlinux_patch_listed on amazonlinux_patch (id) where withdrawn_time is null;
create index amazonlinux_patch_by_title_folded on amazonlinux_patch (title_folded, id) where withdrawn_time is null;
create index amazonlinux_patch_by_release_date on amazonlinux_patch (release_date, id) where withdrawn_time is null;
create index amazonlinux_patch_by_bulletin_id_folded on amazonlinux_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index amazonlinux_patch_by_severity_rank on amazonlinux_patch (severity_rank, id) where withdrawn_time is null;
create index amazonlinux_patch_by_binary_pkg_name_start on amazonlinux_patch (binary_pkg_name_start, id) where withdrawn_time is null;
create index amazonlinux_patch_by_category_rank on amazonlinux_patch (category_rank, id) where withdrawn_time is null;
create index amazonlinux_patch_by_os_version_start on amazonlinux_patch (os_version_start, id) where withdrawn_time is null;
create index amazonlinux_patch_by_severity_rank_in_order on amazonlinux_patch (severity_rank, release_date, id) where withdrawn_time is null;
create index amazonlinux_patch_by_category_rank_in_order on amazonlinux_patch (category_rank, release_date, id) where withdrawn_time is null;
create index amazonlinux_patch_by_words on amazonlinux_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index amazonlinux_patch_by_revision on amazonlinux_patch (revision, id);
create index amazonlinux_patch_by_bulletin_id_folded_natural on amazonlinux_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;

-- A record of the list of Debian.
create table debian_patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  title text,
  title_folded text collate "C",
  pkg_name text,
  pkg_name_folded text collate "C",
  os_version text,
  os_version_folded text collate "C",
  bulletin_id text,
  bulletin_id_folded text collate "C",
  priority text,
  priority_folded text collate "C",
  priority_rank smallint,
  pkg_and_version text,
  pkg_and_version_folded text collate "C",
  revision bigint not null default 0,
  -- The release date of Debian's and Pardus' advisories stands in their rows, so that the newest come first; it was part of the detail.
  release_date bigint
);
create index debian_patch_listed on debian_patch (id) where withdrawn_time is null;
create index debian_patch_by_title_folded on debian_patch (title_folded, id) where withdrawn_time is null;
create index debian_patch_by_pkg_name_folded on debian_patch (pkg_name_folded, id) where withdrawn_time is null;
create index debian_patch_by_os_version_folded on debian_patch (os_version_folded, id) where withdrawn_time is null;
create index debian_patch_by_bulletin_id_folded on debian_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index debian_patch_by_priority_rank on debian_patch (priority_rank, id) where withdrawn_time is null;
create index debian_patch_by_pkg_and_version_folded on debian_patch (pkg_and_version_folded, id) where withdrawn_time is null;
create index debian_patch_by_words on debian_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index debian_patch_by_revision on debian_patch (revision, id);
create index debian_patch_by_release_date on debian_patch (release_date, id) where withdrawn_time is null;
create index debian_patch_by_priority_rank_in_order on debian_patch (priority_rank, release_date, id) where withdrawn_time is null;
create index debian_patch_by_pkg_name_folded_natural on debian_patch (natural_order(pkg_name_folded), id) where withdrawn_time is null;
create index debian_patch_by_os_version_folded_natural on debian_patch (natural_order(os_version_folded), id) where withdrawn_time is null;
create index debian_patch_by_bulletin_id_folded_natural on debian_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;
create index debian_patch_by_pkg_and_version_folded_version on debian_patch (version_order(pkg_and_version_folded), id) where withdrawn_time is null;

-- A record of the list of Pardus.
create table pardus_patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  title text,
  title_folded text collate "C",
  pkg_name text,
  pkg_name_folded text collate "C",
  os_version text,
  os_version_folded text collate "C",
  bulletin_id text,
  bulletin_id_folded text collate "C",
  priority text,
  priority_folded text collate "C",
  priority_rank smallint,
  pkg_and_version text,
  pkg_and_version_folded text collate "C",
  revision bigint not null default 0,
  release_date bigint
);
create index pardus_patch_listed on pardus_patch (id) where withdrawn_time is null;
create index pardus_patch_by_title_folded on pardus_patch (title_folded, id) where withdrawn_time is null;
create index pardus_patch_by_pkg_name_folded on pardus_patch (pkg_name_folded, id) where withdrawn_time is null;
create index pardus_patch_by_os_version_folded on pardus_patch (os_version_folded, id) where withdrawn_time is null;
create index pardus_patch_by_bulletin_id_folded on pardus_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index pardus_patch_by_priority_rank on pardus_patch (priority_rank, id) where withdrawn_time is null;
create index pardus_patch_by_pkg_and_version_folded on pardus_patch (pkg_and_version_folded, id) where withdrawn_time is null;
create index pardus_patch_by_words on pardus_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index pardus_patch_by_revision on pardus_patch (revision, id);
create index pardus_patch_by_release_date on pardus_patch (release_date, id) where withdrawn_time is null;
create index pardus_patch_by_priority_rank_in_order on pardus_patch (priority_rank, release_date, id) where withdrawn_time is null;
create index pardus_patch_by_pkg_name_folded_natural on pardus_patch (natural_order(pkg_name_folded), id) where withdrawn_time is null;
create index pardus_patch_by_os_version_folded_natural on pardus_patch (natural_order(os_version_folded), id) where withdrawn_time is null;
create index pardus_patch_by_bulletin_id_folded_natural on pardus_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;
create index pardus_patch_by_pkg_and_version_folded_version on pardus_patch (version_order(pkg_and_version_folded), id) where withdrawn_time is null;

-- A record of the list of macOS.
create table macos_patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  product_key text,
  product_key_folded text collate "C",
  title text,
  title_folded text collate "C",
  release_date bigint,
  os_version text,
  os_version_folded text collate "C",
  os_version_start text collate "C",
  revision bigint not null default 0,
  -- CVEs and exploitation of macOS releases stand in their rows: columns and criteria.
  cve text,
  cve_folded text collate "C",
  cve_start text collate "C",
  exploited boolean,
  version text,
  version_folded text collate "C"
);
create index macos_patch_listed on macos_patch (id) where withdrawn_time is null;
create index macos_patch_by_product_key_folded on macos_patch (product_key_folded, id) where withdrawn_time is null;
create index macos_patch_by_title_folded on macos_patch (title_folded, id) where withdrawn_time is null;
create index macos_patch_by_release_date on macos_patch (release_date, id) where withdrawn_time is null;
create index macos_patch_by_os_version_start on macos_patch (os_version_start, id) where withdrawn_time is null;
create index macos_patch_by_words on macos_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index macos_patch_by_revision on macos_patch (revision, id);
create index macos_patch_by_exploited on macos_patch (exploited, id) where withdrawn_time is null;
create index macos_patch_by_version_folded on macos_patch (version_folded, id) where withdrawn_time is null;
create index macos_patch_by_product_key_folded_natural on macos_patch (natural_order(product_key_folded), id) where withdrawn_time is null;
create index macos_patch_by_version_folded_version on macos_patch (version_order(version_folded), id) where withdrawn_time is null;
create index macos_patch_by_cve_start_natural on macos_patch (natural_order(cve_start), id) where withdrawn_time is null;

-- A record of the list of third-party applications.
create table thirdparty_patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  uuid text,
  uuid_folded text collate "C",
  name text,
  name_folded text collate "C",
  manufacturer text,
  manufacturer_folded text collate "C",
  description text,
  description_folded text collate "C",
  description_start text collate "C",
  category text,
  category_folded text collate "C",
  category_rank smallint,
  revision bigint not null default 0
);
create index thirdparty_patch_listed on thirdparty_patch (id) where withdrawn_time is null;
create index thirdparty_patch_by_uuid_folded on thirdparty_patch (uuid_folded, id) where withdrawn_time is null;
create index thirdparty_patch_by_name_folded on thirdparty_patch (name_folded, id) where withdrawn_time is null;
create index thirdparty_patch_by_manufacturer_folded on thirdparty_patch (manufacturer_folded, id) where withdrawn_time is null;
create index thirdparty_patch_by_description_start on thirdparty_patch (description_start, id) where withdrawn_time is null;
create index thirdparty_patch_by_category_rank on thirdparty_patch (category_rank, id) where withdrawn_time is null;
create index thirdparty_patch_by_words on thirdparty_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index thirdparty_patch_by_revision on thirdparty_patch (revision, id);
create index thirdparty_patch_by_uuid_folded_natural on thirdparty_patch (natural_order(uuid_folded), id) where withdrawn_time is null;

-- A record of the Windows patch list.
create table patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  uuid text,
  uuid_folded text collate "C",
  title text,
  title_folded text collate "C",
  release_date bigint,
  bulletin_id text,
  bulletin_id_folded text collate "C",
  kb_id text,
  kb_id_folded text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  support_url text,
  support_url_folded text collate "C",
  revision bigint not null default 0,
  superseded boolean
);
create index patch_listed on patch (id) where withdrawn_time is null;
create index patch_by_uuid_folded on patch (uuid_folded, id) where withdrawn_time is null;
create index patch_by_title_folded on patch (title_folded, id) where withdrawn_time is null;
create index patch_by_release_date on patch (release_date, id) where withdrawn_time is null;
create index patch_by_bulletin_id_folded on patch (bulletin_id_folded, id) where withdrawn_time is null;
create index patch_by_kb_id_folded on patch (kb_id_folded, id) where withdrawn_time is null;
create index patch_by_severity_rank on patch (severity_rank, id) where withdrawn_time is null;
create index patch_by_support_url_folded on patch (support_url_folded, id) where withdrawn_time is null;
create index patch_by_severity_rank_in_order on patch (severity_rank, release_date, id) where withdrawn_time is null;
create index patch_by_words on patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024') where withdrawn_time is null;
create index patch_by_revision on patch (revision, id);
create index patch_by_superseded on patch (superseded, id) where withdrawn_time is null;
create index patch_by_uuid_folded_natural on patch (natural_order(uuid_folded), id) where withdrawn_time is null;
create index patch_by_bulletin_id_folded_natural on patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;
create index patch_by_kb_id_folded_natural on patch (natural_order(kb_id_folded), id) where withdrawn_time is null;

insert into list_revision (list, revision, listed) values
  ('patch_repository', 0, 0),
  ('kb_repository', 0, 0),
  ('linux_notice', 0, 0),
  ('centos_patch', 0, 0),
  ('opensuse_patch', 0, 0),
  ('almalinux_patch', 0, 0),
  ('rockylinux_patch', 0, 0),
  ('thirdparty_patch', 0, 0),
  ('debian_patch', 0, 0),
  ('pardus_patch', 0, 0),
  ('macos_patch', 0, 0),
  ('oracle_linux_patch', 0, 0),
  ('patch', 0, 0),
  ('floto_user', 0, 0),
  ('linux_patch_repository', 0, 0),
  ('amazonlinux_patch', 0, 0),
  ('all_patches', 0, 0),
  ('vulnerabilities', 0, 0),
  ('risk', 0, 0),
  ('machines', 0, 0);

-- === Index of records ===
-- What is derived from the lists, so that questions over all vendors need one table.

-- How far the index of a list has been built, and by which mapping: another mapping builds it again.
create table record_index_state (
  list text primary key,
  mapping text not null,
  -- Records up to this number are in the index.
  built_to bigint not null,
  done boolean not null
);

-- The index of records, one row for each listed record of every vendor's list, and what the risk sources say of CVEs.
-- See docs/decisions/036. Times are epoch milliseconds. The rows are derived from the lists by server/platform/database/record-index-sql.ts.
create table record (
  id bigint generated always as identity primary key,
  created_time bigint not null,
  updated_time bigint not null,
  keyword text collate "C" not null,
  identifier text,
  identifier_folded text collate "C",
  title text,
  title_folded text collate "C",
  vendor text,
  vendor_folded text collate "C",
  release text,
  release_folded text collate "C",
  release_start text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  vendor_severity text,
  vendor_severity_folded text collate "C",
  cve text,
  cve_folded text collate "C",
  cve_start text collate "C",
  packages text,
  packages_folded text collate "C",
  packages_start text collate "C",
  release_date bigint,
  superseded boolean,
  list text not null,
  list_folded text collate "C",
  record_id bigint not null,
  -- Another record of the update is found in its place.
  folded boolean not null default false,
  -- Records of one update have the same; null where a record is an update of its own.
  update_key text collate "C",
  -- What the vendor says of exploitation; null where it says nothing.
  vendor_exploited boolean,
  revision bigint not null default 0,
  -- What each record is named and mentions, a line each, folded: identifiers, packages, titles. Its own words alone, also where the
  -- record stands for an update of several. Null until the index of the list is built again, which the new mapping causes.
  names text collate "C",
  -- A second identifier that names the record: the update id beside the KB, the patch beside its bulletin.
  alias text,
  alias_folded text collate "C",
  -- The few records that are known exploited, in an index of their own: a search for them starts there. See docs/decisions/036.
  known_exploited boolean not null default false,
  -- A record that stands for an update names, in the index of records, the CVEs of all records of the update. All patches shows the risk of
  -- these; the record's own list shows that of its own. See docs/decisions/036.
  -- The name under which the risk of the update is kept beside the record's own; null where the record stands for itself alone.
  risk_scope text,
  -- What the record itself says, where the columns of the same names hold what the update says.
  own_cve_folded text collate "C",
  own_vendor_exploited boolean,
  unique (list, record_id)
);
create index record_by_identifier_folded on record (identifier_folded, id);
create index record_by_title_folded on record (title_folded, id);
create index record_by_vendor_folded on record (vendor_folded, id);
create index record_by_release_start on record (release_start, id);
create index record_by_severity_rank on record (severity_rank, id);
create index record_by_vendor_severity_folded on record (vendor_severity_folded, id);
create index record_by_release_date on record (release_date, id);
create index record_by_superseded on record (superseded, id);
create index record_by_list_folded on record (list_folded, id);
create index record_by_record_id on record (record_id, id);
create index record_by_folded on record (folded, id);
create index record_by_severity_rank_in_order on record (severity_rank, release_date, id);
create index record_by_words on record using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024');
create index record_by_revision on record (revision, id);
create index record_by_update on record (update_key) where update_key is not null;
create index record_by_cve on record using gin (string_to_array(cve_folded, '
'::text)) with (fastupdate=off);
create index record_by_names on record using gin (string_to_array(names, '
'::text)) with (gin_pending_list_limit='1024');
create index record_by_alias_folded on record (alias_folded, id) where alias_folded is not null;
create index record_by_known_exploited on record (release_date, id) where known_exploited;
create index record_by_created_time on record (created_time, id);
create index record_by_risk_scope on record (COALESCE(risk_scope, list), record_id);
create index record_by_identifier_folded_natural on record (natural_order(identifier_folded), id);
create index record_by_cve_start_natural on record (natural_order(cve_start), id);
create index record_by_packages_start_natural on record (natural_order(packages_start), id);
create index record_by_list_folded_natural on record (natural_order(list_folded), id);

-- The risk of a record: the worst of its CVEs.
create table record_risk (
  list text not null,
  record_id bigint not null,
  cvss double precision,
  exploited boolean,
  -- What has changed since a revision of the risk is read by whoever keeps counts in memory: see docs/decisions/047.
  revision bigint not null default 0,
  primary key (list, record_id)
) with (fillfactor=80);
create index record_risk_by_cvss on record_risk (cvss, list, record_id);
create index record_risk_by_exploited on record_risk (exploited, list, record_id);
create index record_risk_by_revision on record_risk (revision, list, record_id);

-- The highest of the CVEs that a record names; no row where none is known.
create table record_epss (
  list text not null,
  record_id bigint not null,
  epss double precision not null,
  primary key (list, record_id)
) with (fillfactor=80);
create index record_epss_by_epss on record_epss (epss, list, record_id);

-- CVSS scores that the vendors' records state, beside those of NVD's files. See docs/decisions/059.
-- Of each vendor's list the highest score for each version of CVSS, with the record that states it: of several the first one.
create table vendor_score (
  cve_folded text collate "C" not null,
  list text not null,
  -- Of CVSS; empty where the vector does not tell it.
  version text not null,
  score double precision not null,
  vector text,
  record_id bigint not null,
  release_date bigint,
  primary key (cve_folded, list, version)
);
create index vendor_score_by_record on vendor_score (list, record_id);

-- Lists whose records an earlier version wrote, which kept no scores of vendors: the worker of syncs adds them. To have a list read again,
-- a later migration adds it here.
create table vendor_score_to_fill (
  list text primary key,
  -- Records up to this number have been read.
  filled_to bigint not null default 0
);

-- A record fixes a package of a release from a version on.
create table package_fix (
  -- Of the index of records.
  record_id bigint not null,
  series_id integer not null,
  variant_id integer not null,
  place integer not null,
  version text not null,
  sort_key text collate "C" not null,
  -- Where the series has another one.
  name text
);
create index package_fix_by_version on package_fix (series_id, sort_key);
create index package_fix_by_record on package_fix (record_id);

-- Lists whose records an earlier version wrote, which kept no fixes: the worker of syncs adds them. To have a list read again, a later
-- migration adds it here.
create table package_fix_to_fill (
  list text primary key,
  -- Records up to this number have been read.
  filled_to bigint not null default 0
);

-- What each listed record fixes: a row for each package of a release, found by name and by the versions above an installed one.
-- See docs/decisions/055. The rows are derived from the records by catalogue/machines/judgement/kept-fixes.ts.
-- Names that many rows share are numbered.
create table fix_release (
  id integer generated always as identity primary key,
  release text collate "C" not null,
  list text not null,
  -- When the series of a release last changed, so that whoever holds them in memory knows whether they still stand. Always rising.
  series_stamp bigint not null default 0,
  unique (release, list)
);

-- Empty where the record states none.
create table fix_variant (
  id integer generated always as identity primary key,
  architecture text not null,
  module text not null,
  pocket text not null,
  unique (architecture, module, pocket)
);

-- Versions of one series are compared by their sort keys alone.
create table fix_series (
  id integer generated always as identity primary key,
  release_id integer not null,
  -- Of the package; the stem of a kernel's.
  name text collate "C" not null,
  of_source boolean not null,
  -- retracted, livepatch; empty for records that are judged by versions.
  special text not null,
  epoch text collate "C" not null,
  unique (release_id, name, of_source, special, epoch)
);

-- Which architectures and module streams the fixes of a series are for: a package of another one is not judged.
create table fix_series_variant (
  series_id integer not null,
  variant_id integer not null,
  primary key (series_id, variant_id)
);

-- Vulnerabilities that a vendor knows of a release and has not fixed there, a row for each source package. They belong to the part of
-- a feed that says so: its next reading replaces them.
create table unfixed_vulnerability (
  source text collate "C" not null,
  part text collate "C" not null,
  release text collate "C" not null,
  package text collate "C" not null,
  -- A line each.
  cves text not null,
  primary key (release, package, source, part)
);
create index unfixed_vulnerability_by_part on unfixed_vulnerability (source, part);

-- Rows that were written since a table was vacuumed last: the embedded database has no autovacuum, and vacuums what has changed enough.
create table rows_written (
  table_name text primary key,
  rows bigint not null
);

-- === Vulnerabilities ===
-- What CISA, FIRST and NVD say of CVEs.

-- A CVE: what CISA and NVD say of it, and the records that name it.
create table vulnerability (
  id bigint generated always as identity primary key,
  created_time bigint not null,
  updated_time bigint not null,
  keyword text collate "C" not null,
  cve text not null,
  cve_folded text collate "C" not null unique,
  title text,
  title_folded text collate "C",
  cvss double precision,
  cvss_vector text,
  cvss_vector_folded text collate "C",
  cvss_source text,
  cvss_source_folded text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  exploited_since bigint,
  due_date bigint,
  ransomware boolean,
  ssvc text,
  ssvc_folded text collate "C",
  ssvc_start text collate "C",
  published bigint,
  record_count bigint not null default 0,
  vendors text,
  vendors_folded text collate "C",
  vendors_start text collate "C",
  revision bigint not null default 0,
  -- What each source says, whole, and a hash to tell whether it says something else.
  kev jsonb,
  kev_hash text,
  cve_record jsonb,
  cve_record_hash text,
  -- Of the CVE record at NVD, epoch milliseconds: the newer one wins, whichever file it came from.
  cve_record_modified bigint,
  -- Licensed clients may fetch the vulnerabilities. The revision of the list at which the facts of a CVE last changed: counting its
  -- records again raises `revision` alone, and EPSS neither. See docs/decisions/044.
  told_revision bigint not null default 0,
  -- Of each CVE: the days from its publication to the first record of each vendor that names it, and its number for sorting:
  -- CVE-2024-999 comes before CVE-2024-10000. Days are computed with the records: the rows that have some are marked.
  cve_order text collate "C",
  days_to_fix bigint,
  vendor_days text,
  vendor_days_folded text collate "C",
  vendor_days_start text collate "C",
  -- When this repository first read that CISA lists the CVE; null for what it knew before this version. CISA's own day comes earlier.
  kev_known_time bigint
);
create index vulnerability_by_title_folded on vulnerability (title_folded, id);
create index vulnerability_by_cvss on vulnerability (cvss, id);
create index vulnerability_by_cvss_vector_folded on vulnerability (cvss_vector_folded, id);
create index vulnerability_by_cvss_source_folded on vulnerability (cvss_source_folded, id);
create index vulnerability_by_severity_rank on vulnerability (severity_rank, id);
create index vulnerability_by_exploited_since on vulnerability (exploited_since, id);
create index vulnerability_by_due_date on vulnerability (due_date, id);
create index vulnerability_by_ransomware on vulnerability (ransomware, id);
create index vulnerability_by_ssvc_start on vulnerability (ssvc_start, id);
create index vulnerability_by_published on vulnerability (published, id);
create index vulnerability_by_record_count on vulnerability (record_count, id);
create index vulnerability_by_vendors_start on vulnerability (vendors_start, id);
create index vulnerability_by_severity_rank_in_order on vulnerability (severity_rank, published, id);
create index vulnerability_by_words on vulnerability using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024');
create index vulnerability_by_revision on vulnerability (revision, id);
create index vulnerability_by_told_revision on vulnerability (told_revision, id);
create index vulnerability_by_cve_order on vulnerability (cve_order, id);
create index vulnerability_by_days_to_fix on vulnerability (days_to_fix, id);
create index vulnerability_by_vendor_days_start on vulnerability (vendor_days_start, id);
create index vulnerability_by_cvss_vector_folded_natural on vulnerability (natural_order(cvss_vector_folded), id);

-- EPSS is apart: it is written every day, and for every CVE when its model changes.
create table epss_score (
  cve_folded text collate "C" primary key,
  -- From 0 to 1.
  epss double precision not null,
  percentile double precision
) with (fillfactor=70);
create index epss_score_by_epss on epss_score (epss);

-- CVEs whose records, or whose own figures, must be computed again. Written with what makes them stale, emptied in batches.
create table stale_cve (
  cve_folded text collate "C" primary key,
  -- What of a CVE has changed: its score changes every day and moves nothing but the highest score of its records.
  scores boolean not null default true,
  facts boolean not null default true,
  -- Where only records have changed, their number is computed again, and not the risk of every record that names the CVE.
  records boolean not null default true,
  -- The record that stated a score states it no longer: it is looked for in the other records that name the CVE.
  stated boolean not null default false
);

create view vulnerabilities as select
  vulnerability.id, cve collate "C" as natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, revision,
  cve, vulnerability.cve_folded, title, title_folded, cvss, cvss_vector, cvss_vector_folded, cvss_source, cvss_source_folded,
  severity, severity_folded, severity_rank, epss_score.epss, epss_score.percentile as epss_percentile,
  exploited_since, due_date, ransomware, ssvc, ssvc_folded, ssvc_start, published, record_count, vendors, vendors_folded, vendors_start,
  jsonb_build_object('description', cve_record -> 'description', 'status', cve_record -> 'status', 'vendorProject', kev -> 'vendorProject',
    'product', kev -> 'product', 'requiredAction', kev -> 'requiredAction', 'notes', kev -> 'notes',
    'scores', coalesce(cve_record -> 'scores', '[]')) as detail,
  cve_order, days_to_fix, vendor_days, vendor_days_folded, vendor_days_start
from vulnerability left join epss_score on epss_score.cve_folded = vulnerability.cve_folded;

create view all_patches as select
  record.id, (record.list || ':' || record.record_id) collate "C" as natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, record.revision,
  identifier, identifier_folded, title, title_folded, vendor, vendor_folded, release, release_folded, release_start,
  severity, severity_folded, severity_rank, vendor_severity, vendor_severity_folded, cve, cve_folded, cve_start,
  packages, packages_folded, packages_start, release_date, superseded, record.list, list_folded, record.record_id, folded,
  record_risk.exploited, record_epss.epss, record_risk.cvss, null::jsonb as detail, record.known_exploited
from record
left join record_risk on record_risk.list = coalesce(record.risk_scope, record.list) and record_risk.record_id = record.record_id
left join record_epss on record_epss.list = coalesce(record.risk_scope, record.list) and record_epss.record_id = record.record_id;

-- === Sync ===
-- Runs of the sources, what they read, and what waits for a decision.

-- How administrators have set each source, and what waits for their yes or no.
-- A source without a row is synced as its feed says.
create table source_setting (
  source text primary key,
  enabled boolean not null,
  schedule text,
  mirror text,
  left_out jsonb not null,
  added jsonb not null,
  shrinkage_share smallint not null,
  changed_time bigint not null,
  changed_by text not null
);

-- A part as it was read last: with which version of its reader, and whether its vendor was read whole then.
create table feed_part (
  source text not null,
  part text not null,
  feed_version integer not null,
  read_time bigint not null,
  read_whole_time bigint,
  -- With which version of its reader the part was last written to its end, though something of it may have been held. Null: with that of feed_version.
  written_version integer,
  -- What was remarked and kept out when a part was last read, for runs that find it unchanged. Null: read by an earlier version; it is read once more.
  remarks jsonb,
  -- What the contents of a part asked to be remembered: of the part, whatever the addresses of its documents. Null: nothing yet.
  remembered jsonb,
  primary key (source, part)
);

-- A document of a vendor as it was read last: its validators for the next request.
create table feed_document (
  source text not null,
  part text not null,
  url text not null,
  sha256 text not null,
  -- Bytes as served: a document that comes back much smaller is not believed in what it no longer lists. Null: read by an earlier version.
  size bigint,
  primary key (source, part, url),
  foreign key (source, part) references feed_part(source, part) on delete cascade
);

-- The natural keys under which a row was kept before. A bundle names them, so that the importing installation finds its own row.
create table feed_former_key (
  list text not null,
  key text collate "C" not null,
  row_id bigint not null,
  primary key (list, key)
);
create index feed_former_key_by_row on feed_former_key (list, row_id);

-- Runs of the sources' syncs, what each changed and kept out, and what was read last.
create table sync_run (
  id bigint generated always as identity primary key,
  source text not null,
  state text not null,
  started_by text not null,
  queued_time bigint not null,
  started_time bigint,
  ended_time bigint,
  -- While it runs, its process says here that it lives.
  heartbeat_time bigint not null,
  cancelled_by text,
  stage text not null default '',
  done bigint not null default 0,
  total bigint not null default 0,
  added integer not null default 0,
  changed integer not null default 0,
  withdrawn integer not null default 0,
  unchanged integer not null default 0,
  rejected integer not null default 0,
  message text not null default '',
  warnings jsonb not null default '[]',
  -- What a run does and how it ended, as a code with parameters. Runs of earlier versions have words in stage and message instead.
  stage_data jsonb,
  message_data jsonb
);
create unique index sync_run_active on sync_run (source) where state = ANY (ARRAY['queued'::text, 'running'::text]);
create index sync_run_by_source on sync_run (source, id);
create index sync_run_by_success on sync_run (source, ended_time) where state = ANY (ARRAY['succeeded'::text, 'succeeded_with_warnings'::text]);

-- A record that a run added, changed, withdrew or listed again: the change log.
create table sync_change (
  id bigint generated always as identity primary key,
  run_id bigint not null references sync_run (id) on delete cascade,
  list text not null,
  row_id bigint not null,
  identity text not null,
  kind text not null,
  fields jsonb not null
);
create index sync_change_by_run on sync_change (run_id, id);

-- A record of a vendor that a run could not read, with the reason.
create table sync_rejection (
  id bigint generated always as identity primary key,
  run_id bigint not null references sync_run (id) on delete cascade,
  record text not null,
  reason text not null,
  url text not null
);
create index sync_rejection_by_run on sync_rejection (run_id, id);

-- The administrators who want the daily summary.
create table sync_summary (
  user_id bigint primary key references users (id) on delete cascade,
  hour smallint not null check ((hour >= 0) and (hour <= 23)),
  time_zone text not null,
  -- When it was last sent, or switched on.
  sent_time bigint not null
);

-- Rows of a part that its vendor lists no more, too many of them to be believed.
create table held_withdrawal (
  source text not null,
  part text not null,
  list text not null,
  part_label text not null,
  known integer not null,
  missing integer not null,
  examples jsonb not null,
  -- Of the ids of the missing rows: a decision is about these and no others.
  missing_hash text not null,
  -- The run that met them first. It may have been removed since.
  run_id bigint not null,
  held_time bigint not null,
  decision text,
  decided_by text,
  primary key (source, part, list)
);

-- Records of which the vendor now says much less than is stored. They keep what is stored until an administrator decides.
-- What is asked: one question for each list of a part.
create table held_content (
  source text not null,
  part text not null,
  list text not null,
  part_label text not null,
  records integer not null,
  -- Records that were read and had been listed before.
  compared integer not null,
  losses jsonb not null,
  examples jsonb not null,
  -- The run that met them first. It may have been removed since.
  run_id bigint not null,
  held_time bigint not null,
  primary key (source, part, list)
);

-- The records that it is about, and those that were decided: a decision is about exactly this content of the vendor's.
create table held_content_record (
  source text not null,
  part text not null,
  list text not null,
  row_id bigint not null,
  content_hash text not null,
  decision text,
  decided_by text,
  primary key (source, part, list, row_id)
);

-- === Mail and alerts ===

-- Mails on their way out, and links to reset forgotten passwords. Times are epoch milliseconds.
create table mail_outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  recipient text not null,
  subject text not null,
  -- Emptied once the mail has been sent or given up: it may hold a secret link.
  body text not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  attempts integer not null default 0,
  last_error text not null default '',
  queued_time bigint not null,
  -- Not tried before. Whoever takes the mail moves it on, so that nobody else does.
  next_time bigint not null,
  ended_time bigint,
  -- Alerts of saved views, the daily summary of syncs, and mails that are HTML beside their text. Times are epoch milliseconds.
  -- Null: the mail is plain text alone. Emptied together with the body.
  html text
);
create index mail_outbox_waiting on mail_outbox (next_time) where state = 'queued'::text;

-- An alert on a saved view: when it looks, and what it saw last.
create table view_alert (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  view_id bigint not null references saved_view (id) on delete cascade,
  mode text not null check (mode in ('digest', 'at_once')),
  hour smallint not null check ((hour >= 0) and (hour <= 23)),
  -- Of the browser in which it was set: it counts while neither the person nor the service has one.
  time_zone text not null,
  own_address boolean not null,
  further_addresses jsonb not null,
  -- Records of the view's list up to this number have been looked at: they are numbered in the order in which they are seen.
  seen_id bigint not null,
  -- The revision of the list at the last look.
  seen_revision bigint not null,
  looked_time bigint not null,
  -- Raised by each look and by each change: of several processes that look at the same time, one can write.
  version bigint not null default 0,
  problem text not null default '',
  -- Alerts may also tell when a record of their view becomes known exploited, or when its EPSS rises over a threshold.
  exploited boolean not null default false,
  -- From 0 to 1; null: EPSS is not watched.
  epss_above double precision,
  -- What `alert_risk_record` was taken of: view, threshold, model of EPSS. Of another basis it is taken again, and nothing is told.
  exploited_basis text,
  epss_basis text,
  -- The revision of risk at the last look.
  seen_risk_revision bigint not null default 0,
  unique (user_id, view_id)
);
create index view_alert_by_view on view_alert (view_id);

-- Mails of which it is not known yet that they were sent. What one held that was given up is told with the next.
create table alert_mail (
  id bigint generated always as identity primary key,
  alert_id bigint not null references view_alert (id) on delete cascade,
  recipient text not null,
  -- Of the records' numbers: [[above, up to], ...]
  spans jsonb not null,
  mail_id bigint references mail_outbox (id) on delete set null,
  failed boolean not null default false,
  -- Of mails whose outcome is not known yet: the records whose risk they told, by event: {"exploited": [1, 2]}.
  risk jsonb not null default '{}'
);
create index alert_mail_by_alert on alert_mail (alert_id);
create index alert_mail_by_mail on alert_mail (mail_id);

-- The records of the view that were known exploited, or above the threshold, at the last look. One that joins them is told.
create table alert_risk_record (
  alert_id bigint not null references view_alert (id) on delete cascade,
  event text not null check (event in ('exploited', 'epss')),
  record_id bigint not null,
  primary key (alert_id, event, record_id)
);

-- === Licensed clients ===

-- What is known of a client and shown to nobody; all else is its row and its detail, written like those of any list.
create table licensed_client (
  id bigint generated always as identity primary key,
  -- SHA-256 of the token, in hex; null until the activation code is used.
  token_hash text collate "C" unique,
  -- Activation codes are stored sealed. A migration has no key: codes that are stored in plain text have no hash here, and the
  -- service seals them when it starts (server/clients/seal-codes.ts).
  code_hash text collate "C" unique,
  -- Until then one more activation with the same code is allowed; null: none is. Epoch milliseconds.
  reactivation_until bigint,
  key text collate "C" not null unique,
  created_time bigint not null,
  updated_time bigint not null,
  revision bigint not null,
  client_name text,
  license_type text,
  license_expiry bigint,
  -- Sealed with the service's key; in plain text while code_hash is null.
  sealed_code text,
  repo_updated_on bigint,
  latest_kb_request_on bigint,
  registered_on bigint,
  application_version text,
  deployment_mode text not null default 'standalone',
  environment text not null default 'production',
  -- Sources whose lists the client may fetch, and their labels for people.
  families text[] not null default '{}',
  family_names text[] not null default '{}',
  technician_licence text not null default 'named',
  technicians bigint not null default 0,
  it_assets bigint not null default 0,
  non_it_assets bigint not null default 0,
  end_points bigint not null default 0,
  contact_email text not null default '',
  notes text not null default '',
  -- Where the activation code was used; empty until then.
  host_name text not null default '',
  revoked_on bigint,
  revoked_by text not null default '',
  -- What a search compares: folded by the service, as in the tables of the lists.
  client_name_folded text collate "C",
  license_type_folded text collate "C",
  application_version_folded text collate "C",
  keyword text collate "C" not null,
  -- Machines of licensed clients, and what they miss. See docs/decisions/050 and 051. Times are epoch milliseconds.
  -- Tables with rows of clients are partitioned by a hash of the client, so that they can be spread over several disks or servers.
  -- Off until an administrator switches it on: whether the client may report machines.
  reports_machines boolean not null default false
);
create index licensed_client_by_client_name_folded on licensed_client (client_name_folded, id);
create index licensed_client_by_license_type_folded on licensed_client (license_type_folded, id);
create index licensed_client_by_license_expiry on licensed_client (license_expiry, id);
create index licensed_client_by_repo_updated_on on licensed_client (repo_updated_on, id);
create index licensed_client_by_latest_kb_request_on on licensed_client (latest_kb_request_on, id);
create index licensed_client_by_registered_on on licensed_client (registered_on, id);
create index licensed_client_by_application_version_folded on licensed_client (application_version_folded, id);
create index licensed_client_by_words on licensed_client using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024');
create index licensed_client_by_revision on licensed_client (revision, id);
create index licensed_client_by_application_version_folded_version on licensed_client (version_order(application_version_folded), id);

-- Warnings that were sent: once for each end of a licence and each number of days before it.
create table licence_warning (
  client_id bigint not null references licensed_client (id) on delete cascade,
  license_expiry bigint not null,
  days integer not null,
  warned_time bigint not null,
  primary key (client_id, license_expiry, days)
);

-- How far a client has come in a list: it has all that was written at this revision and before.
create table client_position (
  client_id bigint not null references licensed_client (id) on delete cascade,
  list text not null,
  revision bigint not null,
  fetched_time bigint not null,
  primary key (client_id, list)
);

-- Revisions are counted within one life of a database: one that was restored counts on from an older number, so it gets another
-- epoch, and whoever has come to a revision of the old one begins again.
create table change_epoch (
  only_one boolean primary key default true CHECK (only_one),
  epoch text not null
);

insert into change_epoch (epoch) values (substr(md5(random()::text || clock_timestamp()::text), 1, 12));

create view floto_user as select
  id, key as natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, revision,
  client_name, client_name_folded, license_type, license_type_folded, license_expiry,
  sealed_code as activation_code, null::text collate "C" as activation_code_folded,
  repo_updated_on, latest_kb_request_on, registered_on, application_version, application_version_folded,
  jsonb_build_object(
    'deploymentMode', deployment_mode, 'environment', environment, 'familyNames', to_jsonb(family_names),
    'technicianLicence', technician_licence, 'technicians', technicians, 'itAssets', it_assets, 'nonItAssets', non_it_assets,
    'endPoints', end_points, 'contactEmail', contact_email, 'notes', notes, 'hostName', host_name, 'revokedOn', revoked_on,
    'revokedBy', revoked_by) as detail
from licensed_client;

-- === Machines of clients ===
-- Machines that licensed clients report, and what they miss: docs/decisions/050 and 051.
-- Tables with rows of clients are partitioned by a hash of the client, so that they can be spread over several disks or servers.

-- One row a client that has ever reported: numbers its machines, and its lock keeps its reports in turn.
create table fleet_client (
  client_id bigint primary key,
  last_number bigint not null default 0
);

-- The dictionary: each part of an inventory that can be judged by itself, once, however many machines have it.
create table inventory_part (
  id integer generated always as identity primary key,
  -- SHA-256 of the content, of which 132 bits are kept.
  hash text collate "C" not null unique,
  kind text not null,
  -- What records are looked up by: the release in the catalogue, the Windows product; empty where names alone decide.
  scope text collate "C" not null,
  names text[] not null,
  -- A machine that has this part and nothing else, as catalogue/machines/machine.ts describes it.
  machine jsonb not null,
  judged boolean not null default false,
  -- Whether the part was ever judged. One that never was has no machine that is counted already: its judgement marks nothing to be counted again.
  judged_before boolean not null default false
);
create index inventory_part_by_name on inventory_part using gin (names);
create index inventory_part_by_scope on inventory_part (scope, id);
create index inventory_part_not_judged on inventory_part (id) where NOT judged;

-- A machine that a client has reported: what it is, and the parts of its inventory.
create table machine (
  client_id bigint not null,
  -- client_id * 2^26 + a number within the client: it tells the partition.
  id bigint not null,
  natural_key text collate "C" not null,
  created_time bigint not null,
  updated_time bigint not null,
  keyword text collate "C" not null,
  name text,
  name_folded text collate "C",
  machine_key text,
  machine_key_folded text collate "C",
  client text,
  client_folded text collate "C",
  platform text,
  platform_folded text collate "C",
  platform_rank smallint,
  release text,
  release_folded text collate "C",
  architecture text,
  architecture_folded text collate "C",
  build text,
  build_folded text collate "C",
  kernel text,
  kernel_folded text collate "C",
  reboot_pending boolean,
  end_of_life bigint,
  package_count bigint,
  revision bigint not null default 0,
  -- Of the whole report, to tell whether another one says something else.
  report_hash text collate "C" not null,
  -- Numbers of inventory parts, ascending, as differences: server/fleet/number-set.ts.
  parts bytea not null,
  unique (client_id, natural_key),
  primary key (client_id, id)
) partition by hash (client_id);
create table machine_0 partition of machine for values with (modulus 8, remainder 0);
create table machine_1 partition of machine for values with (modulus 8, remainder 1);
create table machine_2 partition of machine for values with (modulus 8, remainder 2);
create table machine_3 partition of machine for values with (modulus 8, remainder 3);
create table machine_4 partition of machine for values with (modulus 8, remainder 4);
create table machine_5 partition of machine for values with (modulus 8, remainder 5);
create table machine_6 partition of machine for values with (modulus 8, remainder 6);
create table machine_7 partition of machine for values with (modulus 8, remainder 7);
create index machine_by_name_folded on machine (name_folded, id);
create index machine_by_machine_key_folded on machine (machine_key_folded, id);
create index machine_by_client_folded on machine (client_folded, id);
create index machine_by_client_id on machine (client_id, id);
create index machine_by_platform_rank on machine (platform_rank, id);
create index machine_by_release_folded on machine (release_folded, id);
create index machine_by_architecture_folded on machine (architecture_folded, id);
create index machine_by_build_folded on machine (build_folded, id);
create index machine_by_kernel_folded on machine (kernel_folded, id);
create index machine_by_reboot_pending on machine (reboot_pending, id);
create index machine_by_end_of_life on machine (end_of_life, id);
create index machine_by_package_count on machine (package_count, id);
create index machine_by_revision on machine (revision, id);
create index machine_by_words on machine using gin (keyword gin_trgm_ops) with (gin_pending_list_limit='1024');
create index machine_by_number on machine (id);
create index machine_by_machine_key_folded_natural on machine (natural_order(machine_key_folded), id);
create index machine_by_build_folded_version on machine (version_order(build_folded), id);
create index machine_by_kernel_folded_version on machine (version_order(kernel_folded), id);

-- What changes without the inventory: apart, so that a machine that is only seen again writes no index of the inventory.
create table machine_standing (
  client_id bigint not null,
  id bigint not null,
  last_seen bigint not null,
  -- The report that the counts are of; another one than the machine's: to be counted.
  counted_hash text collate "C",
  judged_on bigint,
  not_judged boolean not null default false,
  missing bigint,
  missing_critical bigint,
  missing_important bigint,
  missing_moderate bigint,
  missing_low bigint,
  missing_unspecified bigint,
  missing_exploited bigint,
  uncertain bigint,
  needs_subscription bigint,
  accepted bigint,
  -- Of the report as it was sent: the same one again is not even read. Null until the machine is reported next.
  sent_hash text collate "C",
  -- Lines of the last report that could not be read.
  unreadable_lines integer not null default 0,
  -- The last few machines that reported the key, the latest first: name, sketch of the package names, when last seen.
  identities jsonb not null default '[]',
  -- Which of them reported last.
  identity int not null default 0,
  -- When one of them came back after another, the last time; null: one machine reports the key.
  shared_on bigint,
  primary key (client_id, id)
) partition by hash (client_id);
create table machine_standing_0 partition of machine_standing for values with (modulus 8, remainder 0) with (fillfactor=80);
create table machine_standing_1 partition of machine_standing for values with (modulus 8, remainder 1) with (fillfactor=80);
create table machine_standing_2 partition of machine_standing for values with (modulus 8, remainder 2) with (fillfactor=80);
create table machine_standing_3 partition of machine_standing for values with (modulus 8, remainder 3) with (fillfactor=80);
create table machine_standing_4 partition of machine_standing for values with (modulus 8, remainder 4) with (fillfactor=80);
create table machine_standing_5 partition of machine_standing for values with (modulus 8, remainder 5) with (fillfactor=80);
create table machine_standing_6 partition of machine_standing for values with (modulus 8, remainder 6) with (fillfactor=80);
create table machine_standing_7 partition of machine_standing for values with (modulus 8, remainder 7) with (fillfactor=80);
create index machine_standing_to_count on machine_standing (client_id, id) where counted_hash is null;
create index machine_standing_by_last_seen on machine_standing (last_seen, id);

-- Which machines have a part: numbers within a chunk of 2,048 machines of one client, as machine.parts.
create table part_machines (
  client_id bigint not null,
  part_id integer not null,
  chunk integer not null,
  machines bytea not null,
  primary key (part_id, client_id, chunk)
) partition by hash (client_id);
create table part_machines_0 partition of part_machines for values with (modulus 8, remainder 0) with (fillfactor=60);
create table part_machines_1 partition of part_machines for values with (modulus 8, remainder 1) with (fillfactor=60);
create table part_machines_2 partition of part_machines for values with (modulus 8, remainder 2) with (fillfactor=60);
create table part_machines_3 partition of part_machines for values with (modulus 8, remainder 3) with (fillfactor=60);
create table part_machines_4 partition of part_machines for values with (modulus 8, remainder 4) with (fillfactor=60);
create table part_machines_5 partition of part_machines for values with (modulus 8, remainder 5) with (fillfactor=60);
create table part_machines_6 partition of part_machines for values with (modulus 8, remainder 6) with (fillfactor=60);
create table part_machines_7 partition of part_machines for values with (modulus 8, remainder 7) with (fillfactor=60);
create index part_machines_by_chunk on part_machines (client_id, chunk);

-- How far the changes of each list have been judged.
create table judged_list (
  list text primary key,
  revision bigint not null,
  record_id bigint not null
);

-- Whether the catalogue has records of a release or product: machines of others are not judged.
create table judged_scope (
  kind text not null,
  scope text collate "C" not null,
  catalogued boolean not null,
  primary key (kind, scope)
);

-- Records that some part misses, with what the counts of machines take from them.
create table missing_record (
  id integer generated always as identity primary key,
  list text not null,
  record_id bigint not null,
  severity text,
  exploited boolean not null,
  -- Machines that certainly miss it, as of the last count.
  machines integer not null default 0,
  unique (list, record_id)
);
create index missing_record_by_machines on missing_record (machines desc, id);

-- The standing judgement: what each part misses.
create table part_missing (
  part_id integer not null references inventory_part (id) on delete cascade,
  missing_id integer not null references missing_record (id),
  state text not null,
  reason text,
  evidence jsonb not null,
  primary key (part_id, missing_id)
);
create index part_missing_by_record on part_missing (missing_id, part_id);

-- Parts whose judgement, or the severity of whose records, has changed: machines that have them are counted again.
create table part_to_count (
  part_id integer primary key,
  -- How often a part was marked to be counted: one that is marked again while its machines are counted keeps its mark.
  times bigint not null default 1
);

-- What reports add to part_machines waits here, a row for each report, and is merged into the sets of many reports at once. Whoever reads
-- sets reads these too. Not partitioned: a few rows for each client that is reporting now.
create table waiting_sets (
  id bigint generated always as identity primary key,
  client_id bigint not null,
  -- One behind the other: number of the part, chunk, length, and the set as in part_machines.
  sets bytea not null
);
create index waiting_sets_by_client on waiting_sets (client_id, id);

-- Missing records that an administrator accepts until a date, for one machine or for all of a client.
create table missing_exception (
  id bigint generated always as identity primary key,
  client_id bigint not null,
  -- Null: all machines of the client.
  machine_id bigint,
  list text not null,
  record_id bigint not null,
  until bigint not null,
  reason text not null,
  created_by text not null,
  created_time bigint not null,
  -- Whether the counts of machines know that it is over.
  ended boolean not null default false,
  -- The machine of the key for which it holds.
  identity int not null default 0
);
create unique index missing_exception_once on missing_exception (client_id, coalesce(machine_id, 0), identity, list, record_id);
create index missing_exception_by_record on missing_exception (list, record_id);

-- What the fleet missed at the end of each day, by client.
create table fleet_day (
  day bigint not null,
  client_id bigint not null,
  machines bigint not null,
  machines_missing bigint not null,
  machines_exploited bigint not null,
  missing bigint not null,
  missing_critical bigint not null,
  missing_important bigint not null,
  missing_exploited bigint not null,
  primary key (day, client_id)
);

-- One worker at a time judges, until its lease ends. By which version of the rules the parts are judged: another one judges all again.
create table fleet_worker (
  id integer primary key check (id = 1),
  holder text not null default '',
  until bigint not null default 0,
  rules text not null default '',
  -- Revisions of the index of records and of risk, as of which severities were taken over.
  severity_revision bigint not null default 0,
  risk_revision bigint not null default 0,
  -- When the machines of each record were last counted, and whether something has changed since.
  tallied_on bigint not null default 0,
  tally_due boolean not null default false
);

alter table waiting_sets alter column sets set storage external;
insert into fleet_worker (id) values (1);

create view machines as select
  machine.id, natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, revision,
  name, name_folded, machine_key, machine_key_folded, client, client_folded, machine.client_id, platform, platform_folded, platform_rank,
  release, release_folded, architecture, architecture_folded, build, build_folded, kernel, kernel_folded, reboot_pending, end_of_life, package_count,
  last_seen, judged_on, not_judged, missing, missing_critical, missing_important, missing_moderate, missing_low, missing_unspecified,
  missing_exploited, uncertain, needs_subscription, accepted, null::jsonb as detail, shared_on is not null as shared_key
from machine join machine_standing on machine_standing.client_id = machine.client_id and machine_standing.id = machine.id;

-- === Downloads ===

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
  report jsonb,
  -- When the process that makes a download last said so: of a data folder that is gone nobody says any more.
  noted_time bigint
);
create index download_job_waiting on download_job (place, id) where state = 'queued'::text;

-- A ticket fetches one file once, without a session.
create table download_ticket (
  -- SHA-256 of the ticket, in hex; the ticket itself is never kept.
  ticket_hash text collate "C" primary key,
  job_id bigint not null references download_job (id) on delete cascade,
  expires_time bigint not null
);

-- The newest bundle that was applied of each source, by the key that signed it: an older one would bring back what is past.
create table bundle_applied (
  public_key text not null,
  source text not null,
  made_time bigint not null,
  applied_time bigint not null,
  primary key (public_key, source)
);

-- The public key of an installation whose bundles are accepted.
create table bundle_key (
  -- The first 16 hexadecimal digits of the key's SHA-256.
  fingerprint text collate "C" primary key,
  name text not null,
  -- Ed25519, 32 bytes in base64.
  public_key text not null,
  added_time bigint not null,
  added_by text not null
);
