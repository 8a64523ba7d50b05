-- When the process that makes a download last said so: of a data folder that is gone nobody says any more.

alter table download_job add column noted_time bigint;
