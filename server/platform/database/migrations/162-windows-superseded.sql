-- Whether another update replaces it stands in the rows of the KB base and the patch list. The patch list's detail called those other
-- updates by that name; there they are `supersededBy` now.

alter table kb_repository add column superseded boolean;
update kb_repository set superseded = jsonb_array_length(detail -> 'supersededBy') > 0
from entry_detail where list = 'kb_repository' and row_id = id and jsonb_typeof(detail -> 'supersededBy') = 'array';
create index kb_repository_by_superseded on kb_repository (superseded, id) where withdrawn_time is null;

alter table patch add column superseded boolean;
update patch set superseded = jsonb_array_length(detail -> 'superseded') > 0
from entry_detail where list = 'patch' and row_id = id and jsonb_typeof(detail -> 'superseded') = 'array';
update entry_detail set detail = (detail - 'superseded') || jsonb_build_object('supersededBy', detail -> 'superseded')
where list = 'patch' and detail ? 'superseded';
create index patch_by_superseded on patch (superseded, id) where withdrawn_time is null;
