-- How many critical records a machine missed when it was last judged, while it is not judged. Null for machines that never were.
alter table machine_standing add column critical_before bigint;
