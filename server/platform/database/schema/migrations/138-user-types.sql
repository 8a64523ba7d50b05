-- Beside administrators and readers: operators plan updates and except records, approvers decide about rings and exceptions of others.
alter table users
  drop constraint users_user_type_check,
  add constraint users_user_type_check check (user_type in ('Admin', 'Approver', 'Operator', 'Standard'));
