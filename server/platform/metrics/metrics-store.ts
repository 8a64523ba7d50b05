/** Reads counts of runs, mails and deliveries to channels for metrics. */
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import { query } from '../database/sql-statement.ts';

const CountByState = z.object({ state: z.string(), total: z.number() });
export type CountByState = z.infer<typeof CountByState>;

/** Counts stored runs only; old ones are removed after the retention time. */
export const countRunsByState = (database: Queryable) =>
  query.rows(database, CountByState)`select state, count(*) as total from sync_run group by state`;

export const countMailsByState = (database: Queryable) =>
  query.rows(database, CountByState)`
    select state, count(*) as total from outbox where channel_id is null group by state`;

const Publication = z.object({ publishedTime: z.number().nullable(), failed: z.boolean() });

/** Returns how the last publication of the catalogue went; null if it was never tried. */
export const readPublication = (database: Queryable) =>
  query.row(database, Publication)`
    select published_time as "publishedTime", failure is not null as failed from publishing_state`;

const DeliveryCount = CountByState.extend({ kind: z.string() });
export type DeliveryCount = z.infer<typeof DeliveryCount>;

export const countDeliveries = (database: Queryable) =>
  query.rows(database, DeliveryCount)`
    select channel.kind, state, count(*) as total from outbox join channel on channel.id = channel_id group by channel.kind, state`;
