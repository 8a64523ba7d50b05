-- Where only records have changed, their number is computed again, and not the risk of every record that names the CVE.
alter table stale_cve add column records boolean not null default true;
