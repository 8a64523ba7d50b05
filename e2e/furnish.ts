/** Prepares the data folder of the walks once per run: sources synced from the feed mirror, a client and a view. Each worker copies it. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from '@playwright/test';
import { mirror, startMirror, startProduct } from './running-product.ts';
import { Service } from './service.ts';

export const furnishedSources = ['almaLinux', 'wsus', 'kev', 'rockyLinux', 'debian'] as const;

export default async function furnish(): Promise<() => Promise<void>> {
  if (!existsSync(mirror)) {
    if (process.env['CI'] === 'true' && process.env['WITHOUT_FEED_MIRROR'] !== 'true')
      throw new Error(
        'The browser tests need ../shared/feed-mirror, and in CI it must be there unless WITHOUT_FEED_MIRROR=true.',
      );
    return async () => undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'patch-repository-walks-'));
  const vendors = await startMirror();
  const clear = async () => {
    await vendors.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await fill(join(folder, 'furnished'), vendors.url);
  } catch (error) {
    await clear();
    throw error;
  }
  // Workers inherit the environment.
  process.env['WALKS_FOLDER'] = folder;
  process.env['WALKS_MIRROR'] = vendors.url;
  return clear;
}

async function fill(dataDir: string, feedMirror: string): Promise<void> {
  await mkdir(dataDir);
  const product = await startProduct({ DATA_DIR: dataDir, FEED_MIRROR: feedMirror });
  try {
    const caller = await request.newContext({ baseURL: product.url });
    const service = await Service.signedIn(caller);
    await service.withoutSchedules();
    await service.sync(furnishedSources);
    await service.furnish();
    await caller.dispose();
  } finally {
    await product.stop();
  }
}
