-- Rows that are to be written once more: a mark of their own in place of none, as bundles carry it and two repositories compare theirs.

update almalinux_patch as kept set content_hash = 'again-' || md5(keyword || coalesce(
  (select detail::text from entry_detail where list = 'almalinux_patch' and row_id = kept.id), ''))
where content_hash = '';

update centos_patch as kept set content_hash = 'again-' || md5(keyword || coalesce(
  (select detail::text from entry_detail where list = 'centos_patch' and row_id = kept.id), ''))
where content_hash = '';

update opensuse_patch as kept set content_hash = 'again-' || md5(keyword || coalesce(
  (select detail::text from entry_detail where list = 'opensuse_patch' and row_id = kept.id), ''))
where content_hash = '';

update oracle_linux_patch as kept set content_hash = 'again-' || md5(keyword || coalesce(
  (select detail::text from entry_detail where list = 'oracle_linux_patch' and row_id = kept.id), ''))
where content_hash = '';

update pardus_patch as kept set content_hash = 'again-' || md5(keyword || coalesce(
  (select detail::text from entry_detail where list = 'pardus_patch' and row_id = kept.id), ''))
where content_hash = '';

update rockylinux_patch as kept set content_hash = 'again-' || md5(keyword || coalesce(
  (select detail::text from entry_detail where list = 'rockylinux_patch' and row_id = kept.id), ''))
where content_hash = '';
