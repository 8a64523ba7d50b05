-- Memory answers conditions, counts, facets and orders; a list keeps the indexes that name a record, its own order, phrases in its words
-- and its changes. Each index that is no key says in a comment which query uses it.

drop index
  epss_score_by_epss,
  passkey_challenge_by_expiry,
  passkey_challenge_by_user,
  sso_returned_attempt_by_expiry,
  sso_ticket_by_expiry,
  almalinux_patch_by_binary_pkg_name_start,
  almalinux_patch_by_bulletin_id_folded_natural,
  almalinux_patch_by_category_rank,
  almalinux_patch_by_category_rank_in_order,
  almalinux_patch_by_os_version_start,
  almalinux_patch_by_release_date,
  almalinux_patch_by_severity_rank,
  almalinux_patch_by_severity_rank_in_order,
  almalinux_patch_by_title_folded,
  almalinux_patch_listed,
  amazonlinux_patch_by_binary_pkg_name_start,
  amazonlinux_patch_by_bulletin_id_folded_natural,
  amazonlinux_patch_by_category_rank,
  amazonlinux_patch_by_category_rank_in_order,
  amazonlinux_patch_by_os_version_start,
  amazonlinux_patch_by_release_date,
  amazonlinux_patch_by_severity_rank,
  amazonlinux_patch_by_severity_rank_in_order,
  amazonlinux_patch_by_title_folded,
  amazonlinux_patch_listed,
  centos_patch_by_binary_pkg_name_start,
  centos_patch_by_bulletin_id_folded_natural,
  centos_patch_by_category_rank,
  centos_patch_by_category_rank_in_order,
  centos_patch_by_os_version_start,
  centos_patch_by_release_date,
  centos_patch_by_severity_rank,
  centos_patch_by_severity_rank_in_order,
  centos_patch_by_title_folded,
  centos_patch_listed,
  debian_patch_by_bulletin_id_folded_natural,
  debian_patch_by_os_version_folded,
  debian_patch_by_os_version_folded_natural,
  debian_patch_by_pkg_and_version_folded,
  debian_patch_by_pkg_and_version_folded_version,
  debian_patch_by_pkg_name_folded,
  debian_patch_by_pkg_name_folded_natural,
  debian_patch_by_priority_rank,
  debian_patch_by_priority_rank_in_order,
  debian_patch_by_release_date,
  debian_patch_by_title_folded,
  debian_patch_listed,
  kb_repository_by_architecture_start,
  kb_repository_by_cab_exists,
  kb_repository_by_category_rank,
  kb_repository_by_category_rank_in_order,
  kb_repository_by_exploited,
  kb_repository_by_kb_id_folded_natural,
  kb_repository_by_product_name_start,
  kb_repository_by_release_date,
  kb_repository_by_restart_behaviour_folded,
  kb_repository_by_severity_rank,
  kb_repository_by_severity_rank_in_order,
  kb_repository_by_size,
  kb_repository_by_superseded,
  kb_repository_by_support_uninstallation,
  kb_repository_by_title_folded,
  kb_repository_by_uuid_folded,
  kb_repository_by_uuid_folded_natural,
  kb_repository_listed,
  licensed_client_by_application_version_folded,
  licensed_client_by_application_version_folded_version,
  licensed_client_by_client_name_folded,
  licensed_client_by_latest_kb_request_on,
  licensed_client_by_license_expiry,
  licensed_client_by_license_type_folded,
  licensed_client_by_registered_on,
  licensed_client_by_repo_updated_on,
  linux_notice_by_affected_os_start,
  linux_notice_by_notice_id_folded_natural,
  linux_notice_by_priority_rank,
  linux_notice_by_priority_rank_in_order,
  linux_notice_by_published,
  linux_notice_by_release_date,
  linux_notice_by_title_folded,
  linux_notice_by_type_folded,
  linux_notice_by_type_folded_natural,
  linux_notice_by_updated_time,
  linux_notice_listed,
  linux_patch_repository_by_arch_folded,
  linux_patch_repository_by_arch_folded_natural,
  linux_patch_repository_by_binary_pkg_name_folded_natural,
  linux_patch_repository_by_binary_pkg_version_folded,
  linux_patch_repository_by_binary_pkg_version_folded_version,
  linux_patch_repository_by_distribution_folded,
  linux_patch_repository_by_distribution_folded_natural,
  linux_patch_repository_by_patch_id_folded,
  linux_patch_repository_by_patch_id_folded_natural,
  linux_patch_repository_by_phased_update,
  linux_patch_repository_by_priority_rank,
  linux_patch_repository_by_priority_rank_in_order,
  linux_patch_repository_by_release_date,
  linux_patch_repository_by_source_pkg_name_folded,
  linux_patch_repository_by_source_pkg_name_folded_natural,
  linux_patch_repository_by_source_pkg_version_folded,
  linux_patch_repository_by_source_pkg_version_folded_version,
  linux_patch_repository_by_title_folded,
  linux_patch_repository_by_urgency_rank,
  linux_patch_repository_by_urgency_rank_in_order,
  linux_patch_repository_listed,
  machine_by_architecture_folded,
  machine_by_build_folded,
  machine_by_build_folded_version,
  machine_by_client_folded,
  machine_by_client_id,
  machine_by_end_of_life,
  machine_by_kernel_folded,
  machine_by_kernel_folded_version,
  machine_by_machine_key_folded,
  machine_by_machine_key_folded_natural,
  machine_by_name_folded,
  machine_by_package_count,
  machine_by_platform_rank,
  machine_by_reboot_pending,
  machine_by_release_folded,
  macos_patch_by_cve_start_natural,
  macos_patch_by_exploited,
  macos_patch_by_os_version_start,
  macos_patch_by_product_key_folded,
  macos_patch_by_product_key_folded_natural,
  macos_patch_by_release_date,
  macos_patch_by_version_folded,
  macos_patch_by_version_folded_version,
  macos_patch_listed,
  opensuse_patch_by_binary_pkg_name_start,
  opensuse_patch_by_bulletin_id_folded_natural,
  opensuse_patch_by_category_rank,
  opensuse_patch_by_category_rank_in_order,
  opensuse_patch_by_os_version_start,
  opensuse_patch_by_patch_name_folded,
  opensuse_patch_by_patch_name_folded_natural,
  opensuse_patch_by_release_date,
  opensuse_patch_by_severity_rank,
  opensuse_patch_by_severity_rank_in_order,
  opensuse_patch_by_title_folded,
  opensuse_patch_listed,
  oracle_linux_patch_by_binary_pkg_name_start,
  oracle_linux_patch_by_bulletin_id_folded_natural,
  oracle_linux_patch_by_category_rank,
  oracle_linux_patch_by_category_rank_in_order,
  oracle_linux_patch_by_os_version_start,
  oracle_linux_patch_by_release_date,
  oracle_linux_patch_by_severity_rank,
  oracle_linux_patch_by_severity_rank_in_order,
  oracle_linux_patch_by_title_folded,
  oracle_linux_patch_listed,
  pardus_patch_by_bulletin_id_folded_natural,
  pardus_patch_by_os_version_folded,
  pardus_patch_by_os_version_folded_natural,
  pardus_patch_by_pkg_and_version_folded,
  pardus_patch_by_pkg_and_version_folded_version,
  pardus_patch_by_pkg_name_folded,
  pardus_patch_by_pkg_name_folded_natural,
  pardus_patch_by_priority_rank,
  pardus_patch_by_priority_rank_in_order,
  pardus_patch_by_release_date,
  pardus_patch_by_title_folded,
  pardus_patch_listed,
  patch_by_bulletin_id_folded,
  patch_by_bulletin_id_folded_natural,
  patch_by_kb_id_folded_natural,
  patch_by_release_date,
  patch_by_severity_rank,
  patch_by_severity_rank_in_order,
  patch_by_superseded,
  patch_by_support_url_folded,
  patch_by_title_folded,
  patch_by_uuid_folded,
  patch_by_uuid_folded_natural,
  patch_listed,
  patch_repository_by_architecture_start,
  patch_repository_by_component_start,
  patch_repository_by_created_time,
  patch_repository_by_cve_start_natural,
  patch_repository_by_exploited,
  patch_repository_by_impact_folded,
  patch_repository_by_kb_id_folded_natural,
  patch_repository_by_latest_kb_folded,
  patch_repository_by_latest_kb_folded_natural,
  patch_repository_by_name_folded,
  patch_repository_by_param_name_folded,
  patch_repository_by_param_name_folded_natural,
  patch_repository_by_product_family_folded,
  patch_repository_by_publicly_disclosed,
  patch_repository_by_release_date,
  patch_repository_by_restart_behaviour_folded,
  patch_repository_by_severity_rank,
  patch_repository_by_severity_rank_in_order,
  patch_repository_by_superseded,
  patch_repository_by_superseded_by_start_natural,
  patch_repository_by_supersedes_start_natural,
  patch_repository_by_updated_time,
  patch_repository_listed,
  record_by_created_time,
  record_by_cve_start_natural,
  record_by_folded,
  record_by_identifier_folded,
  record_by_identifier_folded_natural,
  record_by_list_folded,
  record_by_list_folded_natural,
  record_by_packages_start_natural,
  record_by_record_id,
  record_by_release_date,
  record_by_release_start,
  record_by_severity_rank,
  record_by_severity_rank_in_order,
  record_by_superseded,
  record_by_title_folded,
  record_by_vendor_folded,
  record_by_vendor_severity_folded,
  record_epss_by_epss,
  record_risk_by_cvss,
  record_risk_by_exploited,
  rockylinux_patch_by_binary_pkg_name_start,
  rockylinux_patch_by_bulletin_id_folded_natural,
  rockylinux_patch_by_category_rank,
  rockylinux_patch_by_category_rank_in_order,
  rockylinux_patch_by_os_version_start,
  rockylinux_patch_by_release_date,
  rockylinux_patch_by_severity_rank,
  rockylinux_patch_by_severity_rank_in_order,
  rockylinux_patch_by_title_folded,
  rockylinux_patch_listed,
  thirdparty_patch_by_category_rank,
  thirdparty_patch_by_description_start,
  thirdparty_patch_by_manufacturer_folded,
  thirdparty_patch_by_uuid_folded,
  thirdparty_patch_by_uuid_folded_natural,
  thirdparty_patch_listed,
  vulnerability_by_cve_order,
  vulnerability_by_cvss,
  vulnerability_by_cvss_source_folded,
  vulnerability_by_cvss_vector_folded,
  vulnerability_by_cvss_vector_folded_natural,
  vulnerability_by_days_to_fix,
  vulnerability_by_due_date,
  vulnerability_by_published,
  vulnerability_by_ransomware,
  vulnerability_by_record_count,
  vulnerability_by_severity_rank,
  vulnerability_by_severity_rank_in_order,
  vulnerability_by_ssvc_start,
  vulnerability_by_title_folded,
  vulnerability_by_vendor_days_start,
  vulnerability_by_vendors_start;

create index patch_repository_in_order on patch_repository (release_date desc nulls last, id desc) where withdrawn_time is null;
create index kb_repository_in_order on kb_repository (release_date desc nulls last, id desc) where withdrawn_time is null;
create index linux_notice_in_order on linux_notice (release_date desc nulls last, id desc) where withdrawn_time is null;
create index centos_patch_in_order on centos_patch (release_date desc nulls last, id desc) where withdrawn_time is null;
create index opensuse_patch_in_order on opensuse_patch (release_date desc nulls last, id desc) where withdrawn_time is null;
create index almalinux_patch_in_order on almalinux_patch (release_date desc nulls last, id desc) where withdrawn_time is null;
create index rockylinux_patch_in_order on rockylinux_patch (release_date desc nulls last, id desc) where withdrawn_time is null;
create index thirdparty_patch_in_order on thirdparty_patch (name_folded asc nulls last, id asc) where withdrawn_time is null;
create index debian_patch_in_order on debian_patch (release_date desc nulls last, id desc) where withdrawn_time is null;
create index pardus_patch_in_order on pardus_patch (release_date desc nulls last, id desc) where withdrawn_time is null;
create index macos_patch_in_order on macos_patch (release_date desc nulls last, id desc) where withdrawn_time is null;
create index oracle_linux_patch_in_order on oracle_linux_patch (release_date desc nulls last, id desc) where withdrawn_time is null;
create index patch_in_order on patch (release_date desc nulls last, id desc) where withdrawn_time is null;
create index licensed_client_in_order on licensed_client (client_name_folded asc nulls last, id asc);
create index linux_patch_repository_in_order on linux_patch_repository (release_date desc nulls last, id desc) where withdrawn_time is null;
create index amazonlinux_patch_in_order on amazonlinux_patch (release_date desc nulls last, id desc) where withdrawn_time is null;
create index record_in_order on record (release_date desc nulls last, id desc);
create index vulnerability_in_order on vulnerability (published desc nulls last, id desc);
create index machine_in_order on machine (name_folded asc nulls last, id asc);

comment on index patch_repository_in_order is 'A page of the list in its own order.';
comment on index patch_repository_by_kb_id_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index patch_repository_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index patch_repository_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index kb_repository_in_order is 'A page of the list in its own order.';
comment on index kb_repository_by_kb_id_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index kb_repository_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index kb_repository_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index linux_notice_in_order is 'A page of the list in its own order.';
comment on index linux_notice_by_notice_id_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index linux_notice_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index linux_notice_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index centos_patch_in_order is 'A page of the list in its own order.';
comment on index centos_patch_by_bulletin_id_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index centos_patch_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index centos_patch_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index opensuse_patch_in_order is 'A page of the list in its own order.';
comment on index opensuse_patch_by_bulletin_id_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index opensuse_patch_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index opensuse_patch_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index almalinux_patch_in_order is 'A page of the list in its own order.';
comment on index almalinux_patch_by_bulletin_id_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index almalinux_patch_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index almalinux_patch_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index rockylinux_patch_in_order is 'A page of the list in its own order.';
comment on index rockylinux_patch_by_bulletin_id_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index rockylinux_patch_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index rockylinux_patch_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index thirdparty_patch_in_order is 'A page of the list in its own order.';
comment on index thirdparty_patch_by_name_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index thirdparty_patch_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index thirdparty_patch_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index debian_patch_in_order is 'A page of the list in its own order.';
comment on index debian_patch_by_bulletin_id_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index debian_patch_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index debian_patch_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index pardus_patch_in_order is 'A page of the list in its own order.';
comment on index pardus_patch_by_bulletin_id_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index pardus_patch_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index pardus_patch_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index macos_patch_in_order is 'A page of the list in its own order.';
comment on index macos_patch_by_title_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index macos_patch_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index macos_patch_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index oracle_linux_patch_in_order is 'A page of the list in its own order.';
comment on index oracle_linux_patch_by_bulletin_id_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index oracle_linux_patch_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index oracle_linux_patch_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index patch_in_order is 'A page of the list in its own order.';
comment on index patch_by_kb_id_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index patch_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index patch_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index licensed_client_in_order is 'A page of the list in its own order.';
comment on index licensed_client_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index licensed_client_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index linux_patch_repository_in_order is 'A page of the list in its own order.';
comment on index linux_patch_repository_by_binary_pkg_name_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index linux_patch_repository_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index linux_patch_repository_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index amazonlinux_patch_in_order is 'A page of the list in its own order.';
comment on index amazonlinux_patch_by_bulletin_id_folded is 'The records with a name: links, supersedence, identifiers.';
comment on index amazonlinux_patch_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index amazonlinux_patch_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index record_in_order is 'A page of the list in its own order.';
comment on index record_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index record_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index vulnerability_in_order is 'A page of the list in its own order.';
comment on index vulnerability_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index vulnerability_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index machine_in_order is 'A page of the list in its own order.';
comment on index machine_by_words is 'Phrases, packages and KBs among all words, while memory does not answer.';
comment on index machine_by_revision is 'What was written since a revision: memory, licensed clients, bundles.';
comment on index patch_repository_by_product_name_folded is 'The updates of a product: Check a machine, machines of clients.';
comment on index record_by_cve is 'The records of a CVE: its page, the matrix, risk of a day.';
comment on index record_by_names is 'The records that share an identifier, and the fixes of a package.';
comment on index record_by_alias_folded is 'Jump to a record by its second name, and the nearest names.';
comment on index record_by_update is 'The records of one update, of which one stands for all.';
comment on index record_by_risk_scope is 'The record of a list whose risk changed.';
comment on index vulnerability_by_told_revision is 'Changes for licensed clients.';
comment on index vulnerability_by_exploited_since is 'CVEs that became known exploited since a visit.';
comment on index machine_by_number is 'Reading all machines by number.';
comment on index alert_mail_by_alert is 'The emails of an alert.';
comment on index alert_mail_by_mail is 'The alert of an email, when the email is removed.';
comment on index audit_entry_by_action is 'The audit log by action.';
comment on index audit_entry_by_request is 'The audit entries of one request.';
comment on index audit_entry_by_time is 'The audit log of a time, and its retention.';
comment on index default_view_by_view is 'The users of a default view, when the view is removed.';
comment on index download_job_waiting is 'The next download to make.';
comment on index feed_former_key_by_row is 'The former keys of a record.';
comment on index inventory_part_by_name is 'The machines with a package of a changed record.';
comment on index inventory_part_by_scope is 'The parts of a distribution release that are judged together.';
comment on index inventory_part_not_judged is 'The next part to judge.';
comment on index known_network_by_network is 'The last sign-in from a network.';
comment on index machine_standing_by_last_seen is 'Machines that no longer report.';
comment on index machine_standing_to_count is 'The next machine to count.';
comment on index mail_outbox_waiting is 'The next email to send.';
comment on index missing_exception_by_record is 'The exceptions for a record.';
comment on index missing_exception_once is 'One exception for a machine, or for all, and a record.';
comment on index missing_record_by_machines is 'The records that most machines miss.';
comment on index package_fix_by_record is 'The fixes of a record that is written again.';
comment on index package_fix_by_version is 'The fixes of a package above the installed version.';
comment on index part_machines_by_chunk is 'The parts of a chunk of machines.';
comment on index part_missing_by_record is 'The parts that miss a record.';
comment on index passkey_by_user is 'The passkeys of a user.';
comment on index password_reset_by_user is 'The reset links of a user.';
comment on index record_risk_by_revision is 'Risk that changed since a revision: memory, alerts, licensed clients.';
comment on index saved_view_by_list is 'The saved views of a list.';
comment on index sessions_by_expiry is 'Sessions that have expired.';
comment on index sessions_by_user is 'The sessions of a user.';
comment on index sign_in_attempts_by_expiry is 'Attempts that no longer slow a name.';
comment on index sso_identity_by_user is 'The identities of a user.';
comment on index sso_ticket_by_user is 'The tickets of a user, when the user is removed.';
comment on index sync_change_by_run is 'The changes of a run.';
comment on index sync_rejection_by_run is 'The rejected records of a run.';
comment on index sync_run_active is 'One active run for a source.';
comment on index sync_run_by_source is 'The runs of a source, newest first.';
comment on index sync_run_by_success is 'The last successful run of a source.';
comment on index unfixed_vulnerability_by_part is 'The vulnerabilities of a part that is read again.';
comment on index users_by_email is 'One account for an email address.';
comment on index vendor_score_by_record is 'The scores of a record that is written again.';
comment on index view_alert_by_view is 'The alerts of a saved view.';
comment on index waiting_sets_by_client is 'The changed package sets of a client that wait for a turn.';

-- Memory answers a search for records that are known exploited: the copy of the flag in the index of records goes.
drop view all_patches;
alter table record drop column known_exploited;
create view all_patches as select
  record.id, (record.list || ':' || record.record_id) collate "C" as natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, record.revision,
  identifier, identifier_folded, title, title_folded, vendor, vendor_folded, release, release_folded, release_start,
  severity, severity_folded, severity_rank, vendor_severity, vendor_severity_folded, cve, cve_folded, cve_start,
  packages, packages_folded, packages_start, release_date, superseded, record.list, list_folded, record.record_id, folded,
  record_risk.exploited, record_epss.epss, record_risk.cvss, null::jsonb as detail
from record
left join record_risk on record_risk.list = coalesce(record.risk_scope, record.list) and record_risk.record_id = record.record_id
left join record_epss on record_epss.list = coalesce(record.risk_scope, record.list) and record_epss.record_id = record.record_id;
