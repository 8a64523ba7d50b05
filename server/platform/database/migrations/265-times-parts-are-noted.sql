-- How often a part was marked to be counted: one that is marked again while its machines are counted keeps its mark.
alter table part_to_count add column times bigint not null default 1;
