/** Random changes of a catalogue, made by the writers of the product. A failing sequence can be shrunk: no change depends on an earlier one. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists, getList, type ListKey } from '@patch/catalogue/lists.ts';
import { type Chance, createChance, pick } from '@patch/catalogue/testing/chance.ts';
import fc from 'fast-check';
import {
  everyCve,
  markStale,
  onlyFacts,
  onlyScores,
} from '../../../platform/database/cves/cve-row-store.ts';
import { removeScores, writeScores } from '../../../platform/database/cves/epss-score-store.ts';
import { refreshStaleCves } from '../../../platform/database/cves/stale-cve-store.ts';
import type { Database } from '../../../platform/database/database.ts';
import { buildRecordIndex } from '../../../platform/database/records/build-record-index.ts';
import { writeConclusions } from '../../../platform/database/records/conclusion-writer.ts';
import { addToListed, raiseRevision } from '../../../platform/database/rows/list-revision-store.ts';
import {
  buildCveFacts,
  buildCvssScore,
  buildKevFacts,
  writeCveFacts,
} from '../../../testing/cve-factories.ts';
import { withdrawRecords, writeRecords } from '../../../testing/record-factories.ts';

export const vendorLists = catalogueLists.filter(({ source }) => source !== null);
const day = 86_400_000;
/** Ids from here on, so that a record with a smaller one can be committed later. */
const firstId = 1_000;

const keys = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const cves = [1, 2, 3, 4, 5, 6].map((n) => `CVE-2024-${n}000`);
const kbs = ['KB5000001', 'KB5000002', 'KB5000003'];
const words = ['openssl', 'Kernel', 'kernel rt', 'İstanbul', 'b', ''];
const concludingLists = vendorLists.filter(({ concluded }) => concluded !== undefined);

const someKeys = fc.subarray([...keys], { minLength: 1 });
const someCves = fc.subarray(cves, { minLength: 1 });
const someList = fc.constantFrom(
  ...vendorLists.map(({ key }) => key),
  'patch_repository' as const,
  'kb_repository' as const,
  'almalinux_patch' as const,
);
const flag = fc.constantFrom(true, false, null);
const seed = fc.nat(1e9);

const change = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      list: someList,
      keys: someKeys,
      seed,
    }),
  },
  fc.record({ kind: fc.constant('writeAll' as const), keys: someKeys, seed }),
  fc.record({ kind: fc.constant('withdraw' as const), list: someList, keys: someKeys }),
  fc.record({
    kind: fc.constant('delete' as const),
    list: someList,
    keys: someKeys,
    isReplaced: fc.boolean(),
    seed,
  }),
  fc.record({ kind: fc.constant('late' as const), list: someList, seed }),
  fc.record({
    kind: fc.constant('conclude' as const),
    list: fc.constantFrom(...concludingLists.map(({ key }) => key)),
    keys: someKeys,
    superseded: flag,
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('kev' as const),
      cves: someCves,
      isListed: fc.boolean(),
      ransomware: flag,
      day: fc.nat(3),
    }),
  },
  fc.record({ kind: fc.constant('kevRead' as const) }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('nvd' as const),
      cves: someCves,
      score: fc.constantFrom(null, 3, 7.5, 9.8),
      published: fc.nat(3),
    }),
  },
  fc.record({
    kind: fc.constant('epss' as const),
    cves: someCves,
    score: fc.constantFrom(0.1, 0.5, 0.9),
    isNewModel: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('epssGone' as const), cves: someCves }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('refreshRisk' as const) }) },
  fc.record({ kind: fc.constant('rebuildIndex' as const), list: someList }),
);
export type CatalogueChange = typeof change extends fc.Arbitrary<infer Change> ? Change : never;
export const catalogueChange: fc.Arbitrary<CatalogueChange> = change;

/** Prepares an empty database. */
export async function beginCatalogue(database: Database): Promise<void> {
  // As the sync worker does at its start.
  await buildRecordIndex({ database });
  for (const { key } of vendorLists) await setNextId(database, key, firstId);
}

const setNextId = (database: Database, list: ListKey, id: number) =>
  database.query(`select setval(pg_get_serial_sequence('${list}', 'id'), $1)`, [id]);

type Appliers = {
  readonly [K in CatalogueChange['kind']]: (
    database: Database,
    change: Extract<CatalogueChange, { kind: K }>,
    now: number,
  ) => Promise<unknown>;
};

const appliers: Appliers = {
  write: (database, { list: key, keys: own, seed: seeded }, now) =>
    writeContent(database, { list: key, keys: own, seed: seeded }, now),
  async writeAll(database, { keys: own, seed: seeded }, now) {
    for (const [index, { key }] of vendorLists.entries())
      await writeContent(database, { list: key, keys: own, seed: seeded + index }, now);
  },
  withdraw: async (database, { list: key, keys: own }, now) =>
    withdrawRecords(database, key, await readIds(database, key, own), now),
  async delete(database, { list: key, keys: own, isReplaced, seed: seeded }, now) {
    const ids = await readIds(database, key, own);
    await database.transaction(async (tx) => {
      await raiseRevision(tx, getList(key), 0);
      await addToListed(tx, getList(key), -ids.length);
      await raiseRevision(tx, getList('all_patches'), 0);
      const { count } = await tx.query('delete from record where id = any($1::bigint[])', [ids]);
      await addToListed(tx, getList('all_patches'), -count);
    });
    const replacing = isReplaced ? ids.map((id) => `instead of ${id}`) : [];
    await writeContent(database, { list: key, keys: replacing, seed: seeded }, now);
  },
  async late(database, { list: key, seed: seeded }, now) {
    const { rows } = await database.query(`select max(id) as last, min(id) as first from ${key}`);
    const { last, first } = rows[0] ?? {};
    if (typeof last !== 'number' || typeof first !== 'number') return;
    await setNextId(database, key, first - 2);
    await writeContent(database, { list: key, keys: [`late ${first}`], seed: seeded }, now);
    await setNextId(database, key, last);
  },
  conclude: (database, { list: key, keys: own, superseded }, now) =>
    database.transaction((tx) =>
      writeConclusions(
        tx,
        getList(key),
        own.map((name) => ({ key: name, values: { superseded }, hash: `concluded ${superseded}` })),
        now,
      ),
    ),
  kev: (database, { cves: own, isListed, ransomware, day: since }) =>
    writeCveFacts(
      database,
      ...own.map((cve) =>
        isListed
          ? buildKevFacts(cve, { ransomware, dateAdded: since * day, name: `A flaw ${since}` })
          : ({ of: 'kev', cve, facts: null, hash: '' } as const),
      ),
    ),
  // As the first run of the source, before which no CVE is known not to be exploited.
  async kevRead(database) {
    await database.query(
      "insert into feed_part (source, part, feed_version, read_time) values ('kev', 'all', 1, 1) on conflict do nothing",
    );
    await database.transaction((tx) => markStale(tx, [everyCve], onlyFacts));
  },
  nvd: (database, { cves: own, score, published }, now) =>
    writeCveFacts(
      database,
      ...own.map((cve) =>
        buildCveFacts(cve, {
          lastModified: now,
          published: published * day,
          scores: score === null ? [] : [buildCvssScore({ score })],
        }),
      ),
    ),
  async epss(database, { cves: own, score, isNewModel }, now) {
    const folded = own.map((cve) => cve.toLowerCase());
    const scores = folded.map((cve) => ({
      kind: 'epss' as const,
      cve,
      epss: score,
      percentile: score,
    }));
    await database.transaction(async (tx) => {
      await writeScores(tx, scores, { stale: isNewModel ? null : new Set(folded), now });
      if (isNewModel) await markStale(tx, [everyCve], onlyScores);
    });
  },
  epssGone: (database, { cves: own }) =>
    database.transaction((tx) =>
      removeScores(
        tx,
        own.map((cve) => cve.toLowerCase()),
        true,
      ),
    ),
  refreshRisk: (database) => refreshStaleCves(database),
  async rebuildIndex(database, { list: key }) {
    await database.query('delete from record_index_state where list = $1', [key]);
    await buildRecordIndex({ database });
  },
};

/** @param now - Grows with each change. */
export async function applyChange(
  database: Database,
  one: CatalogueChange,
  now: number,
): Promise<void> {
  await appliers[one.kind](database, one as never, now);
}

async function readIds(database: Database, key: ListKey, own: readonly string[]) {
  const { rows } = await database.query(
    `select id from ${key} where withdrawn_time is null and natural_key = any($1::text[])`,
    [own],
  );
  return rows.map(({ id }) => Number(id));
}

function writeContent(
  database: Database,
  { list: key, keys: own, seed: seeded }: { list: ListKey; keys: readonly string[]; seed: number },
  now: number,
) {
  const content = randomContent(getList(key), createChance(seeded));
  return writeRecords(
    database,
    key,
    own.map((name) => ({ key: name, ...content() })),
    now,
  );
}

/** Returns a function that makes rows with values of every kind for every field that a feed writes. */
function randomContent({ fields, key }: ListDefinition, chance: Chance) {
  const some = <T>(values: readonly T[]) => values.filter(() => chance() < 0.4);
  const own = Object.keys(fields).filter((name) => {
    const { stamped, joined, risk, alsoVendor } = getField({ fields } as ListDefinition, name);
    return stamped === undefined && joined !== true && (risk === undefined || alsoVendor === true);
  });
  const makeValue = (name: string): unknown => {
    const { kind, choices = [] } = fields[name] ?? { kind: 'text' };
    if (name === 'kbId') return pick([...kbs, null], chance);
    if (name === 'cve') return some(cves);
    if (chance() < 0.15) return null;
    switch (kind) {
      case 'flag':
        return chance() < 0.5;
      case 'date':
        return Math.floor(chance() * 5) * day;
      case 'number':
      case 'size':
      case 'decimal':
        return Math.floor(chance() * 4);
      case 'choice':
        return pick([...choices.map(String), 'Unheard of'], chance);
      case 'identifiers':
      case 'tags':
        return some(['one', 'Two', 'three four']);
      default:
        return pick(words, chance);
    }
  };
  return () => {
    const row = Object.fromEntries(own.map((name) => [name, makeValue(name)]));
    const named = some(cves);
    const stated = named.map((cve) => ({ cve, cvss: pick([null, '3', '8'], chance) }));
    return {
      row,
      detail: { cve: named, ...(key === 'patch_repository' && { vulnerabilities: stated }) },
    };
  };
}
