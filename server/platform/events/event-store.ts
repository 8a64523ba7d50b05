/** Stores events in the transaction that causes them, numbers them in the order of their commits, and removes old ones. */
import {
  adminEventTypes,
  type CatalogueEvent,
  channelTestType,
  type EventType,
  eventsKeptDays,
  maxEventItems,
  maxEvents,
} from '@patch/contract/operations/event-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../database/array-text.ts';
import type { Database, Queryable } from '../database/database.ts';
import { jsonText, plainText } from '../database/json-text.ts';
import { queryRows } from '../database/query-rows.ts';

export interface NewEventItem {
  readonly name: string;
  readonly about: string;
  /** Path of a page of the console; null without one. */
  readonly path: string | null;
}

export interface NewEvent {
  readonly type: EventType | typeof channelTestType;
  /** One sentence. */
  readonly title: string;
  readonly path: string | null;
  readonly subject: Readonly<Record<string, string | number>>;
  /** At most `maxEventItems`. */
  readonly items: readonly NewEventItem[];
  readonly totalCount: number;
  /** The only person who may read it; absent: everybody who may read events of the type. */
  readonly userId?: number;
  /** The only channels to send it to; absent: those that subscribe to its type. */
  readonly channels?: readonly number[];
}

/**
 * Returns the statement that stores an event for each row of `from`.
 * @param from - A relation; null: one event.
 * @param first - The number of the first parameter.
 */
export function eventInsert(
  event: NewEvent,
  now: number,
  { from = null, first = 1 }: { readonly from?: string | null; readonly first?: number } = {},
): { readonly text: string; readonly values: readonly unknown[] } {
  const { type, title, path, subject, items, totalCount, userId, channels } = event;
  const columns: readonly (readonly [cast: string, value: unknown])[] = [
    ['text', type],
    ['bigint', now],
    ['bigint', userId ?? null],
    ['bigint[]', channels === undefined ? null : arrayText(channels)],
    ['text', plainText(title)],
    ['text', path],
    ['jsonb', jsonText(subject)],
    ['jsonb', jsonText(items.slice(0, maxEventItems))],
    ['bigint', totalCount],
  ];
  const selected = columns.map(([cast], index) => `$${first + index}::${cast}`);
  return {
    text: `insert into event (type, created_time, user_id, channels, title, path, subject, items, total_count)
      select ${selected.join(', ')}${from === null ? '' : ` from ${from}`}`,
    values: columns.map(([, value]) => value),
  };
}

/** Requires the transaction of the change that causes the event, or a caller that finds the cause again after a crash. */
export async function addEvent(tx: Queryable, event: NewEvent, now: number): Promise<void> {
  const { text, values } = eventInsert(event, now);
  await tx.query(text, values);
}

/** Splits items into chunks that fit into one event each. */
export function chunkItems<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / maxEventItems) }, (_, index) =>
    items.slice(index * maxEventItems, (index + 1) * maxEventItems),
  );
}

const WaitingRow = z.object({ waits: z.boolean() });
const OrderRow = z.object({
  lastNumber: z.number(),
  removedNumber: z.number(),
});

/** The most events that one transaction numbers. */
const publishBatch = 1000;

/**
 * Numbers all committed events and queues their deliveries. A number is taken under a lock that lasts until its commit, so that a
 * reader of number 12 has seen all smaller ones.
 */
export async function publishEvents(database: Database): Promise<void> {
  while (await hasUnpublished(database))
    await database.transaction(async (tx) => {
      await tx.query(
        'insert into event_order (last_number, removed_number) select 0, 0 where not exists (select from event_order)',
      );
      await tx.query('select from event_order for update');
      await tx.query(
        `with numbered as (
           update event set number = waiting.number from (
             select id, (select last_number from event_order) + row_number() over (order by id) as number
             from event where number is null order by id limit ${publishBatch}
           ) as waiting where event.id = waiting.id
           returning event.id, event.number, event.type, event.title, event.channels, event.created_time
         ), queued as (
           insert into outbox (kind, channel_id, event_id, recipient, subject, body, queued_time, next_time)
           select 'Event', channel.id, numbered.id, channel.name, numbered.title, '', numbered.created_time, numbered.created_time
           from numbered join channel on enabled
             and case when numbered.channels is null then channel.types ? numbered.type else channel.id = any(numbered.channels) end
           order by numbered.number
         )
         update event_order set last_number = greatest(last_number, (select max(number) from numbered))`,
      );
    });
}

async function hasUnpublished(database: Queryable): Promise<boolean> {
  const rows = await queryRows(
    database,
    WaitingRow,
    'select exists (select from event where number is null) as waits',
  );
  return rows[0]?.waits === true;
}

/** Returns the newest number, and the number up to which events were removed. */
export async function readEventOrder(database: Queryable): Promise<z.infer<typeof OrderRow>> {
  const [row] = await queryRows(
    database,
    OrderRow,
    'select last_number as "lastNumber", removed_number as "removedNumber" from event_order',
  );
  // A database without the row has no event yet.
  return row ?? { lastNumber: 0, removedNumber: 0 };
}

const StoredItem = z.object({ name: z.string(), about: z.string(), path: z.string().nullable() });

export const StoredEvent = z.object({
  key: z.string(),
  type: z.string(),
  createdAt: z.number(),
  title: z.string(),
  path: z.string().nullable(),
  subject: z.record(z.string(), z.union([z.string(), z.number()])),
  items: z.array(StoredItem),
  totalCount: z.number(),
});
export type StoredEvent = z.infer<typeof StoredEvent>;

export const eventColumns = `event.key, event.type, event.created_time as "createdAt", event.title, event.path, event.subject, event.items, event.total_count as "totalCount"`;

const NumberedEvent = StoredEvent.extend({ number: z.number() });

/** Reads events with numbers above `after` and up to `upTo` that the person may read, in the order of numbers. */
export async function readEvents(
  database: Queryable,
  reader: { readonly id: number; readonly isAdmin: boolean },
  { after, upTo, limit }: { readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<readonly z.infer<typeof NumberedEvent>[]> {
  const hidden = [channelTestType, ...(reader.isAdmin ? [] : adminEventTypes)];
  return queryRows(
    database,
    NumberedEvent,
    `select ${eventColumns}, event.number from event
     where number > $1 and number <= $2 and (user_id is null or user_id = $3) and type <> all($4::text[]) order by number limit $5`,
    [after, upTo, reader.id, arrayText(hidden), limit],
  );
}

/** @param baseUrl - The address of the console; null: events have no links. */
export function toCatalogueEvent(
  { key, type, createdAt, title, path, subject, items, totalCount }: StoredEvent,
  baseUrl: string | null,
): CatalogueEvent {
  const toUrl = (target: string | null) =>
    target === null || baseUrl === null ? null : `${baseUrl}${target}`;
  return {
    id: `evt_${key.replaceAll('-', '')}`,
    type,
    timestamp: new Date(createdAt).toISOString(),
    data: {
      title,
      url: toUrl(path),
      subject,
      items: items.map((item) => ({ name: item.name, about: item.about, url: toUrl(item.path) })),
      totalCount,
    },
  };
}

const dayMs = 24 * 3_600_000;

/** Removes events that are older than the retention time, or beyond the largest number of events. */
export async function removeOldEvents(database: Database, now: number): Promise<void> {
  await database.query(
    `with removed as (
       delete from event where number is not null
         and (created_time < $1 or number <= (select last_number from event_order) - ${maxEvents}) returning number)
     update event_order set removed_number = greatest(removed_number, (select max(number) from removed))`,
    [now - eventsKeptDays * dayMs],
  );
}
