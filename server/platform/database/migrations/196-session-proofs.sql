-- How a session was begun: by a password of this service, or by an identity provider, which asks for factors of its own.
alter table sessions add column by_provider boolean not null default false;
-- When the person last proved who they are in this session; null: not in a way that is known.
alter table sessions add column proven_time bigint;
