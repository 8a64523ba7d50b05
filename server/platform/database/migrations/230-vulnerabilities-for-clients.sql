-- Licensed clients may fetch the vulnerabilities. The revision of the list at which the facts of a CVE last changed: counting its
-- records again raises `revision` alone, and EPSS neither. See docs/decisions/044.
alter table vulnerability add column told_revision bigint not null default 0;
update vulnerability set told_revision = revision;
create index vulnerability_by_told_revision on vulnerability (told_revision, id);
