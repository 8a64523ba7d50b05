/** How long a person waits while another user sends the worst searches that can be built, half of them abandoned: the first page of a list and the health call. */
import { Agent, request } from 'node:http';
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import type { RunningService } from './bench-service.ts';
import { type HttpClient, httpClient, type Times, timesOf } from './measure.ts';

/** Searches of the hostile user that are under way at any time. */
const atOnce = 64;
const seconds = 20;
/** An abandoned search's socket is closed after so many milliseconds. */
const abandonedAfter = 40;

export interface HostileResult {
  readonly database: string;
  readonly rows: number;
  readonly firstPage: Times;
  readonly health: Times;
  /** The same calls before the attack. */
  readonly calmFirstPage: Times;
  readonly calmHealth: Times;
  /** Hostile searches by how they ended: their status, or `abandoned`. */
  readonly endings: ReadonlyMap<string, number>;
}

/** Medians that are promised, in milliseconds. */
export const promised = { firstPage: 250, health: 100 } as const;

export function keepsPromise({ firstPage, health }: HostileResult): boolean {
  return firstPage.p50 <= promised.firstPage && health.p50 <= promised.health;
}

interface HostileSearch {
  readonly query: string;
  readonly body: { readonly filter?: string; readonly keyword?: string };
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const letter = (n: number) => letters[n % letters.length] ?? 'a';
const many = <T>(count: number, make: (place: number) => T): T[] =>
  Array.from({ length: count }, (_, place) => make(place));

/** Each kind differs in its n-th use, so that nothing that was counted before helps. */
const kinds: readonly ((n: number) => HostileSearch)[] = [
  // Patterns with several wildcards, which no index helps with.
  (n) => ({
    query: 'size=1000',
    body: {
      filter: many(
        32,
        (place) => `lower(title) not like '%${letter(n)}_${letter(place)}%${letter(n + place)}%x'`,
      ).join(' and '),
    },
  }),
  (n) => ({
    query: 'size=25&sort=osVersion',
    body: {
      filter: many(32, (place) => `lower(osVersion) not like '%${place}_${n}%x'`).join(' and '),
    },
  }),
  // All parts of the word stand in most records, the word in none: the index of words names them all.
  (n) => ({
    query: 'size=25',
    body: { keyword: `update security${letter(n)}${letter(n / 26)}`.slice(0, 15 + (n % 3)) },
  }),
  (n) => ({
    query: 'size=25',
    body: { keyword: `enhancement security bug fix`.slice(n % 8, 20 + (n % 8)) },
  }),
  // Conditions of which each has many rows and all together none.
  (n) => ({
    query: 'size=1000',
    body: {
      filter: `lower(category) = 'bugfix' and lower(severity) = 'critical' and releaseDate > ${n}`,
    },
  }),
  (n) => ({
    query: 'size=25',
    body: { filter: `lower(title) like '%${letter(n)}${letter(n * 7 + 3)}%'` },
  }),
  (n) => ({
    query: 'size=1000&sort=title&offset=100000',
    body: {
      filter: `lower(title) not like '%${letter(n)}q%' and lower(bulletinId) not like '%${n}_${n}%'`,
    },
  }),
  // Long lists of values.
  (n) => ({
    query: 'size=25',
    body: {
      filter: `lower(osVersion) not in (${many(700, (place) => `'${n + place * 7}'`).join(', ')})`,
    },
  }),
  // Orders by several fields, and far pages.
  (n) => ({ query: `size=1000&sort=category,-severity,title&offset=${1000 + n}`, body: {} }),
  (n) => ({ query: `size=1000&sort=title&offset=${400_000 + n * 1000}`, body: {} }),
];

export async function benchHostileSearches(
  database: string,
  rows: number,
  service: RunningService,
  say: (line: string) => void,
): Promise<HostileResult> {
  const other = await anotherUser(service);
  try {
    const firstPage = () =>
      timed(() => other.ask('POST', `/api${almalinuxList.searchPath}?size=25`, {}));
    const health = () => timed(() => other.ask('GET', '/api/health'));
    for (let n = 0; n < 50; n += 1) await firstPage();
    const calm = await both(firstPage, health, () => false, 100);
    const endings = new Map<string, number>();
    const since = performance.now();
    const isOver = () => performance.now() - since > seconds * 1000;
    const attack = Promise.all(
      many(atOnce, (place) => keepSearching(service, place, isOver, endings)),
    );
    // Not before the attack is under way.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const taken = await both(firstPage, health, isOver, Number.POSITIVE_INFINITY);
    await attack;
    const result: HostileResult = {
      database,
      rows,
      firstPage: timesOf(taken.firstPage),
      health: timesOf(taken.health),
      calmFirstPage: timesOf(calm.firstPage),
      calmHealth: timesOf(calm.health),
      endings,
    };
    say(
      `${database}: first page ${result.firstPage.p50.toFixed(1)} ms, health ${result.health.p50.toFixed(1)} ms at the median`,
    );
    return result;
  } finally {
    other.close();
  }
}

async function both(
  firstPage: () => Promise<number>,
  health: () => Promise<number>,
  isOver: () => boolean,
  most: number,
) {
  const taken = { firstPage: [] as number[], health: [] as number[] };
  while (!isOver() && taken.health.length < most) {
    taken.firstPage.push(await firstPage());
    taken.health.push(await health());
  }
  return taken;
}

async function keepSearching(
  service: RunningService,
  place: number,
  isOver: () => boolean,
  endings: Map<string, number>,
): Promise<void> {
  for (let n = place; !isOver(); n += atOnce) {
    const kind = kinds[n % kinds.length] ?? kinds[0];
    if (kind === undefined) return;
    const ending = await hostileSearch(service, kind(n), n % 2 === 0);
    endings.set(ending, (endings.get(ending) ?? 0) + 1);
    // One who is refused asks again at once, but not faster than a connection is made.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** On a connection of its own. */
function hostileSearch(
  { url, token }: RunningService,
  { query, body }: HostileSearch,
  isAbandoned: boolean,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    const headers = { authorization: `Apikey ${token}`, 'content-type': 'application/json' };
    const asked = request(
      new URL(`/api${almalinuxList.searchPath}?${query}`, url),
      { method: 'POST', agent, headers },
      (reply) => {
        reply.resume();
        reply.on('end', () => resolve(String(reply.statusCode)));
        reply.on('error', () => resolve('abandoned'));
      },
    );
    let abandoned = false;
    asked.on('error', (error) => (abandoned ? resolve('abandoned') : reject(error)));
    asked.end(JSON.stringify(body));
    if (isAbandoned)
      setTimeout(() => {
        abandoned = true;
        asked.destroy();
        resolve('abandoned');
      }, abandonedAfter);
  });
}

/** A second person, who has done nothing. */
async function anotherUser({ url, client }: RunningService): Promise<HttpClient> {
  const name = `other ${Date.now()}`;
  const [given, chosen] = ['Other-only-4711', 'Other-only-4712'];
  const good = async (asked: Promise<{ readonly status: number; readonly text: string }>) => {
    const { status, text } = await asked;
    if (status >= 300) throw new Error(`Making another user answered ${status}: ${text}`);
    return JSON.parse(text) as { readonly token: string };
  };
  await good(client.ask('POST', '/api/user', { name, userType: 'Standard', password: given }));
  const anonymous = httpClient(url, null);
  const signIn = (password: string) =>
    good(anonymous.ask('POST', '/api/authenticate', { username: name, password }));
  const first = httpClient(url, `Apikey ${(await signIn(given)).token}`);
  await good(
    first.ask('POST', '/api/user/changepassword', { oldPassword: given, newPassword: chosen }),
  );
  const { token } = await signIn(chosen);
  first.close();
  anonymous.close();
  return httpClient(url, `Apikey ${token}`);
}

async function timed(
  call: () => Promise<{ readonly status: number; readonly text: string }>,
): Promise<number> {
  const since = performance.now();
  const { status, text } = await call();
  if (status !== 200) throw new Error(`A call beside hostile searches answered ${status}: ${text}`);
  return performance.now() - since;
}
