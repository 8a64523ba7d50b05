/** The figures of the home dashboard; each comes with the criteria of the list that proves it. */
import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { FieldCriterion } from './filter/criterion.ts';
import { noBody, noParams } from './no-input.ts';
import { Run } from './sync-endpoints.ts';

/** A number of records and the search whose total it is. */
export const Figure = z.object({
  list: z.string(),
  criteria: z.array(FieldCriterion),
  totalCount: z.number().int(),
  /** How many updates the records are about: one that several records are about counts once. */
  updateCount: z.number().int(),
});
export type Figure = z.infer<typeof Figure>;

export const dashboardEndpoint = defineEndpoint({
  name: 'dashboard',
  summary: 'New critical updates, last runs, licences near expiry and silent clients',
  tag: 'Dashboard',
  method: 'GET',
  path: '/dashboard',
  access: 'standard',
  scope: 'read',
  params: noParams,
  /** IANA name: where days begin. UTC when absent. */
  query: z.strictObject({ timeZone: z.string().max(100).optional() }),
  body: noBody,
  reply: z.object({
    /** Of every family with a severity, by its first list. */
    critical: z.array(z.object({ list: z.string(), last7Days: Figure, last30Days: Figure })),
    /** The newest runs of all sources, at most ten. */
    runs: z.array(Run),
    /** Clients whose licence ends within 30 days, and those whose licence has ended. */
    licencesEnding: Figure,
    licencesEnded: Figure,
    /** Registered clients that have not updated their repository for 7 days. */
    silentClients: Figure,
    clients: Figure,
  }),
});
