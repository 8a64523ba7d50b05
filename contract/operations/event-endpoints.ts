/** Events of the catalogue, for programs that ask for them. Channels deliver the same events. */
import { z } from 'zod';
import { integerText } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';

export const eventTypes = [
  'view.records',
  'machine.critical',
  'machine.overdue',
  'vulnerability.exploited',
  'source.failed',
  'source.silent',
  'quarantine.pending',
  'licence.ended',
  'exception.ending',
  'exception.ended',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The test of a channel, which only its deliveries show. */
export const channelTestType = 'channel.test';

/** Events that only administrators may read. */
export const adminEventTypes: readonly EventType[] = ['licence.ended'];

/** Events are removed after these days, and sooner when there are more than `maxEvents`. */
export const eventsKeptDays = 30;
export const maxEvents = 100_000;
/** The items of an event; more things make several events. */
export const maxEventItems = 100;
export const maxEventPage = 500;

const EventItem = z.object({
  name: z.string(),
  /** More about it: 'Severity: Critical'. */
  about: z.string(),
  /** Its page in the console; null without one. */
  url: z.string().nullable(),
});

export const CatalogueEvent = z.object({
  id: z.string().describe('Stays the same in every delivery of the event'),
  type: z.string().describe(`One of ${eventTypes.join(', ')}; later versions may add some`),
  timestamp: z.string().describe('ISO 8601, in UTC'),
  data: z.object({
    title: z.string().describe('What happened, in one sentence'),
    url: z.string().nullable().describe('A page of the console'),
    subject: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .describe('What it is about, for programs: source, list, viewId, clientId'),
    items: z.array(EventItem).max(maxEventItems),
    totalCount: z
      .number()
      .int()
      .describe('How many things it is about, of which `items` has the first'),
  }),
});
export type CatalogueEvent = z.infer<typeof CatalogueEvent>;

export const eventsEndpoint = defineEndpoint({
  name: 'events',
  summary: `Events after a cursor, in the order of their commits; they are kept for ${eventsKeptDays} days`,
  tag: 'Events',
  method: 'GET',
  path: '/events',
  access: 'standard',
  scope: 'events',
  query: z.strictObject({
    after: z
      .string()
      .max(100)
      .optional()
      .describe('The `next` of the last reply; absent: from the oldest event on'),
    limit: integerText.pipe(z.number().min(1).max(maxEventPage)).default(100),
  }),
  reply: z.object({
    objList: z.array(CatalogueEvent),
    next: z.string().describe('The cursor of the next call, also when there are no events'),
    more: z.boolean().describe('True when further events can be read at once'),
  }),
});
