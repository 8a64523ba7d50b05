-- What vendors say of vulnerabilities in source packages that no version fixes: a row for each CVE with the vendor's word, and when it was
-- first read and last changed, for VEX documents. It replaces the table of unfixed ones, which had all CVEs of a package in one text.
create table package_status (
  source text collate "C" not null,
  part text collate "C" not null,
  release text collate "C" not null,
  package text collate "C" not null,
  cve text collate "C" not null,
  -- open, ignored, postponed, undetermined or not_affected; gone when the vendor says nothing of it any more.
  word text collate "C" not null,
  -- Epoch milliseconds.
  created_time bigint not null,
  changed_time bigint not null,
  primary key (release, package, cve, source, part)
);

insert into package_status (source, part, release, package, cve, word, created_time, changed_time)
select source, part, release, package, cve, 'open', millis, millis
from unfixed_vulnerability, unnest(string_to_array(cves, E'\n')) as cve, (select (extract(epoch from now()) * 1000)::bigint as millis) as migrated
group by source, part, release, package, cve, millis;

drop table unfixed_vulnerability;

create index package_status_by_part on package_status (source, part);
create index package_status_by_cve on package_status (cve);
comment on index package_status_by_part is 'The statuses of a part that is read again.';
comment on index package_status_by_cve is 'The VEX document of a CVE.';
