-- Licensed clients get a table of their own: licensed_client holds everything, and the list floto_user becomes a view of it.
-- Until now a client was a list row and a list detail, beside a row here for its secrets. Times are epoch milliseconds.

alter table licensed_client drop constraint licensed_client_row_id_fkey;
alter table licensed_client rename column row_id to id;
alter table client_position rename column row_id to client_id;
alter table licence_warning rename column row_id to client_id;

-- Every client of the list has had a row here since version 080; one that was written before gets its row now.
insert into licensed_client (id) select id from floto_user where not exists (select 1 from licensed_client where licensed_client.id = floto_user.id);

alter table licensed_client
  add column key text collate "C",
  add column created_time bigint,
  add column updated_time bigint,
  add column revision bigint,
  add column client_name text,
  add column license_type text,
  add column license_expiry bigint,
  -- Sealed with the service's key; in plain text while code_hash is null.
  add column sealed_code text,
  add column repo_updated_on bigint,
  add column latest_kb_request_on bigint,
  add column registered_on bigint,
  add column application_version text,
  add column deployment_mode text not null default 'standalone',
  add column environment text not null default 'production',
  -- Sources whose lists the client may fetch, and their labels for people.
  add column families text[] not null default '{}',
  add column family_names text[] not null default '{}',
  add column technician_licence text not null default 'named',
  add column technicians bigint not null default 0,
  add column it_assets bigint not null default 0,
  add column non_it_assets bigint not null default 0,
  add column end_points bigint not null default 0,
  add column contact_email text not null default '',
  add column notes text not null default '',
  -- Where the activation code was used; empty until then.
  add column host_name text not null default '',
  add column revoked_on bigint,
  add column revoked_by text not null default '',
  -- What a search compares: folded by the service, as in the tables of the lists.
  add column client_name_folded text collate "C",
  add column license_type_folded text collate "C",
  add column application_version_folded text collate "C",
  add column keyword text collate "C";

update licensed_client as client set
  key = entry.natural_key, created_time = entry.created_time, updated_time = entry.updated_time, revision = entry.revision,
  client_name = entry.client_name, license_type = entry.license_type, license_expiry = entry.license_expiry, sealed_code = entry.activation_code,
  repo_updated_on = entry.repo_updated_on, latest_kb_request_on = entry.latest_kb_request_on, registered_on = entry.registered_on,
  application_version = entry.application_version, client_name_folded = entry.client_name_folded, license_type_folded = entry.license_type_folded,
  application_version_folded = entry.application_version_folded, keyword = entry.keyword
from floto_user as entry where entry.id = client.id;

update licensed_client as client set
  deployment_mode = coalesce(detail ->> 'deploymentMode', 'standalone'),
  environment = coalesce(detail ->> 'environment', 'production'),
  families = array(select jsonb_array_elements_text(coalesce(detail -> 'families', '[]'))),
  family_names = array(select jsonb_array_elements_text(coalesce(detail -> 'familyNames', '[]'))),
  technician_licence = coalesce(detail ->> 'technicianLicence', 'named'),
  technicians = coalesce((detail ->> 'technicians')::bigint, 0),
  it_assets = coalesce((detail ->> 'itAssets')::bigint, 0),
  non_it_assets = coalesce((detail ->> 'nonItAssets')::bigint, 0),
  end_points = coalesce((detail ->> 'endPoints')::bigint, 0),
  contact_email = coalesce(detail ->> 'contactEmail', ''),
  notes = coalesce(detail ->> 'notes', ''),
  host_name = coalesce(detail ->> 'hostName', ''),
  revoked_on = (detail ->> 'revokedOn')::bigint,
  revoked_by = coalesce(detail ->> 'revokedBy', '')
from entry_detail where entry_detail.list = 'floto_user' and entry_detail.row_id = client.id;

alter table licensed_client
  alter column key set not null,
  alter column created_time set not null,
  alter column updated_time set not null,
  alter column revision set not null,
  alter column keyword set not null,
  add constraint licensed_client_key_key unique (key),
  alter column id add generated always as identity;
-- A number is never given twice: numbering goes on where the list's stood.
select setval(pg_get_serial_sequence('licensed_client', 'id'), last_value, is_called) from floto_user_id_seq;

delete from entry_detail where list = 'floto_user';
drop table floto_user;

create index licensed_client_by_client_name_folded on licensed_client (client_name_folded, id);
create index licensed_client_by_license_type_folded on licensed_client (license_type_folded, id);
create index licensed_client_by_license_expiry on licensed_client (license_expiry, id);
create index licensed_client_by_repo_updated_on on licensed_client (repo_updated_on, id);
create index licensed_client_by_latest_kb_request_on on licensed_client (latest_kb_request_on, id);
create index licensed_client_by_registered_on on licensed_client (registered_on, id);
create index licensed_client_by_application_version_folded on licensed_client (application_version_folded, id);
create index licensed_client_by_words on licensed_client using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256);
create index licensed_client_by_revision on licensed_client (revision, id);

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
