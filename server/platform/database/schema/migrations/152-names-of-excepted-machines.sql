-- The name of the machine when the exception was decided: it does not hold after a new name. Null: of no machine, or not known.
alter table missing_exception add column machine_name text;
update missing_exception as exception set machine_name =
  (select nullif(one ->> 'name', '') from machine_standing, jsonb_array_elements(identities) as one
   where machine_standing.client_id = exception.client_id and machine_standing.id = exception.machine_id
     and (one ->> 'id')::bigint = exception.identity limit 1)
where machine_id is not null;
