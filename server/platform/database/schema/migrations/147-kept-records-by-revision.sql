create index kept_record_by_revision on kept_record (list, from_revision);
comment on index kept_record_by_revision is 'The versions that a list got between two of its revisions.';
