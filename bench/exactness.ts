/**
 * Random searches, answered as the service answers them (kept pages, lists in memory, else the database) and by the database alone,
 * while another connection writes, changes and withdraws records: npm run bench -- --only exactness [--searches 100000] [--rows 20000].
 */
import { randomBytes } from 'node:crypto';
import { fieldOf } from '@patch/catalogue/definition/list-definition.ts';
import { listOfKey } from '@patch/catalogue/lists.ts';
import { contentHash } from '@patch/server/platform/database/content-hash.ts';
import type { Database } from '@patch/server/platform/database/database.ts';
import { withdraw, writeEntries } from '@patch/server/platform/database/entry-writer.ts';
import { secretBox } from '@patch/server/platform/secrets/secret-box.ts';
import { readSearch, type Search } from '@patch/server/records/criteria/search-request.ts';
import { HeldSearches } from '@patch/server/records/memory/held-searches.ts';
import { ListMemories } from '@patch/server/records/memory/list-memories.ts';
import { isSameStamp } from '@patch/server/records/memory/list-stamps.ts';
import { PageCache } from '@patch/server/records/search/page-cache.ts';
import { SearchDesk } from '@patch/server/records/search/search-desk.ts';
import { SearchStore } from '@patch/server/records/search/search-store.ts';
import { pick, type Random, seededRandom } from '@patch/server/testing/odd-catalogue.ts';
import {
  conditionText,
  type PlainFields,
  type PlainRow,
} from '@patch/server/testing/plain-search.ts';
import { randomSearch } from '@patch/server/testing/random-search.ts';
import { type BenchDatabase, loadLists, onEach, onEmptyFolder } from './bench-database.ts';
import type { BenchRun } from './bench-run.ts';
import { madeEntry } from './errata-generator.ts';

export interface ExactnessResult {
  readonly database: string;
  readonly rows: number;
  readonly seed: number;
  /** Of which both answers were given at one revision of the list. */
  readonly compared: number;
  /** Left out: each time they were asked a write came between the two answers. */
  readonly overtaken: number;
  /** Which could be answered from memory. */
  readonly held: number;
  /** Which found at least one record. */
  readonly found: number;
  /** Transactions that wrote meanwhile. */
  readonly writes: number;
  /** Searches whose answers differ; the run ends with the first. */
  readonly differing: readonly string[];
}

const list = listOfKey('almalinux_patch');
const caller = { user: 'bench', signal: new AbortController().signal };
/** A share of the searches is asked again, as readers do: pages are kept from the second time on. */
const shareAsked = 0.4;
const rememberedSearches = 60;
/** Rows of a write, and the pause after it in milliseconds. */
const written = 40;
const pauseMs = 150;
const tries = 8;
const sampled = 500;

export const benchExactness = (run: BenchRun): Promise<readonly ExactnessResult[]> =>
  onEach(run, (database) => exactnessOf(run, database), onEmptyFolder('exactness'));

async function exactnessOf(run: BenchRun, benched: BenchDatabase): Promise<ExactnessResult> {
  const { rows, seed, searches: wanted, say } = run;
  await loadLists(run, benched);
  const database = await benched.open();
  const random = seededRandom(seed);
  const memories = new ListMemories(database);
  const searches = new HeldSearches(memories);
  const pages = new PageCache(memories.stamps);
  const desk = new SearchDesk({ database, box: secretBox(randomBytes(32)), searches, pages });
  const plain = new SearchStore(database);
  const ask = drawSearches(random, await sampleOf(plain, random, rows));
  const writer = keepWriting(database, seededRandom(seed + 1), rows);
  const counts = { compared: 0, overtaken: 0, held: 0, found: 0 };
  const differing: string[] = [];
  try {
    for (let n = 0; n < wanted && differing.length === 0; n += 1) {
      const { search, body } = ask();
      await searches.prepare(search);
      if (desk.store.isHeld(search)) counts.held += 1;
      const both = await atOneRevision(memories, async () => ({
        served: await desk.find(caller, search),
        asked: await plain.find(search),
      }));
      if (both === null) {
        counts.overtaken += 1;
        continue;
      }
      counts.compared += 1;
      counts.found += Math.min(1, both.asked.total);
      if (both.served.total !== both.asked.total || both.served.rows !== both.asked.rows)
        differing.push(
          `search ${n}: ${JSON.stringify(body)} ${both.served.total} in place of ${both.asked.total}`,
        );
      if ((n + 1) % 5_000 === 0)
        say(`${benched.name}: ${n + 1} searches, ${writer.writes()} writes`);
    }
  } finally {
    await writer.stop();
    await database.close();
  }
  return { database: benched.name, rows, seed, ...counts, writes: writer.writes(), differing };
}

/** Both answers, when no write came between them; null: there was always one. */
async function atOneRevision<T>(
  memories: ListMemories,
  answer: () => Promise<T>,
): Promise<T | null> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const before = await memories.stamps.of(list);
    const answers = await answer();
    if (isSameStamp(before, await memories.stamps.of(list))) return answers;
  }
  return null;
}

/** Rows from which conditions take their values. */
async function sampleOf(
  store: SearchStore,
  random: Random,
  rows: number,
): Promise<readonly PlainRow[]> {
  const offset = Math.floor(random() * Math.max(1, rows - sampled));
  const { rows: found } = await store.find(readSearch(list, { offset, size: sampled }, {}));
  const values = JSON.parse(`[${found}]`) as ({ id: number } & Record<string, unknown>)[];
  return values.map(({ id, ...row }) => ({
    id,
    values: row,
    words: Object.values(row)
      .flat()
      .filter((value) => typeof value === 'string')
      .map((value) => value.toLowerCase()),
  }));
}

interface Asked {
  readonly search: Search;
  readonly body: object;
}

/** Draws searches; some were drawn before. */
function drawSearches(random: Random, sample: readonly PlainRow[]): () => Asked {
  const fields: PlainFields = Object.fromEntries(
    ['id', ...Object.keys(list.fields)].map((name) => {
      const { kind, choices = [] } = fieldOf(list, name);
      return [name, { kind, choices: choices.map(String) }];
    }),
  );
  const before: Asked[] = [];
  return () => {
    if (before.length > 0 && random() < shareAsked) return pick(random, before);
    const { conditions, keyword, sort } = randomSearch(random, list, fields, sample);
    const filter = conditions
      .map((condition) => conditionText(condition, fields[condition.field] as PlainFields[string]))
      .join(' and ');
    const order = sort.map(({ field, descending }) => `${descending ? '-' : ''}${field}`).join(',');
    const offset = random() < 0.7 ? 0 : Math.floor(random() * 2_000);
    const query = {
      offset,
      size: pick(random, [1, 5, 25, 100]),
      ...(order !== '' && { sort: order }),
    };
    const body = { filter, keyword };
    const asked = { search: readSearch(list, query, body), body: { ...query, ...body } };
    before.push(asked);
    if (before.length > rememberedSearches) before.shift();
    return asked;
  };
}

/** Adds, changes, withdraws and lists again records, as syncs do, until it is stopped. */
function keepWriting(database: Database, random: Random, rows: number) {
  let writes = 0;
  const stopping = new AbortController();
  const entryOf = (n: number) => {
    const made = madeEntry(n);
    const row =
      random() < 0.3 ? { ...made.row, title: `${String(made.row['title'])} again` } : made.row;
    return { ...made, row, contentHash: contentHash(row, made.detail) };
  };
  const write = async () => {
    const from = Math.floor(random() * (rows + 500));
    if (random() < 0.3) {
      const first = Math.floor(random() * rows);
      const ids = Array.from({ length: written }, (_, place) => first + place + 1);
      await database.transaction((session) => withdraw(session, list, ids, Date.now()));
    } else {
      const entries = Array.from({ length: written }, (_, place) => entryOf(from + place));
      await database.transaction((session) =>
        writeEntries(session, list, 'made up', entries, Date.now()),
      );
    }
    writes += 1;
  };
  const going = (async () => {
    while (!stopping.signal.aborted) {
      await write();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
  return {
    writes: () => writes,
    stop: async () => {
      stopping.abort();
      await going;
    },
  };
}
