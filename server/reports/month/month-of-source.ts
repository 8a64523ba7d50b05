/** The updates of a source in a month: what to patch first before the others, with what people weigh before they install it. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { patchFirst } from '@patch/catalogue/records/all-patches-list.ts';
import { fixedIn } from '@patch/catalogue/records/fixed-in.ts';
import { findInstallFields } from '@patch/catalogue/records/install-fields.ts';
import { readUpdateFacts } from '@patch/catalogue/records/update-facts.ts';
import { sourceLabels, type VendorSourceKey } from '@patch/catalogue/sources.ts';
import { rowSchema, type WireRow } from '@patch/contract/base/row-schema.ts';
import { largestPage } from '@patch/contract/records/search-endpoint.ts';
import {
  type MonthOfSource,
  type MonthUpdate,
  maxMonthProducts,
  maxMonthUpdates,
} from '@patch/contract/reports/month-endpoints.ts';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { readDetail } from '../../records/details/detail-store.ts';
import type { SearchStore } from '../../records/search/search-store.ts';
import { createCriteriaSearch, type UpdateCounts } from '../../records/search/update-counts.ts';
import {
  allPatches,
  countMonth,
  isOf,
  listsOfSource,
  type MonthScope,
  monthCriteria,
  namesNoProduct,
  publiclyKnownCriteria,
  windowsKbs,
} from './month-scope.ts';

export interface MonthOfSourceParts {
  readonly database: Database;
  readonly store: SearchStore;
  readonly counts: UpdateCounts;
}

const Rows = z.array(rowSchema(allPatches));

export async function readMonthOfSource(
  { database, store, counts }: MonthOfSourceParts,
  scope: MonthScope,
  source: VendorSourceKey,
): Promise<MonthOfSource> {
  const lists = listsOfSource(source);
  const search = createCriteriaSearch(allPatches, monthCriteria(scope, lists), scope.when, {
    size: maxMonthUpdates,
    sort: patchFirst,
  });
  const { rows: text, total } = await store.find(search);
  const rows = Rows.parse(JSON.parse(`[${text}]`));
  const groups = groupByProduct(rows, scope.products, { isComplete: total === rows.length });
  const named = groups.filter(({ names }) => names.length > 0);
  const unnamed = groups.filter(({ names }) => names.length === 0);
  const products = await Promise.all(
    [...named.slice(0, maxMonthProducts), ...unnamed].map(async ({ names, updates: ids }) => {
      const product = names.length === 0 ? namesNoProduct : isOf('release', names);
      return { names, updates: ids, figure: await countMonth(counts, scope, lists, product) };
    }),
  );
  const publiclyKnown = source === 'wsus' ? await findPubliclyKnown(store, scope) : new Set();
  const updates = await Promise.all(
    rows.map(async (row) => {
      const update = await readUpdate(database, row);
      return publiclyKnown.has(row['identifier']) ? { ...update, publiclyKnown: true } : update;
    }),
  );
  return {
    source,
    label: sourceLabels[source],
    figure: await countMonth(counts, scope, lists),
    updates,
    products,
    furtherProducts: named.slice(maxMonthProducts).flatMap(({ names }) => names).length,
  };
}

const KbRows = z.array(z.object({ kbId: z.string().nullable() }));

/** KBs that are so for one of their products, of which the row may show another. */
async function findPubliclyKnown(
  store: SearchStore,
  scope: MonthScope,
): Promise<ReadonlySet<unknown>> {
  const search = createCriteriaSearch(windowsKbs, publiclyKnownCriteria(scope), scope.when, {
    size: largestPage,
  });
  const { rows } = await store.find(search);
  return new Set(KbRows.parse(JSON.parse(`[${rows}]`)).map(({ kbId }) => kbId));
}

interface ProductGroup {
  readonly names: string[];
  readonly updates: number[];
}

/**
 * Returns products in the order of their first update. Products with the same updates are one group, unless only the first updates
 * are known: later ones may differ.
 */
export function groupByProduct(
  rows: readonly WireRow[],
  asked: readonly string[] | null,
  { isComplete }: { readonly isComplete: boolean },
): readonly ProductGroup[] {
  const allowed = asked === null ? null : new Set(asked.map(fold));
  const byProduct = new Map<string | null, { readonly name: string | null; updates: number[] }>();
  for (const row of rows) {
    const names = new Map(readWords(row['release']).map((name) => [fold(name), name]));
    const own = names.size === 0 ? [[null, null] as const] : [...names];
    for (const [key, name] of own) {
      if (allowed !== null && (key === null || !allowed.has(key))) continue;
      const product = byProduct.get(key) ?? { name, updates: [] };
      product.updates.push(row.id);
      byProduct.set(key, product);
    }
  }
  const groups = new Map<string, ProductGroup>();
  for (const { name, updates } of byProduct.values()) {
    const key = isComplete && name !== null ? updates.join(' ') : `product ${name}`;
    const group = groups.get(key) ?? { names: [], updates };
    if (name !== null) group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()];
}

const readWords = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : [];

async function readUpdate(database: Database, row: WireRow): Promise<MonthUpdate> {
  const list = getList(String(row['list']) as ListKey);
  const detail = (await readDetail(database, list, Number(row['recordId']), null)) ?? {
    id: row.id,
  };
  const values: Readonly<Record<string, unknown>> = detail;
  const { build, size } = findInstallFields(list);
  const { restart, knownIssues } = readUpdateFacts(list, values);
  const install = values['kbIdToBeInstalled'];
  const builds = build === undefined ? null : values[build];
  const bytes = size === undefined ? null : values[size];
  const disclosed = values['publiclyDisclosed'];
  return {
    row,
    fix: fixedIn(list, detail, values, readWords(row['release'])[0] ?? null),
    builds: typeof builds === 'string' ? [builds] : [...readWords(builds)],
    size: typeof bytes === 'number' ? bytes : null,
    restart,
    supersedes: [...readWords(values['supersedes'])],
    install: typeof install === 'string' && install !== row['identifier'] ? install : null,
    knownIssues,
    publiclyKnown: typeof disclosed === 'boolean' ? disclosed : null,
    changedTime: Number(values['changedTime'] ?? 0),
  };
}
