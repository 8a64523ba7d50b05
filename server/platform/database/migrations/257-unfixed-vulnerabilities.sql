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
