-- The networks that a person has signed in from: a try from one of them is not slowed by wrong tries from elsewhere.
create table known_network (
  user_id bigint not null references users (id) on delete cascade,
  -- An IPv4 address, or the /64 of an IPv6 address.
  network text collate "C" not null,
  last_time bigint not null,
  primary key (user_id, network)
);
create index known_network_by_network on known_network (network, last_time);
