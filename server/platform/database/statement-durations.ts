/** How long statements take, by their kind. Threads tell the main thread, whose /metrics is scraped. */
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import { Histogram, Registry } from 'prom-client';

/** Kinds follow from the statements of the code; tables that a restored database brings along must not add labels without end. */
const maxKinds = 300;
const flushMs = 1000;

export const statementMetrics = new Registry();

const durations = new Histogram({
  name: 'patch_database_statement_duration_seconds',
  help: 'From the call of a statement to its answer, the wait for a connection included, by verb and first table; of all threads of this process',
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

/** The verb and the table of a statement that writes; `for update` and `do update` write nothing else. */
const writing =
  /(?<!\bfor\s+|\bdo\s+|\bkey\s+)\b(insert\s+into|update|delete\s+from|truncate)\s+(?:only\s+)?([a-z_]\w*)/i;
/** A table, no function. */
const source = /\bfrom\s+(?:only\s+)?([a-z_]\w*)\b(?!\s*\()/i;

/** 'insert quarantine', 'select almalinux_patch', 'begin'. Values are parameters: a statement's text has words of the code alone. */
export function statementKind(text: string): string {
  const [, verb, table] = writing.exec(text) ?? [];
  if (verb !== undefined) return `${firstWord(verb)} ${table?.toLowerCase()}`;
  const first = firstWord(text);
  const read = first === 'with' ? 'select' : first;
  const from = source.exec(text)?.[1];
  return from === undefined ? read : `${read} ${from.toLowerCase()}`;
}

const firstWord = (text: string): string => /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? 'other';
