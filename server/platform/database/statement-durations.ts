/** Measures statements by kind. Threads send their durations to the main thread, which serves /metrics. */
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import { Histogram, Registry } from 'prom-client';

/** Maximum number of kinds. The code has fewer, but tables of a restored database must not add labels without limit. */
const maxKinds = 300;
const flushMs = 1000;

export const statementMetrics = new Registry();

const durations = new Histogram({
  name: 'patch_database_statement_duration_seconds',
  help: 'Duration of statements, including the wait for a connection, by verb and first table; of all threads of this process',
  labelNames: ['statement'],
  buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
  registers: [statementMetrics],
});
const kinds = new Set<string>();

type Sample = readonly [kind: string, seconds: number];

const channel = new BroadcastChannel('patch-statement-durations');
if (isMainThread)
  channel.addEventListener('message', (event) => {
    const { data } = event as unknown as { readonly data: readonly Sample[] };
    for (const sample of data) observe(sample);
  });
channel.unref();
let samples: Sample[] = [];

export function recordStatement(text: string, ms: number): void {
  const sample: Sample = [statementKind(text), ms / 1000];
  if (isMainThread) return observe(sample);
  if (samples.length === 0) setTimeout(flush, flushMs).unref();
  samples.push(sample);
}

function flush(): void {
  channel.postMessage(samples);
  samples = [];
}

function observe([kind, seconds]: Sample): void {
  const isKnown = kinds.has(kind) || kinds.size < maxKinds;
  if (isKnown) kinds.add(kind);
  durations.observe({ statement: isKnown ? kind : 'other' }, seconds);
}

/** Matches verb and table of a writing statement, but not `for update` or `do update`. */
const writingPattern =
  /(?<!\bfor\s+|\bdo\s+|\bkey\s+)\b(insert\s+into|update|delete\s+from|truncate)\s+(?:only\s+)?([a-z_]\w*)/i;
/** Matches a table, but not a function. */
const sourcePattern = /\bfrom\s+(?:only\s+)?([a-z_]\w*)\b(?!\s*\()/i;

/** Returns a kind such as 'insert quarantine', 'select almalinux_patch' or 'begin'. Values are parameters, so that no kind contains data. */
export function statementKind(text: string): string {
  const [, verb, table] = writingPattern.exec(text) ?? [];
  if (verb !== undefined) return `${firstWord(verb)} ${table?.toLowerCase()}`;
  const first = firstWord(text);
  const read = first === 'with' ? 'select' : first;
  const from = sourcePattern.exec(text)?.[1];
  return from === undefined ? read : `${read} ${from.toLowerCase()}`;
}

const firstWord = (text: string): string => /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? 'other';
