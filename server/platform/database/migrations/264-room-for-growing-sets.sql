-- A set of machines grows with each report of its chunk: with room on its page, the row is written without its indexes.
alter table part_machines_0 set (fillfactor = 60);
alter table part_machines_1 set (fillfactor = 60);
alter table part_machines_2 set (fillfactor = 60);
alter table part_machines_3 set (fillfactor = 60);
alter table part_machines_4 set (fillfactor = 60);
alter table part_machines_5 set (fillfactor = 60);
alter table part_machines_6 set (fillfactor = 60);
alter table part_machines_7 set (fillfactor = 60);
