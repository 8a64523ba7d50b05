-- A fix that only its version shows to be of a module is indexed as such, not as one of a plain package.
delete from record_index_state where list in ('almalinux_patch', 'centos_patch', 'oracle_linux_patch', 'rockylinux_patch');
