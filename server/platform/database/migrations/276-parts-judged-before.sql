-- Whether the part was ever judged. One that never was has no machine that is counted already: its judgement marks nothing to be counted again.
alter table inventory_part add column judged_before boolean not null default true;
alter table inventory_part alter column judged_before set default false;
