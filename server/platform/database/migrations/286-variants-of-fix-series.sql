-- Which architectures and module streams the fixes of a series are for: a package of another one is not judged.
create table fix_series_variant (
  series_id integer not null,
  variant_id integer not null,
  primary key (series_id, variant_id)
);
insert into fix_series_variant (series_id, variant_id) select distinct series_id, variant_id from package_fix;
-- Whoever holds series in memory reads them again.
update fix_release set series_stamp = series_stamp + 1;
-- Advisories of groups within Rocky Linux are judged from now on, though their records were there before.
insert into package_fix_to_fill (list) select distinct list from record where list = 'rockylinux_patch'
on conflict (list) do update set filled_to = 0;
