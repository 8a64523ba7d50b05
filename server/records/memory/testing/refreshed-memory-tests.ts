/**
 * After any sequence of changes of the catalogue and the fleet, each column of each list in memory equals the stored rows, as one read
 * anew does, and each condition of each field counts these rows. Reads fail and overlap with changes in between.
 */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Database, ListSource } from '../../../platform/database/database.ts';
import { columnsOfList, hasSealedFields } from '../../../platform/database/rows/list-columns.ts';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { buildSearchService } from '../../search/testing/build-search-service.ts';
import { SummaryService } from '../../summary/summary-service.ts';
import { ListMemories } from '../list-memories.ts';
import { fieldsInMemory } from '../list-memory.ts';
import {
  applyChange,
  beginCatalogue,
  type CatalogueChange,
  catalogueChange,
} from './catalogue-changes.ts';
import { DisturbedSource } from './disturbed-source.ts';
import { applyFleetChange, beginFleet, fleetChange } from './fleet-changes.ts';
import { findDifferences } from './memory-differences.ts';
import { readStoredList } from './stored-lists.ts';
import {
  type Answering,
  findWrongFacets,
  findWrongFlags,
  findWrongOrder,
} from './wrong-answers.ts';
import { countInMemory } from './wrong-conditions.ts';

const seed = Number(process.env['MEMORY_SEED'] ?? 20_261_120);
/** Finding the shortest failing sequence takes minutes. */
const shrinks = process.env['MEMORY_SHRINKS'] === 'true';
/** So few that most reads have several batches. */
const rowsPerBatch = 3;
/** Lists of which pages and exports are compared too. */
const pagedLists: readonly string[] = ['all_patches', 'vulnerabilities', 'patch_repository'];

const change = fc.oneof(
  { weight: 4, arbitrary: catalogueChange.map((own) => ({ of: 'catalogue' as const, own })) },
  { weight: 1, arbitrary: fleetChange.map((own) => ({ of: 'fleet' as const, own })) },
);
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

const step = fc.record({
  changes: fc.array(change, { minLength: 1, maxLength: 4, size: 'max' }),
  /** Happens within a read of all lists after the changes. Null: the database is lost. */
  disturbance: fc.option(fc.record({ after: fc.nat(12), change: fc.option(change) }), { freq: 2 }),
});

/** A catalogue whose risk was read once. */
const firstChanges: readonly CatalogueChange[] = [
  { kind: 'writeAll', keys: ['a', 'b', 'c'], seed: 2 },
  {
    kind: 'kev',
    cves: ['CVE-2024-1000', 'CVE-2024-2000'],
    isListed: true,
    ransomware: true,
    day: 1,
  },
  { kind: 'kevRead' },
  { kind: 'refreshRisk' },
];

/** Each kind of change once, of few records. */
const eachChange: readonly (readonly Change[])[] = [
  [{ of: 'fleet', own: { kind: 'report', client: 1, key: 'm1', seed: 3 } }],
  // Its id is smaller than that of the first machine.
  [{ of: 'fleet', own: { kind: 'report', client: 0, key: 'm1', seed: 4 } }],
  [{ of: 'fleet', own: { kind: 'judge' } }],
  [{ of: 'fleet', own: { kind: 'changeClient', client: 1, seed: 7 } }],
  [
    { of: 'fleet', own: { kind: 'remove', client: 1, key: 'm1' } },
    {
      of: 'catalogue',
      own: { kind: 'delete', list: 'debian_patch', keys: ['a'], isReplaced: true, seed: 1 },
    },
  ],
  [
    { of: 'catalogue', own: { kind: 'late', list: 'patch_repository', seed: 5 } },
    { of: 'catalogue', own: { kind: 'write', list: 'almalinux_patch', keys: ['b', 'e'], seed: 6 } },
  ],
  [
    { of: 'catalogue', own: { kind: 'late', list: 'patch_repository', seed: 6 } },
    { of: 'catalogue', own: { kind: 'withdraw', list: 'almalinux_patch', keys: ['b', 'c'] } },
  ],
  [
    {
      of: 'catalogue',
      own: { kind: 'kev', cves: ['CVE-2024-1000'], isListed: false, ransomware: null, day: 1 },
    },
    {
      of: 'catalogue',
      own: { kind: 'kev', cves: ['CVE-2024-3000'], isListed: true, ransomware: true, day: 2 },
    },
    { of: 'catalogue', own: { kind: 'write', list: 'almalinux_patch', keys: ['b'], seed: 8 } },
    { of: 'catalogue', own: { kind: 'refreshRisk' } },
  ],
  [
    { of: 'catalogue', own: { kind: 'nvd', cves: ['CVE-2024-4000'], score: 9.8, published: 2 } },
    {
      of: 'catalogue',
      own: { kind: 'epss', cves: ['CVE-2024-1000'], score: 0.5, isNewModel: true },
    },
    {
      of: 'catalogue',
      own: { kind: 'conclude', list: 'kb_repository', keys: ['a'], superseded: true },
    },
  ],
  [
    { of: 'catalogue', own: { kind: 'epssGone', cves: ['CVE-2024-1000'] } },
    { of: 'catalogue', own: { kind: 'rebuildIndex', list: 'patch_repository' } },
  ],
];

/** Reads every list with all of its texts. */
async function readLists(memories: ListMemories): Promise<void> {
  for (const list of catalogueLists) {
    const inMemory = new Set(fieldsInMemory(list));
    const columns = columnsOfList(list).flatMap(({ field, folded, joined, sealed, restricted }) =>
      folded === null || joined || sealed || restricted || inMemory.has(field) ? [] : folded,
    );
    const texts = hasSealedFields(list) ? [] : [...columns, 'keyword'];
    const toRead = texts.map((column) => ({ column, inOrder: column !== 'keyword' }));
    await memories.readTexts(list, toRead);
  }
}

interface Process extends Answering {
  readonly memories: ListMemories;
  /** The stored rows at the last comparison, by list. */
  readonly compared: Map<string, string>;
}

function startProcess(source: ListSource): Process {
  const memories = new ListMemories(source, { rowsPerBatch });
  const searchService = buildSearchService(source, { memories });
  const summaries = new SummaryService({ searchService, memories });
  return { memories, searchService, summaries, compared: new Map() };
}

async function findWrong(database: Database, process: Process): Promise<readonly string[]> {
  const { memories, compared } = process;
  const wrong: string[] = [];
  for (const list of catalogueLists) {
    const stored = await readStoredList(database, list);
    const { memory } = await memories.load(list);
    wrong.push(...findDifferences(memory, stored));
    const rows = JSON.stringify(stored.rows);
    if (compared.get(list.key) === rows) continue;
    compared.set(list.key, rows);
    if (!hasSealedFields(list)) wrong.push(...countInMemory(memory, stored).wrong);
    wrong.push(...(await findWrongFacets(process, stored)));
    wrong.push(...(await findWrongOrder(process, stored)));
    if (pagedLists.includes(list.key)) wrong.push(...(await findWrongFlags(process, stored)));
  }
  return wrong;
}

/** Registers the test of `sequences` random sequences, each with up to `maxReads` reads of all lists. */
export const testRefreshedMemory = (sequences: number, maxReads: number) =>
  describeWithDatabase('lists in memory', (open) => {
    let comparisons = 0;
    const run = async (
      steps: readonly (typeof step extends fc.Arbitrary<infer One> ? One : never)[],
    ) => {
      const database = await open();
      await beginCatalogue(database);
      const clients = await beginFleet(database);
      const source = new DisturbedSource(database);
      const process = startProcess(source);
      const { memories } = process;
      let now = 0;
      const apply = async ({ of, own }: Change) => {
        now += 1;
        if (of === 'fleet') await applyFleetChange(database, clients, own);
        else await applyChange(database, own, now);
      };
      for (const one of firstChanges) await apply({ of: 'catalogue', own: one });
      await readLists(memories);
      for (const { changes, disturbance } of steps) {
        for (const one of changes) await apply(one);
        if (disturbance !== null) {
          const { after, change: meanwhile } = disturbance;
          source.disturbAfter(after, () =>
            meanwhile === null
              ? Promise.reject(new Error('The database is lost'))
              : apply(meanwhile),
          );
          for (const list of catalogueLists) await memories.load(list).catch(() => undefined);
          source.calm();
          // Lists whose read failed are read again.
          await readLists(memories);
        }
        expect(await findWrong(database, process)).toEqual([]);
        comparisons += 1;
      }
      const anew = startProcess(database);
      await readLists(anew.memories);
      expect(await findWrong(database, anew)).toEqual([]);
    };

    test(`equal ones read anew (MEMORY_SEED=${seed})`, { timeout: 1_200_000 }, async () => {
      const steps = fc.array(step, { minLength: 2, maxLength: maxReads, size: 'max' });
      await fc.assert(fc.asyncProperty(steps, run), {
        seed,
        numRuns: sequences + 1,
        examples: [[eachChange.map((changes) => ({ changes: [...changes], disturbance: null }))]],
        endOnFailure: !shrinks,
      });
      expect(comparisons).toBeGreaterThan(eachChange.length + sequences);
    });
  });
