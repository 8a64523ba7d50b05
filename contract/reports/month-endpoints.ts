/** A month of updates: what is new by source and product, what changed since a day, and what the sources may not have read yet. */
import { getList } from '@patch/catalogue/lists.ts';
import { sourceKeys, vendorSourceKeys } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import { instant, integerText } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { OwnProducts } from '../base/product-choice.ts';
import { rowSchema } from '../base/row-schema.ts';
import { monthPattern } from '../dates/calendar-month.ts';
import { RunState } from '../sources/sync-endpoints.ts';
import { Figure } from './dashboard-endpoint.ts';

/** Updates of a source in a reply, in the order of what to patch first. */
export const maxMonthUpdates = 100;
/** Products of a source in a reply. */
export const maxMonthProducts = 40;
/** Changed, and withdrawn, records in a reply. */
export const maxMonthChanges = 100;

const MonthParams = z.object({
  month: z.string().regex(monthPattern, 'must be a month such as 2026-06'),
});
const MonthScope = z.strictObject({
  products: z
    .enum(['all', 'mine'])
    .default('all')
    .describe("mine: only updates of the caller's products, which a preference names"),
});
const MonthQuery = MonthScope.extend({
  since: integerText.pipe(instant).optional().describe('Adds the difference to this time'),
});

const ChangedRecord = z.object({
  list: z.string(),
  id: z.number().int(),
  name: z.string(),
  title: z.string().nullable(),
  time: instant.describe('When this repository read the change'),
  run: z.number().int().nullable().describe('The sync run that read it; null: not kept any more'),
  source: z.enum(sourceKeys).nullable().describe('Of the run'),
  fields: z.array(z.string()).describe('What changed, by the name of the field'),
});
export type ChangedRecord = z.infer<typeof ChangedRecord>;

const ChangedRecords = z.object({
  totalCount: z.number().int(),
  records: z.array(ChangedRecord).describe(`The last ${maxMonthChanges}, the last change first`),
});
export type ChangedRecords = z.infer<typeof ChangedRecords>;

const feedStates = ['read', 'warnings', 'behind', 'failed', 'never', 'off'] as const;
const MonthFeed = z.object({
  source: z.enum(sourceKeys),
  label: z.string(),
  state: z
    .enum(feedStates)
    .describe(
      'read: synced since the release; warnings: too, but the run could not read everything; behind: no successful sync since the release; failed: the newest run did not succeed',
    ),
  lastSuccessAt: instant.nullable(),
  run: z.object({ id: z.number().int(), state: RunState }).nullable().describe('The newest'),
});
export type MonthFeed = z.infer<typeof MonthFeed>;

export const feedWords: Readonly<Record<MonthFeed['state'], string>> = {
  read: 'synced since the release',
  warnings: 'synced since the release, but not everything could be read',
  behind: 'not synced since the release',
  failed: 'the last sync did not succeed',
  never: 'never synced',
  off: 'switched off',
};

const MonthSource = z.object({
  source: z.enum(vendorSourceKeys),
  label: z.string(),
  figure: Figure,
  exploited: Figure,
  critical: Figure,
  superseded: Figure,
});
export type MonthSource = z.infer<typeof MonthSource>;

export const Month = z.object({
  month: z.string(),
  from: instant,
  to: instant.describe('The first moment of the next month'),
  countedAt: instant.describe('When the numbers were read'),
  own: OwnProducts.nullable().describe(
    'Null: all products were asked for, or nothing was chosen and no machine reports. Without a name all are shown too',
  ),
  everything: Figure.describe('All updates of the month, of whatever product'),
  figure: Figure.describe('The updates of the products that were asked for'),
  exploited: Figure,
  publiclyKnown: Figure.describe('Says Microsoft, of its own updates; other sources say nothing'),
  critical: Figure,
  superseded: Figure.describe('Updates of the month that another one replaces by now'),
  withoutProduct: Figure.describe("Updates that name no product: never among the caller's"),
  days: z
    .array(z.object({ label: z.string(), figure: Figure }))
    .describe("Microsoft's updates before, on and after the second Tuesday"),
  sources: z.array(MonthSource).describe('Those with an update in the month'),
  withdrawn: ChangedRecords.describe('Records of the month that the vendor no longer lists'),
  difference: z
    .object({ since: instant, added: Figure, changed: ChangedRecords })
    .nullable()
    .describe('What this repository read since the time; null: none was asked for'),
  readUntil: instant.describe('A source that was synced since this time has read the release'),
  feeds: z.array(MonthFeed),
});
export type Month = z.infer<typeof Month>;

const MonthUpdate = z.object({
  row: rowSchema(getList('all_patches')),
  fix: z.string().nullable().describe('The KB with its build, the package with its version'),
  builds: z.array(z.string()),
  size: z.number().nullable().describe('Bytes'),
  restart: z.string().nullable().describe("The vendor's words about a restart. Null: not stated"),
  supersedes: z.array(z.string()),
  install: z.string().nullable().describe('The KB to install in its place by now'),
  knownIssues: z.number().int().nullable().describe('Null: none stated'),
  publiclyKnown: z.boolean().nullable().describe('Null: not stated'),
  changedTime: instant.describe('When this repository last read a change of the record'),
});
export type MonthUpdate = z.infer<typeof MonthUpdate>;

const MonthProduct = z.object({
  names: z.array(z.string()).describe('Products with the same updates; none: no product is named'),
  figure: Figure,
  updates: z.array(z.number().int()).describe('Ids of rows in `updates`'),
});
export type MonthProduct = z.infer<typeof MonthProduct>;

export const MonthOfSource = z.object({
  source: z.enum(vendorSourceKeys),
  label: z.string(),
  figure: Figure,
  updates: z
    .array(MonthUpdate)
    .describe(`The first ${maxMonthUpdates} in the order patchFirst of All patches`),
  products: z
    .array(MonthProduct)
    .describe(`At most ${maxMonthProducts}, then the updates that name no product`),
  furtherProducts: z.number().int().describe('Products of these updates that are left out'),
});
export type MonthOfSource = z.infer<typeof MonthOfSource>;

const readers = {
  tag: 'Months',
  method: 'GET',
  access: 'standard',
  machines: 'own',
  scope: 'read',
} as const;

export const monthEndpoint = defineEndpoint({
  ...readers,
  name: 'month',
  summary:
    'What was released in a month, what changed since a time, and which sources have read it',
  path: '/months/{month}',
  params: MonthParams,
  query: MonthQuery,
  reply: Month,
});

export const monthOfSourceEndpoint = defineEndpoint({
  ...readers,
  name: 'month_of_source',
  summary: 'The updates of a source in a month, by product, what to patch first before the others',
  path: '/months/{month}/sources/{source}',
  params: MonthParams.extend({ source: z.enum(vendorSourceKeys) }),
  query: MonthScope,
  reply: MonthOfSource,
});

export const monthFormats = ['md', 'csv'] as const;
export type MonthFormat = (typeof monthFormats)[number];

export const monthFileEndpoint = defineEndpoint({
  ...readers,
  name: 'month_file',
  summary: 'A month as a change request in Markdown, or its updates as CSV',
  path: '/months/{month}/file',
  params: MonthParams,
  query: MonthQuery.extend({ format: z.enum(monthFormats) }),
  reply: z.string(),
  streams: 'file',
});
