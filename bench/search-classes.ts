/** The classes of searches that are compared from outside, each with words that were drawn from the data: npm run bench -- --only classes. */
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import type { RunningService } from './bench-service.ts';
import { drawnWords } from './drawn-words.ts';
import { madeEntry } from './errata-generator.ts';
import { measure, type Times } from './measure.ts';

export interface ClassResult {
  readonly name: string;
  readonly one: Times;
  readonly eight: Times;
}

export interface ClassesResult {
  readonly database: string;
  readonly rows: number;
  readonly seed: number;
  /** Seconds from the start of the process until it answers. */
  readonly started: number;
  /** Resident bytes after the start, and after all searches; null where the system does not tell. */
  readonly idle: number | null;
  readonly after: number | null;
  readonly classes: readonly ClassResult[];
}

export interface Asked {
  readonly query: string;
  readonly body: { readonly filter?: string; readonly keyword?: string };
}

export interface SearchClass {
  readonly name: string;
  /** The n-th call: of a class that is asked for the first time, each differs from those before it. */
  readonly ask: (n: number) => Asked;
}

const day = 86_400_000;
const from2015 = Date.UTC(2015, 0, 1);
const callsOfOne = 40;
const callsOfEight = 160;
const drawn = 60;
/** Long enough for a million texts to be read into memory. */
const settleMs = 120_000;

export async function benchClasses(
  service: RunningService,
  { rows, random }: { readonly rows: number; readonly random: () => number },
  say: (line: string) => void,
): Promise<readonly ClassResult[]> {
  const ask = async ({ query, body }: Asked) => {
    const path = `/api${almalinuxList.searchPath}?${query}`;
    const { status, text } = await service.client.ask('POST', path, body);
    if (status !== 200) throw new Error(`${JSON.stringify(body)} answered ${status}: ${text}`);
  };
  await settle(ask);
  const results: ClassResult[] = [];
  for (const { name, ask: asked } of searchClasses(rows, random)) {
    // The calls of eight clients go on where those of one have ended.
    const one = await measure(1, callsOfOne, (n) => ask(asked(n)));
    const eight = await measure(8, callsOfEight, (n) => ask(asked(callsOfOne + n)));
    say(`${name}: ${one.p50.toFixed(1)} ms, 8 clients ${eight.p50.toFixed(1)} ms`);
    results.push({ name, one, eight });
  }
  return results;
}

/** Searches by a word and by a keyword until both are answered quickly, or for two minutes. */
async function settle(ask: (asked: Asked) => Promise<void>): Promise<void> {
  const end = performance.now() + settleMs;
  for (let n = 0; performance.now() < end; n += 1) {
    const since = performance.now();
    await ask(contains([`settling ${n}`]));
    await ask({ query: 'size=25', body: { keyword: `settling${n}` } });
    if (n > 20 && performance.now() - since < 20) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const contains = (words: readonly string[], operator = 'like'): Asked => ({
  query: 'size=25',
  body: { filter: words.map((word) => `lower(title) ${operator} '%${word}%'`).join(' and ') },
});

/** Of a catalogue with so many rows of `madeEntry`. */
export function searchClasses(rows: number, random: () => number): readonly SearchClass[] {
  const { common, rare, short } = drawnWords(random, rows, drawn);
  const at = (words: readonly string[], n: number) => words[n % words.length] ?? '';
  /** A second word makes each search another one, however few common words there are. */
  const pair = (n: number) => [at(common, n), at(short, n + Math.floor(n / common.length))];
  const entry = () => madeEntry(Math.floor(random() * rows));
  return [
    { name: 'First page with total', ask: () => ({ query: 'size=25', body: {} }) },
    {
      name: 'Sorted by title',
      ask: () => ({ query: 'size=25&sort=title', body: {} }),
    },
    { name: 'Contains a rare text, each another', ask: (n) => contains([at(rare, n)]) },
    { name: 'Contains a common text', ask: (n) => contains([at(common, n)]) },
    { name: 'Contains two texts, each others', ask: (n) => contains(pair(n)) },
    {
      name: 'Does not contain a text, each another',
      ask: (n) => contains([n % 2 === 0 ? at(common, n) : at(rare, n)], 'not like'),
    },
    { name: 'Contains two letters, each others', ask: (n) => contains([at(short, n)]) },
    {
      name: 'Keyword with common hits',
      ask: (n) => ({ query: 'size=25', body: { keyword: at(common, n) } }),
    },
    {
      name: 'Keyword is a bulletin, each another',
      ask: () => ({ query: 'size=25', body: { keyword: String(entry().row['bulletinId']) } }),
    },
    {
      name: 'Range of dates, each another',
      ask: () => {
        const from = from2015 + Math.floor(random() * 3_000) * day + Math.floor(random() * day);
        return {
          query: 'size=25',
          body: { filter: `releaseDate between ${from} and ${from + 400 * day}` },
        };
      },
    },
    {
      name: 'One of 20 bulletins, each others',
      ask: () => {
        const ids = Array.from({ length: 20 }, () => `'${String(entry().row['bulletinId'])}'`);
        return { query: 'size=25', body: { filter: `bulletinId in (${ids.join(', ')})` } };
      },
    },
    {
      name: 'Offset at 90 %',
      ask: () => ({ query: `offset=${Math.floor(rows * 0.9)}&size=25`, body: {} }),
    },
    { name: 'Page of 1,000', ask: (n) => ({ query: `offset=${n * 1000}&size=1000`, body: {} }) },
  ];
}
