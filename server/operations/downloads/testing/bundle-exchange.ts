/** Two installations: the first exports catalogue bundles, the second imports them. */
import type { BundleImport } from '@patch/contract/operations/bundle-endpoints.ts';
import { afterAll, beforeAll } from 'vitest';
import { type OpenFresh, openMigrated } from '../../../testing/databases.ts';
import { DownloadService } from './download-service.ts';

const imports = '/downloads/bundle-imports';

export class BundleExchange {
  from!: DownloadService;
  to!: DownloadService;

  async begin(open: OpenFresh): Promise<void> {
    this.from = await new DownloadService(await openMigrated(), testKey(3)).begin();
    this.to = await new DownloadService(await open(), testKey(4)).begin();
  }

  async end(): Promise<void> {
    await this.from.stop();
    await this.to.stop();
    await this.from.database.close();
  }

  /** The second installation trusts the key of the first. */
  trust() {
    const { publicKey } = this.from.downloads.signer;
    return this.to.operator.post('/downloads/bundle-keys', { name: 'Head office', publicKey });
  }

  async bundle(options: object): Promise<Buffer> {
    const { id, state, message } = await this.from.made('catalogue_bundle', options);
    if (state !== 'done') throw new Error(message ?? state);
    return this.from.fetched(id);
  }

  async upload(file: Buffer): Promise<BundleImport> {
    const path = `${imports}?fileName=head-office.zip`;
    const type = { 'content-type': 'application/zip' };
    const { status, json } = await this.to.operator.post(path, file, type);
    if (status !== 202) throw new Error(JSON.stringify(json));
    return this.to.ended<BundleImport>(Number(json['id']), imports);
  }

  /** Only requests the application. */
  requestApply({ id }: BundleImport, accept: readonly string[] = []) {
    return this.to.operator.post(`${imports}/${id}/apply`, { accept });
  }

  async apply(bundle: BundleImport, accept: readonly string[] = []): Promise<BundleImport> {
    const { status, json } = await this.requestApply(bundle, accept);
    if (status !== 202) throw new Error(JSON.stringify(json));
    return this.to.ended<BundleImport>(bundle.id, imports);
  }

  /** Exports a bundle, checks it and applies it. */
  async bring(options: object): Promise<BundleImport> {
    return this.apply(await this.upload(await this.bundle(options)));
  }
}

export const testKey = (byte: number) => new Uint8Array(32).fill(byte);

export function withBundleExchange(open: OpenFresh): BundleExchange {
  const exchange = new BundleExchange();
  beforeAll(() => exchange.begin(open));
  afterAll(() => exchange.end());
  return exchange;
}

type Counts = readonly [added: number, changed: number, withdrawn: number, unchanged: number];

/** Returns the counts by list or risk source. */
export function readCounts({ report, message }: BundleImport): Readonly<Record<string, Counts>> {
  if (report === null) throw new Error(message ?? 'no report');
  return Object.fromEntries(
    report.lists.map(({ list, added, changed, withdrawn, unchanged }) => [
      list,
      [added, changed, withdrawn, unchanged],
    ]),
  );
}
