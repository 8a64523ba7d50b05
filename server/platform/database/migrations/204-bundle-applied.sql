-- The newest bundle that was applied of each source, by the key that signed it: an older one would bring back what is past.
create table bundle_applied (
  public_key text not null,
  source text not null,
  made_time bigint not null,
  applied_time bigint not null,
  primary key (public_key, source)
);
