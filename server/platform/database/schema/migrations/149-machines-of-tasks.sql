-- The machines of a task as a set of numbers (server/fleet/parts/number-set.ts): a byte or two for each in place of eight, which
-- PostgreSQL compressed when a plan was stored.
create function pg_temp.encode_numbers(numbers bigint[]) returns bytea language plpgsql as $$
declare
  bytes text := '';
  before bigint := 0;
  number bigint;
  rest bigint;
begin
  foreach number in array numbers loop
    rest := number - before;
    before := number;
    while rest > 127 loop
      bytes := bytes || lpad(to_hex((rest & 127) | 128), 2, '0');
      rest := rest >> 7;
    end loop;
    bytes := bytes || lpad(to_hex(rest), 2, '0');
  end loop;
  return decode(bytes, 'hex');
end $$;

alter table machine_plan_task alter column machines type bytea using pg_temp.encode_numbers(machines);

drop function pg_temp.encode_numbers(bigint[]);
