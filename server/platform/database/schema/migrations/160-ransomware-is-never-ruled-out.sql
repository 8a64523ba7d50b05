-- A CVE shows the use by ransomware that CISA knows of, or nothing: CISA's Unknown was shown as No.
with changed as (
  update vulnerability set ransomware = null, revision = listed.revision + 1, told_revision = listed.revision + 1
  from list_revision as listed where listed.list = 'vulnerabilities' and not vulnerability.ransomware returning 1)
update list_revision set revision = revision + 1 where list = 'vulnerabilities' and exists (select from changed);
