-- Of an update's records of one list, All patches shows the one with the lowest key, and not the one that was read first.
delete from record_index_state where list in ('patch_repository', 'kb_repository', 'patch');
