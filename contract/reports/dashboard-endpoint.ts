/** The dashboard's figures, each with the criteria of a list that reproduces it. */
import { getList } from '@patch/catalogue/lists.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { OwnProducts } from '../base/product-choice.ts';
import { rowSchema } from '../base/row-schema.ts';
import { FieldCriterion } from '../filter/criterion.ts';

const when = z.number().int().describe('Epoch milliseconds');

/** A number of records, and the search with that total. */
export const Figure = z.object({
  list: z.string(),
  criteria: z.array(FieldCriterion),
  totalCount: z.number().int(),
  /** Updates among the records, each counted once. */
  updateCount: z.number().int(),
});
export type Figure = z.infer<typeof Figure>;

const Patches = z.object({
  figure: Figure,
  rows: z.array(rowSchema(getList('all_patches'))).describe('The first five'),
});
const Cves = z.object({
  figure: Figure,
  rows: z.array(rowSchema(getList('vulnerabilities'))).describe('The first five'),
});

const News = z.object({
  since: when,
  sinceReason: z
    .enum(['last_visit', 'first_visit'])
    .describe(
      'last_visit: the end of the previous visit of the dashboard; a visit ends after 30 minutes without opening it. first_visit: there was none; the last seven days',
    ),
  isFirstSync: z
    .boolean()
    .describe(
      'The catalogue was filled for the first time since then, so that nothing counts as new',
    ),
  cves: Cves.nullable().describe(
    'CVEs that the repository read since then as known exploited, of the last 30 days before; at most the newest 200',
  ),
  fixes: Figure.nullable().describe('The patches that name one of these CVEs'),
  patches: Patches.describe(
    'Patches that were first seen since then and name an exploited CVE, of the last 30 days before',
  ),
});
export type News = z.infer<typeof News>;

const RankedUpdate = z.object({
  row: rowSchema(getList('all_patches')),
  machines: Figure.nullable().describe('The machines that miss it. Null: none is known to'),
  closes: z
    .array(z.number().int())
    .describe('Ids in All patches of the other updates that machines miss and that it closes'),
  closesExploited: z.number().int().describe('Known exploited ones of these'),
  exploitedCves: z.number().int().describe('CVEs of the record that are known exploited'),
  exploitedSince: when
    .nullable()
    .describe('The day on which CISA listed the last one of these. Null: it lists none'),
  replaces: z.number().int().nullable().describe('Updates that it replaces. Null: not stated'),
  restart: z.string().nullable().describe("The vendor's words about a restart. Null: not stated"),
  knownIssues: z.number().int().nullable().describe('Null: none stated'),
});
export type RankedUpdate = z.infer<typeof RankedUpdate>;

const PatchFirst = z.object({
  own: OwnProducts.nullable().describe(
    "The products that the ranking is for: the user's choice, else those of the reported machines. Without names here, and where null, it is for all products. Null: nothing was chosen and no machine reports, or all products were requested",
  ),
  figure: Figure.describe('All updates in the ranking'),
  others: Figure.nullable().describe(
    'The updates that name none of these products. Null: the ranking is for all products',
  ),
  updates: z
    .array(RankedUpdate)
    .describe(
      'The first ten in the order patchFirst of All patches, for these products, without superseded ones. What is to be installed on machines comes before, in the order of what it closes, whatever its products',
    ),
  backlog: z
    .object({ exploited: Figure, critical: Figure })
    .describe(
      'Updates against exploited CVEs, and critical ones, that nothing is known to replace',
    ),
});
export type PatchFirst = z.infer<typeof PatchFirst>;

const CriticalOfVendor = z.object({
  vendor: z.string().nullable().describe('Null: all others together'),
  figure: Figure,
});
export type CriticalOfVendor = z.infer<typeof CriticalOfVendor>;

const WeekOfPatches = z.object({
  from: when.describe(
    "Monday of the caller's calendar, a day: epoch milliseconds, of which the day in UTC counts",
  ),
  to: when.describe('The first moment of the next week'),
  figure: Figure,
  severities: z.array(z.object({ severity: z.enum(severities), figure: Figure })),
});
export type WeekOfPatches = z.infer<typeof WeekOfPatches>;

const ClientFigures = z.object({
  /** Clients whose licence ends within 30 days, and clients whose licence has ended. */
  licencesEnding: Figure,
  licencesEnded: Figure,
  /** Registered clients that have not updated their repository for 7 days. */
  silentClients: Figure,
  clients: Figure,
});
export type ClientFigures = z.infer<typeof ClientFigures>;

const zone = z.string().max(100).optional().describe('IANA name: where days begin. Absent: UTC');

const DashboardFigures = ClientFigures.extend({
  patchFirst: PatchFirst,
  news: News,
  /** Critical patches of the last 30 days. */
  critical: z.array(CriticalOfVendor),
  /** The last twelve, the oldest first. */
  weeks: z.array(WeekOfPatches),
});
export type DashboardFigures = z.infer<typeof DashboardFigures>;

export const dashboardEndpoint = defineEndpoint({
  name: 'dashboard',
  summary:
    'What to patch first, what is new and exploited, critical patches by vendor, weeks and clients',
  tag: 'Dashboard',
  method: 'GET',
  path: '/dashboard',
  access: 'standard',
  machines: 'own',
  scope: 'read',
  query: z.strictObject({
    timeZone: zone,
    products: z
      .enum(['all', 'mine'])
      .default('mine')
      .describe(
        "mine: the ranking is for the user's products, which the preference `products` of the frame has",
      ),
  }),
  reply: DashboardFigures,
});

export const dashboardVisitEndpoint = defineEndpoint({
  name: 'visit_dashboard',
  summary:
    'Note that the current user looks at the dashboard. After half an hour without a note, the visit has ended and what comes is new',
  tag: 'Dashboard',
  method: 'POST',
  path: '/dashboard/visits',
  access: 'standard',
  machines: 'own',
  reply: z.object({ recorded: z.literal(true) }),
});
