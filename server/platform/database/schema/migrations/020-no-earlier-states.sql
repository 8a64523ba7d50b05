-- Nothing is derived any more for data of states before the baseline.
drop table package_fix_to_fill;
drop table vendor_score_to_fill;

-- Every entry of the audit log is chained with a key.
alter table audit_entry alter column key_id set not null;

-- Runs say what they do and how they ended as codes with parameters, in stage_data and message_data.
alter table sync_run drop column stage, drop column message;

-- Of every machine it is known what was sent last.
alter table machine_standing alter column sent_hash set not null;
