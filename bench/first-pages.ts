/** The first page by one client, in processor time, and many different first pages by many clients, in requests a second. */
import { askProduct } from './bench-classes.ts';
import { type RunningService } from './bench-service.ts';
import { drawnWords } from './drawn-words.ts';
import { httpClient, measure } from './measure.ts';
import { containing, type SearchAsked } from './search-classes.ts';

export interface FirstPages {
  readonly clients: number;
  /** Different ones. */
  readonly pages: number;
  readonly perSecond: number;
  /** Milliseconds of the service's processor time for one; null where the system does not tell. */
  readonly cpu: number | null;
}

const clients = 64;
const pages = 500;
const calls = 20_000;
const longestMs = 20_000;
const cpuCalls = 2_000;

export async function benchFirstPages(
  service: RunningService,
  { rows, random }: { readonly rows: number; readonly random: () => number },
): Promise<FirstPages> {
  const first: SearchAsked = containing();
  const before = await service.cpu();
  const timed = await measure(1, cpuCalls, () => askProduct(service, first));
  const after = await service.cpu();
  const different = differentPages(rows, random);
  const many = { ...service, client: httpClient(service.url, `Apikey ${service.token}`, clients) };
  const chosen = zipf(different.length, random);
  try {
    // Each once, so that what is measured are pages that were asked for before.
    await measure(8, different.length, (n) => askProduct(many, different[n] ?? first));
    const since = performance.now();
    const ask = () => askProduct(many, different[chosen()] ?? first);
    const times = await measure(clients, calls, ask, longestMs);
    return {
      clients,
      pages: different.length,
      perSecond: (times.calls / (performance.now() - since)) * 1000,
      cpu: before === null || after === null ? null : ((after - before) * 1000) / timed.calls,
    };
  } finally {
    many.client.close();
  }
}

function differentPages(rows: number, random: () => number): readonly SearchAsked[] {
  const { common, rare, short } = drawnWords(random, rows, pages);
  const texts = [...new Set([...common, ...rare, ...short])];
  return texts
    .flatMap((text) => [containing(text), { ...containing(text), sort: 'title' } as const])
    .slice(0, pages);
}

/** Draws places below `count`: the first twice as often as the second, three times as often as the third. */
export function zipf(count: number, random: () => number): () => number {
  const sums: number[] = [];
  for (let place = 0; place < count; place += 1)
    sums.push((sums[place - 1] ?? 0) + 1 / (place + 1));
  const whole = sums.at(-1) ?? 0;
  return () => {
    const drawn = random() * whole;
    return sums.findIndex((sum) => drawn < sum);
  };
}
