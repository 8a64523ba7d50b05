-- No API key is good for longer than a year; those that never ended have a year from now.
update api_key set expires_time = least(coalesce(expires_time, 9000000000000000), (extract(epoch from now()) * 1000)::bigint + 31622400000);
alter table api_key alter column expires_time set not null;

-- When the person signed in at the identity provider, as it says; null: it does not say.
alter table sso_ticket add column proven_time bigint;
