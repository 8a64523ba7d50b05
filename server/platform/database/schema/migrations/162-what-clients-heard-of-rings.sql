alter table client_position add column passes jsonb;
comment on column client_position.passes is
  'The ring of which the client has heard, and the revisions of its decisions, the list and the risk up to which it has; null: of none.';
