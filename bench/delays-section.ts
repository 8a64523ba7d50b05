/** Whom a request delays: first pages of one user while others send the largest bodies that each call accepts. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import { noBody } from '@patch/contract/base/no-input.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { reportMachinesEndpoint } from '@patch/contract/fleet/machine-report-endpoints.ts';
import type { HttpClient } from './bench-client.ts';
import { withDatabase } from './bench-database.ts';
import type { BenchOptions } from './bench-options.ts';
import type { RunningService } from './bench-service.ts';
import { short, table } from './bench-table.ts';
import { activateClient, createClient } from './licensed-client.ts';
import { errataLoad, list } from './load-records.ts';
import { madeMachine } from './machine-generator.ts';
import { milliseconds, percentiles } from './measure-calls.ts';

/** The limit of a body, unless the call has its own. */
const defaultBodyBytes = 256 * 1024;
/** Bodies that are sent at once, each by a client of its own. */
const senders = [1, 6] as const;
/** Between two first pages. */
const pauseMs = 5;
/** Each body is sent until others opened this many first pages. */
const minPages = 150;

interface LargeBody {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
  readonly type?: string;
  /** Of a licensed client; absent: the administrator's. */
  readonly token?: string;
}

export async function delaysSection(options: BenchOptions): Promise<string> {
  return withDatabase(options, errataLoad(options), async (database) => {
    const service = await database.start({ TRUST_PROXY: '1' });
    try {
      const rows = [];
      const token = await activateClient(service, { reportsMachines: true });
      for (const large of [...accepted(options), ...reports(options, token), ...ofEveryCall()])
        rows.push(await measureDelay(options, service, large));
      const head = [
        '',
        'MB',
        ...senders.flatMap((n) => [`${n}: status`, 's', 'p50', 'p99', 'longest']),
      ];
      return table(head, rows);
    } finally {
      await service.stop();
    }
  });
}

async function measureDelay(
  { say }: BenchOptions,
  service: RunningService,
  { name, method, path, body, type = 'application/json', token = service.token }: LargeBody,
) {
  say(name);
  const cells: (string | null)[] = [];
  for (const amount of senders) {
    const clients = Array.from({ length: amount }, () => createClient(service.url, token));
    const others = new AbortController();
    const times: number[] = [];
    const pages = timeFirstPages(service.client, others.signal, times);
    await pause(100);
    const begun = performance.now();
    const statuses = new Set<number>();
    const send = async (client: HttpClient): Promise<void> => {
      do {
        const headers = { 'content-type': type };
        statuses.add((await client.ask(method, `/api${path}`, body, headers)).status);
      } while (times.length < minPages);
    };
    await Promise.all(clients.map(send));
    const seconds = (performance.now() - begun) / 1000;
    others.abort();
    const { p50, p99, longest } = percentiles(await pages);
    for (const client of clients) client.close();
    cells.push([...statuses].join(' '), short(seconds), short(p50), short(p99), short(longest));
  }
  return [name, short(body.length / 1_048_576), ...cells];
}

/** Requests the first page of a list again and again, and adds the milliseconds of each to `times`. */
export async function timeFirstPages(
  client: HttpClient,
  ended: AbortSignal,
  times: number[] = [],
): Promise<readonly number[]> {
  while (!ended.aborted) {
    const ask = () => client.expect(200, 'POST', `/api${list.searchPath}?size=25`, {});
    times.push(await milliseconds(ask));
    await pause(pauseMs);
  }
  return times;
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const repeat = <Item>(amount: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: amount }, (_, index) => make(index));

/** Bodies that are accepted, and take as much work as one of their size can. */
function accepted({ seed }: BenchOptions): readonly LargeBody[] {
  const post = { method: 'POST' } as const;
  const text = (name: string, lines: string): LargeBody => {
    const body = Buffer.from(`ID="almalinux"\nVERSION_ID="9.4"\n${lines}`.slice(0, 5_242_000));
    return { ...post, name: `Inventory: ${name}`, path: '/assessments', body, type: 'text/plain' };
  };
  const batch = (name: string, query: (index: number) => object): LargeBody => {
    const body = json({ queries: repeat(1000, query) });
    return { ...post, name: `OSV batch: ${name}`, path: '/osv/v1/querybatch', body };
  };
  const search = (name: string, filter: string): LargeBody => {
    const body = json({ filter });
    return { ...post, name: `Search: ${name}`, path: list.searchPath, body };
  };
  const ecosystem = 'AlmaLinux:9';
  const { text: machine } = madeMachine(seed, 0, 90_000);
  const components = repeat(24_000, (index) => ({
    type: 'library',
    name: `p${index}`,
    purl: `pkg:rpm/almalinux/p${index}@1.0-${index}.el9?arch=x86_64&distro=almalinux-9`,
  }));
  const sbom = { bomFormat: 'CycloneDX', specVersion: '1.5', components };
  return [
    text('packages', machine),
    text('the same package', repeat(99_000, (n) => `bash-5.1.${n}-1.el9.x86_64`).join('\n')),
    text('lines of one letter', 'a\n'.repeat(2_600_000)),
    text('long lines of braces', `${'{'.repeat(4000)}\n`.repeat(1300)),
    text('SBOM', JSON.stringify(sbom)),
    batch('each another version', (n) => ({
      version: `${'1a.'.repeat(80)}${n}`,
      package: { name: 'kernel', ecosystem },
    })),
    batch('each another package', (n) => ({ package: { name: `p${n}`, ecosystem } })),
    batch('every version of one package', () => ({ package: { name: 'kernel', ecosystem } })),
    search('1,000 values', `lower(bulletinId) in (${repeat(1000, (n) => `'${n}'`).join()})`),
    search(
      '32 texts',
      repeat(32, (n) => `lower(title) like '%${'a%'.repeat(110)}${n}%'`).join(' and '),
    ),
  ];
}

/** Reports of machines up to the limit of a body: all that may be told of packages, texts, and KB numbers. */
function reports({ seed }: BenchOptions, token: string): readonly LargeBody[] {
  const report = (name: string, machines: readonly object[]): LargeBody => {
    const { method, path } = reportMachinesEndpoint;
    return { name: `Report: ${name}`, method, path, token, body: json({ machines }) };
  };
  const machine = (n: number) => ({ key: `m${n}`, name: `m${n}` });
  const packages = repeat(20_000, (n) => ({
    format: 'rpm',
    name: `p${n}`,
    version: '1-1.el9',
    epoch: '0',
    architecture: 'x86_64',
    module: { name: 'm', stream: '1' },
    source: { name: `p${n}`, version: '1-1.el9' },
  }));
  const almalinux = { platform: 'linux', distribution: 'almalinux', release: '9' };
  const kbs = repeat(5000, (n) => String(5_000_000 + n));
  const { text } = madeMachine(seed, 0, 2000);
  const texts = repeat(Math.min(1000, Math.floor(15_000_000 / text.length)), (n) => ({
    ...machine(n),
    text,
  }));
  return [
    report(
      'packages apart',
      repeat(4, (n) => ({ ...machine(n), ...almalinux, packages })),
    ),
    report('texts', texts),
    report(
      'KB numbers',
      repeat(300, (n) => ({ ...machine(n), platform: 'windows', distribution: 'Windows 11', kbs })),
    ),
  ];
}

/** Many small values are the most work to parse, as many as the call parses; text fills the rest. */
function largestBody(bytes: number, maxValues: number): object {
  const a = repeat(Math.floor(Math.min(maxValues / 4, bytes / 17)) - 2, (n) => ({
    b: n % 10,
    c: [n % 10],
  }));
  return { a, text: 'x'.repeat(bytes - JSON.stringify(a).length) };
}

/** A body of the allowed size for every other call with one: most are refused, after they were read. */
function ofEveryCall(): readonly LargeBody[] {
  return endpoints.filter(hasBody).map((endpoint): LargeBody => {
    const limit = (endpoint.maxBodyBytes ?? defaultBodyBytes) - 1024;
    return {
      name: `${endpoint.method} ${endpoint.path}`,
      method: endpoint.method,
      path: endpoint.path.replaceAll(/\{[^}]+\}/g, '1'),
      body: json(largestBody(limit, endpoint.maxBodyValues ?? 10_000)),
    };
  });
}

/** Files are received in pieces; what clients send is above, or small. */
const hasBody = ({ method, body, receives, access }: Endpoint): boolean =>
  method !== 'GET' && body !== noBody && receives !== 'file' && access !== 'client';
