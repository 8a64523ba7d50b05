-- Records that a plan leaves out because the rings of the clients of its machines do not have them.
alter table machine_plan add column held_back jsonb not null default '[]';
