/**
 * The copies of fetched documents: one small file of facts for each address, its body beside it under its own SHA-256, so
 * that addresses with the same bytes share one. Both are written whole and renamed into place; a crash leaves the old copy.
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
  /** The vendor's own word for its state, as the feed passed it on. */
  readonly version: string | null;
  readonly fetchedAt: number;
  /** The upstream whose validators and version these are. */
  readonly origin: string;
}

/** A body on disk that no address points to yet. */
export interface ReceivedBody {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  /** Of the algorithm that was asked for; null when none was. */
  readonly sum: string | null;
}

const hour = 3_600_000;
const unusedFor = 90 * 24 * hour;

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

  /** The copy of that address; null when there is none, or its body is not as it was written. */
  async recall(url: string): Promise<Copy | null> {
    try {
      const copy = JSON.parse(await readFile(this.#factsOf(url), 'utf8')) as Copy;
      const body = await stat(this.#bodyOf(copy.sha256));
      return copy.url === url && body.size === copy.size ? copy : null;
    } catch {
      return null;
    }
  }

  read(sha256: string): AsyncIterable<Uint8Array> {
    return createReadStream(this.#bodyOf(sha256), { highWaterMark: 256 * 1024 });
  }

  readArrived(body: ReceivedBody): AsyncIterable<Uint8Array> {
    return createReadStream(body.path);
  }

  /** The body under another name, `document`, in a new folder of its own; no copy where the disk has links. */
  async layOut(sha256: string): Promise<string> {
    const folder = await mkdtemp(join(this.#arriving, 'laid-out-'));
    const body = this.#bodyOf(sha256);
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
    const other = algorithm === null || algorithm === 'sha256' ? null : createHash(algorithm);
    let size = 0;
    const file = await open(path, 'wx');
    try {
      for await (const piece of pieces) {
        sha256.update(piece);
        other?.update(piece);
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
      sum: other?.digest('hex') ?? (algorithm === null ? null : digest),
    };
  }

  async discard(body: Pick<ReceivedBody, 'path'>): Promise<void> {
    await rm(body.path, { force: true });
  }

  async keep(body: ReceivedBody, copy: Copy): Promise<void> {
    await rename(body.path, this.#bodyOf(body.sha256));
    await this.note(copy);
  }

  async note(copy: Copy): Promise<void> {
    const path = join(this.#arriving, randomUUID());
    const file = await open(path, 'wx');
    try {
      await file.writeFile(JSON.stringify(copy, null, 1));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path, this.#factsOf(copy.url));
  }

  /** Says that the copy is still asked for. */
  async touch(url: string): Promise<void> {
    const now = new Date();
    await utimes(this.#factsOf(url), now, now).catch(() => undefined);
  }

  /** The copy turned out not to be readable: the next time its whole body is asked for. */
  async forget(url: string): Promise<void> {
    await rm(this.#factsOf(url), { force: true });
  }

  /** Removes copies that nobody has asked for in a long time, and bodies that no copy points to. */
  async sweep(): Promise<void> {
    const needed = new Set<string>();
    for (const { path, age } of await filesOf(this.#copies)) {
      if (age > unusedFor) await rm(path, { force: true });
      else needed.add(await sha256Of(path));
    }
    // An hour's grace: a run may be reading a body whose address has just got another.
    for (const { path, name, age } of await filesOf(this.#bodies))
      if (age > hour && !needed.has(name)) await rm(path, { force: true });
    for (const { path, age } of await filesOf(this.#arriving))
      if (age > 24 * hour) await rm(path, { force: true, recursive: true });
  }

  #bodyOf(sha256: string): string {
    return join(this.#bodies, sha256);
  }

  #factsOf(url: string): string {
    return join(this.#copies, `${sha256Hex(url)}.json`);
  }
}

async function filesOf(folder: string): Promise<{ path: string; name: string; age: number }[]> {
  const files = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const info = await stat(path).catch(() => null);
    if (info !== null) files.push({ path, name, age: Date.now() - info.mtimeMs });
  }
  return files;
}

async function sha256Of(path: string): Promise<string> {
  try {
    return (JSON.parse(await readFile(path, 'utf8')) as Copy).sha256;
  } catch {
    return '';
  }
}
