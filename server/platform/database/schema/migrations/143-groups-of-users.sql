-- A user of some groups sees their machines alone. A group that is removed leaves its number, so that the user never sees more.
alter table users
  add column machine_groups bigint[],
  add constraint users_machine_groups_check check (user_type <> 'Admin' or machine_groups is null);
-- A plan exists for a user of some groups if its machines were those of them alone. Null: of any machines.
alter table machine_plan add column machine_groups bigint[];
