-- A fix that only its version shows to be of a module is indexed as such, not as one of a plain package. Names of kernels with other
-- forms (linux-image-6.12.38+deb13-amd64) are indexed without their number.
delete from record_index_state where list in ('almalinux_patch', 'centos_patch', 'oracle_linux_patch', 'rockylinux_patch', 'debian_patch', 'linux_notice', 'pardus_patch');
