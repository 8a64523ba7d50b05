/**
 * Stores copies of fetched documents: a JSON file for each address, and a body that is named by its SHA-256, so that addresses with the
 * same bytes share it. Files are written completely and then renamed, so that a crash leaves the old copy.
 */

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Checksum } from '@patch/catalogue/definition/feed.ts';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { Validators } from './upstream.ts';

export interface Copy extends Validators {
  readonly url: string;
  readonly sha256: string;
  readonly size: number;
  /** The version that the vendor states, as passed by the feed. */
  readonly version: string | null;
  readonly fetchedAt: number;
  /** The upstream that the validators and the version come from. */
  readonly origin: string;
  /** The copy that was read when this one came, which may turn out unreadable; null or absent where none is kept. */
  readonly former?: Copy | null;
}

/** A body on disk that does not belong to an address yet. */
export interface ReceivedBody {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  /** Digest of the requested algorithm, or null. */
  readonly digest: string | null;
}

const hour = 3_600_000;
const maxUnusedMs = 90 * 24 * hour;

export class DocumentCache {
  readonly #copies: string;
  readonly #bodies: string;
  readonly #arriving: string;

  constructor(folder: string) {
    this.#copies = join(folder, 'copies');
    this.#bodies = join(folder, 'bodies');
    this.#arriving = join(folder, 'arriving');
  }

  async prepare(): Promise<void> {
    for (const folder of [this.#copies, this.#bodies, this.#arriving])
      await mkdir(folder, { recursive: true });
  }

  /** Returns the copy of an address; null without a copy, or when its body has another size. */
  async find(url: string): Promise<Copy | null> {
    try {
      const copy = JSON.parse(await readFile(this.#getFactsPath(url), 'utf8')) as Copy;
      const body = await stat(this.#getBodyPath(copy.sha256));
      return copy.url === url && body.size === copy.size ? copy : null;
    } catch {
      return null;
    }
  }

  /** Yields pieces of 64 KB. A text of 128 KB is a large object of V8, which costs more than to decode it. */
  read(sha256: string): AsyncIterable<Uint8Array> {
    return createReadStream(this.#getBodyPath(sha256));
  }

  readReceived(body: ReceivedBody): AsyncIterable<Uint8Array> {
    return createReadStream(body.path);
  }

  /** Creates a folder with the body as `document`, and returns its path. Copies the body only on disks without hard links. */
  async linkBody(sha256: string): Promise<string> {
    const folder = await mkdtemp(join(this.#arriving, 'laid-out-'));
    const body = this.#getBodyPath(sha256);
    await link(body, join(folder, 'document')).catch(() =>
      copyFile(body, join(folder, 'document')),
    );
    return folder;
  }

  async receive(
    pieces: AsyncIterable<Uint8Array>,
    algorithm: Checksum['algorithm'] | null,
  ): Promise<ReceivedBody> {
    const path = join(this.#arriving, randomUUID());
    const sha256 = createHash('sha256');
    const requested = algorithm === null || algorithm === 'sha256' ? null : createHash(algorithm);
    let size = 0;
    const file = await open(path, 'wx');
    try {
      for await (const piece of pieces) {
        sha256.update(piece);
        requested?.update(piece);
        size += piece.length;
        await file.writeFile(piece);
      }
      await file.sync();
    } catch (error) {
      await file.close();
      await this.discard({ path });
      throw error;
    }
    await file.close();
    const digest = sha256.digest('hex');
    return {
      path,
      sha256: digest,
      size,
      digest: requested?.digest('hex') ?? (algorithm === null ? null : digest),
    };
  }

  async discard(body: Pick<ReceivedBody, 'path'>): Promise<void> {
    await rm(body.path, { force: true });
  }

  async store(body: ReceivedBody, copy: Copy): Promise<void> {
    await rename(body.path, this.#getBodyPath(body.sha256));
    await this.saveFacts(copy);
  }

  async saveFacts(copy: Copy): Promise<void> {
    const path = join(this.#arriving, randomUUID());
    const file = await open(path, 'wx');
    try {
      await file.writeFile(JSON.stringify(copy, null, 1));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path, this.#getFactsPath(copy.url));
  }

  /** Marks the copy as used. */
  async touch(url: string): Promise<void> {
    const now = new Date();
    await utimes(this.#getFactsPath(url), now, now).catch(() => undefined);
  }

  /** Removes an unreadable copy, so that the next request is unconditional. */
  async remove(url: string): Promise<void> {
    await rm(this.#getFactsPath(url), { force: true });
  }

  /** Removes copies that have not been used for a long time, and bodies without a copy. */
  async sweep(): Promise<void> {
    const needed = new Set<string>();
    for (const { path, age } of await listFiles(this.#copies)) {
      if (age > maxUnusedMs) await rm(path, { force: true });
      else for (const sha256 of await readSums(path)) needed.add(sha256);
    }
    // Leaves recent bodies, because a run may be reading a body whose address has just received another one.
    for (const { path, name, age } of await listFiles(this.#bodies))
      if (age > hour && !needed.has(name)) await rm(path, { force: true });
    for (const { path, age } of await listFiles(this.#arriving))
      if (age > 24 * hour) await rm(path, { force: true, recursive: true });
  }

  #getBodyPath(sha256: string): string {
    return join(this.#bodies, sha256);
  }

  #getFactsPath(url: string): string {
    return join(this.#copies, `${sha256Hex(url)}.json`);
  }
}

async function listFiles(folder: string): Promise<{ path: string; name: string; age: number }[]> {
  const files = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const info = await stat(path).catch(() => null);
    if (info !== null) files.push({ path, name, age: Date.now() - info.mtimeMs });
  }
  return files;
}

async function readSums(path: string): Promise<readonly string[]> {
  try {
    const { sha256, former } = JSON.parse(await readFile(path, 'utf8')) as Copy;
    return former ? [sha256, former.sha256] : [sha256];
  } catch {
    return [];
  }
}
