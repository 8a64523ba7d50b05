/** The pages that are measured, and the product that serves them: filled from the feed mirror, signed in to. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningService, startService } from './bench-service.ts';

const sources = ['wsus', 'almaLinux'];
export const homeListPath = '/patch-repository';

export interface MeasuredPage {
  readonly name: string;
  readonly signedIn: boolean;
  /** Given the product, because a record's address has its number. */
  readonly path: (product: Product) => string;
}

export const measuredPages: readonly MeasuredPage[] = [
  { name: 'login', signedIn: false, path: () => '/login' },
  { name: 'home list', signedIn: true, path: () => homeListPath },
  { name: 'dashboard', signedIn: true, path: () => `${homeListPath}/dashboard` },
  { name: 'record', signedIn: true, path: ({ record }) => `${homeListPath}/record/${record}` },
];

export interface Product {
  readonly url: string;
  /** What the console keeps of a session in its local storage. */
  readonly session: string;
  /** The number of the newest record of the home list. */
  readonly record: number;
  readonly stop: () => Promise<void>;
}

/** What launches Chromium; headless pages share one process with nothing else in it. */
export const chromiumOptions = {
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
};
export const sessionKey = 'patch-repository.session';

export async function startPages(): Promise<Product> {
  const mirror = fileURLToPath(new URL('../../shared/feed-mirror', import.meta.url));
  const dataDir = await mkdtemp(join(tmpdir(), 'pages-'));
  const service = await startService({ DATA_DIR: dataDir, FEED_MIRROR: mirror });
  const stop = async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    for (const source of sources) await sync(service, source);
    return { url: service.url, session: service.session, record: await newest(service), stop };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

async function newest({ client }: RunningService): Promise<number> {
  const { text } = await client.ask('POST', '/api/windows/kb/search?size=1&sort=-releaseDate', {});
  const [record] = (JSON.parse(text) as { objList: readonly { readonly id: number }[] }).objList;
  if (record === undefined) throw new Error('The home list has no record to open');
  return record.id;
}

async function sync({ client }: RunningService, source: string): Promise<void> {
  await client.ask('POST', `/api/windows/patchsync/manual?service=${source}`);
  for (;;) {
    const { text } = await client.ask('GET', `/api/windows/patchsync/isrunning?service=${source}`);
    if (!(JSON.parse(text) as { running: boolean }).running) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
