/** Measures the classes of searches on a running service, and in turn on a Directus where there is one. */
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import type { RunningService } from './bench-service.ts';
import type { DirectusPeer } from './directus-peer.ts';
import type { FirstPages } from './first-pages.ts';
import type { Times } from './measure.ts';
import { measureInTurn } from './measure-in-turn.ts';
import {
  containing,
  naming,
  productCall,
  type SearchAsked,
  searchClasses,
} from './search-classes.ts';
import type { SyncingResult } from './while-syncing.ts';

/** By one client and by eight. */
export interface ClientTimes {
  readonly one: Times;
  readonly eight: Times;
}

export interface ClassResult extends ClientTimes {
  readonly name: string;
  /** Of the same searches; null without a Directus. */
  readonly directus: ClientTimes | null;
}

export interface ClassesResult {
  readonly database: string;
  readonly rows: number;
  readonly seed: number;
  /** Seconds from the start of the process until it answers. */
  readonly started: number;
  /** Proportional set size in bytes after the start, and after all searches; null where the system does not tell. */
  readonly idle: number | null;
  readonly after: number | null;
  readonly classes: readonly ClassResult[];
  readonly firstPages: FirstPages;
  readonly syncing: SyncingResult;
}

const callsOfOne = 40;
const callsOfEight = 160;
/** Long enough for a million texts to be read into memory. */
const settleMs = 120_000;

export async function askProduct(service: RunningService, asked: SearchAsked): Promise<void> {
  const { query, body } = productCall(asked);
  const path = `/api${almalinuxList.searchPath}?${query}`;
  const { status, text } = await service.client.ask('POST', path, body);
  if (status !== 200) throw new Error(`${JSON.stringify(body)} answered ${status}: ${text}`);
}

export async function benchClasses(
  service: RunningService,
  { rows, random }: { readonly rows: number; readonly random: () => number },
  directus: DirectusPeer | null,
  say: (line: string) => void,
): Promise<readonly ClassResult[]> {
  const product = (asked: SearchAsked) => askProduct(service, asked);
  await settle(product);
  const results: ClassResult[] = [];
  for (const { name, ask } of searchClasses(rows, random)) {
    // Drawn once, so that all are asked for the same.
    const drawn = Array.from({ length: callsOfOne + callsOfEight }, (_, n) => ask(n));
    const services = directus === null ? [product] : [product, directus.ask];
    const inTurn = (clients: number, calls: number, from: number) =>
      measureInTurn(
        clients,
        calls,
        services.map((call) => (n: number) => call(drawn[from + n] as SearchAsked)),
      );
    const [one, otherOne] = await inTurn(1, callsOfOne, 0);
    // The calls of eight clients go on where those of one have ended.
    const [eight, otherEight] = await inTurn(8, callsOfEight, callsOfOne);
    if (one === undefined || eight === undefined) throw new Error('The product was not measured');
    say(`${name}: ${one.p50.toFixed(1)} ms, 8 clients ${eight.p50.toFixed(1)} ms`);
    const other =
      otherOne === undefined || otherEight === undefined
        ? null
        : { one: otherOne, eight: otherEight };
    results.push({ name, one, eight, directus: other });
  }
  return results;
}

/** Searches by a word and by a keyword until both are answered quickly, or for two minutes. */
async function settle(ask: (asked: SearchAsked) => Promise<void>): Promise<void> {
  const end = performance.now() + settleMs;
  for (let n = 0; performance.now() < end; n += 1) {
    const since = performance.now();
    await ask(containing(`settling ${n}`));
    await ask(naming(`settling${n}`));
    if (n > 20 && performance.now() - since < 20) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
