-- A ticket is valid while the user who made it may fetch the file. Those that exist are valid for a minute.
delete from download_ticket;
alter table download_ticket add column user_id bigint not null references users (id) on delete cascade;
