-- Of the report as it was sent: the same one again is not even read. Null until the machine is reported next.
alter table machine_standing add column sent_hash text collate "C";
-- Lines of the last report that could not be read.
alter table machine_standing add column unreadable_lines int not null default 0;
