-- Memory finds the rows that contain the words of a keyword, and PostgreSQL tests only these: the trigrams took half of its work in a
-- sync, and nobody reads them any more.
drop index
  almalinux_patch_by_words,
  amazonlinux_patch_by_words,
  centos_patch_by_words,
  debian_patch_by_words,
  kb_repository_by_words,
  licensed_client_by_words,
  linux_notice_by_words,
  linux_patch_repository_by_words,
  machine_by_words,
  macos_patch_by_words,
  opensuse_patch_by_words,
  oracle_linux_patch_by_words,
  pardus_patch_by_words,
  patch_by_words,
  patch_repository_by_words,
  record_by_words,
  rockylinux_patch_by_words,
  thirdparty_patch_by_words,
  vulnerability_by_words;

-- A role that does not own the extension leaves it.
do $$
begin
  drop extension if exists pg_trgm;
exception when insufficient_privilege or dependent_objects_still_exist then
  null;
end
$$;
