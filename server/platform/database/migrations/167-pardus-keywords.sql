-- The keyword of a Pardus package has the names of its binary packages: rows are written once more when they are read next.

update pardus_patch set content_hash = '' where withdrawn_time is null;
