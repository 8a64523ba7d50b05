/** The stream of changes of the sources. It is a separate file because every page of the console loads it. */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { SourceState } from './sync-endpoints.ts';

/** An event of `sync_events`: first all sources, then each source whose state has changed. */
export const SyncEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('sources'), data: z.object({ objList: z.array(SourceState) }) }),
  z.object({ event: z.literal('source'), data: SourceState }),
]);
export type SyncEvent = z.infer<typeof SyncEvent>;

export const syncEventsEndpoint = defineEndpoint({
  name: 'sync_events',
  summary: 'Changes of the state of the sources, as server-sent events',
  tag: 'Sync',
  method: 'GET',
  path: '/patchsync/events',
  access: 'standard',
  machines: 'none',
  reply: SyncEvent,
  streams: 'events',
});
