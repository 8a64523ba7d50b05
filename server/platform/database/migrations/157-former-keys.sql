-- The natural keys under which a row was kept before. A bundle names them, so that the importing installation finds its own row.

create table feed_former_key (
  list text not null,
  key text collate "C" not null,
  row_id bigint not null,
  primary key (list, key)
);
create index feed_former_key_by_row on feed_former_key (list, row_id);
