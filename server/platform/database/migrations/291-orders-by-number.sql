-- Identifiers and versions are put in order by their numbers. The same functions, for rows in memory: catalogue/definition/natural-order.ts.
create function natural_order(text) returns text language sql immutable parallel safe
  return regexp_replace(regexp_replace(left($1, 100), '([0-9]+)', '0000000000000000000\1', 'g'), '[0-9]*([0-9]{19})', '\1', 'g');
-- Bound to the other function, which has no schema here: indexes are built with a search path of the system's own.
create function version_order(text) returns text language sql immutable parallel safe
  return translate(regexp_replace(natural_order(case when $1 ~ '^[0-9]+:' then $1 else '0:' || $1 end), '-(?=.*-)', '|', 'g'),
    '~.+', chr(1) || '}{') || chr(2);

drop index patch_repository_by_cve_start;
drop index patch_repository_by_supersedes_start;
drop index patch_repository_by_superseded_by_start;
drop index macos_patch_by_cve_start;
drop index record_by_cve_start;
drop index record_by_packages_start;
create index patch_repository_by_param_name_folded_natural on patch_repository (natural_order(param_name_folded), id) where withdrawn_time is null;
create index patch_repository_by_kb_id_folded_natural on patch_repository (natural_order(kb_id_folded), id) where withdrawn_time is null;
create index patch_repository_by_latest_kb_folded_natural on patch_repository (natural_order(latest_kb_folded), id) where withdrawn_time is null;
create index patch_repository_by_cve_start_natural on patch_repository (natural_order(cve_start), id) where withdrawn_time is null;
create index patch_repository_by_supersedes_start_natural on patch_repository (natural_order(supersedes_start), id) where withdrawn_time is null;
create index patch_repository_by_superseded_by_start_natural on patch_repository (natural_order(superseded_by_start), id) where withdrawn_time is null;
create index kb_repository_by_kb_id_folded_natural on kb_repository (natural_order(kb_id_folded), id) where withdrawn_time is null;
create index kb_repository_by_uuid_folded_natural on kb_repository (natural_order(uuid_folded), id) where withdrawn_time is null;
create index linux_notice_by_notice_id_folded_natural on linux_notice (natural_order(notice_id_folded), id) where withdrawn_time is null;
create index linux_notice_by_type_folded_natural on linux_notice (natural_order(type_folded), id) where withdrawn_time is null;
create index centos_patch_by_bulletin_id_folded_natural on centos_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;
create index opensuse_patch_by_bulletin_id_folded_natural on opensuse_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;
create index opensuse_patch_by_patch_name_folded_natural on opensuse_patch (natural_order(patch_name_folded), id) where withdrawn_time is null;
create index almalinux_patch_by_bulletin_id_folded_natural on almalinux_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;
create index rockylinux_patch_by_bulletin_id_folded_natural on rockylinux_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;
create index thirdparty_patch_by_uuid_folded_natural on thirdparty_patch (natural_order(uuid_folded), id) where withdrawn_time is null;
create index debian_patch_by_pkg_name_folded_natural on debian_patch (natural_order(pkg_name_folded), id) where withdrawn_time is null;
create index debian_patch_by_os_version_folded_natural on debian_patch (natural_order(os_version_folded), id) where withdrawn_time is null;
create index debian_patch_by_bulletin_id_folded_natural on debian_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;
create index debian_patch_by_pkg_and_version_folded_version on debian_patch (version_order(pkg_and_version_folded), id) where withdrawn_time is null;
create index pardus_patch_by_pkg_name_folded_natural on pardus_patch (natural_order(pkg_name_folded), id) where withdrawn_time is null;
create index pardus_patch_by_os_version_folded_natural on pardus_patch (natural_order(os_version_folded), id) where withdrawn_time is null;
create index pardus_patch_by_bulletin_id_folded_natural on pardus_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;
create index pardus_patch_by_pkg_and_version_folded_version on pardus_patch (version_order(pkg_and_version_folded), id) where withdrawn_time is null;
create index macos_patch_by_product_key_folded_natural on macos_patch (natural_order(product_key_folded), id) where withdrawn_time is null;
create index macos_patch_by_version_folded_version on macos_patch (version_order(version_folded), id) where withdrawn_time is null;
create index macos_patch_by_cve_start_natural on macos_patch (natural_order(cve_start), id) where withdrawn_time is null;
create index oracle_linux_patch_by_bulletin_id_folded_natural on oracle_linux_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;
create index patch_by_uuid_folded_natural on patch (natural_order(uuid_folded), id) where withdrawn_time is null;
create index patch_by_bulletin_id_folded_natural on patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;
create index patch_by_kb_id_folded_natural on patch (natural_order(kb_id_folded), id) where withdrawn_time is null;
create index licensed_client_by_application_version_folded_version on licensed_client (version_order(application_version_folded), id);
create index linux_patch_repository_by_patch_id_folded_natural on linux_patch_repository (natural_order(patch_id_folded), id) where withdrawn_time is null;
create index linux_patch_repository_by_source_pkg_name_folded_natural on linux_patch_repository (natural_order(source_pkg_name_folded), id) where withdrawn_time is null;
create index linux_patch_repository_by_source_pkg_version_folded_version on linux_patch_repository (version_order(source_pkg_version_folded), id) where withdrawn_time is null;
create index linux_patch_repository_by_binary_pkg_name_folded_natural on linux_patch_repository (natural_order(binary_pkg_name_folded), id) where withdrawn_time is null;
create index linux_patch_repository_by_binary_pkg_version_folded_version on linux_patch_repository (version_order(binary_pkg_version_folded), id) where withdrawn_time is null;
create index linux_patch_repository_by_distribution_folded_natural on linux_patch_repository (natural_order(distribution_folded), id) where withdrawn_time is null;
create index linux_patch_repository_by_arch_folded_natural on linux_patch_repository (natural_order(arch_folded), id) where withdrawn_time is null;
create index amazonlinux_patch_by_bulletin_id_folded_natural on amazonlinux_patch (natural_order(bulletin_id_folded), id) where withdrawn_time is null;
create index record_by_identifier_folded_natural on record (natural_order(identifier_folded), id);
create index record_by_cve_start_natural on record (natural_order(cve_start), id);
create index record_by_packages_start_natural on record (natural_order(packages_start), id);
create index record_by_list_folded_natural on record (natural_order(list_folded), id);
create index vulnerability_by_cvss_vector_folded_natural on vulnerability (natural_order(cvss_vector_folded), id);
create index machine_by_machine_key_folded_natural on machine (natural_order(machine_key_folded), id);
create index machine_by_build_folded_version on machine (version_order(build_folded), id);
create index machine_by_kernel_folded_version on machine (version_order(kernel_folded), id);
