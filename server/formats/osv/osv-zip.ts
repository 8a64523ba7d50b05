/** The archive of an ecosystem: made when it is asked for after a change of its list, then served as a file. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { OsvRecord } from '@patch/catalogue/formats/osv-record.ts';
import { ZipFile } from 'yazl';
import type { Queryable } from '../../platform/database/database.ts';
import { writeAtomically } from '../../platform/files/atomic-file.ts';
import type { Log } from '../../platform/logging/logging.ts';
import { listState } from '../advisories/list-state-store.ts';
import { osvRecords } from './osv-advisory-store.ts';
import { identifiersAfter, withdrawnIdentifiers } from './osv-index-store.ts';

export interface OsvArchive {
  readonly path: string;
  readonly bytes: number;
  /** Identifies the content. */
  readonly tag: string;
}

export interface OsvArchiveParts {
  readonly database: Queryable;
  /** Null: a temporary folder. */
  readonly folder: string | null;
  readonly log: Pick<Log, 'info'>;
}

/** Records that are read and mapped at once: about 10 ms of the thread that answers requests. */
const recordsAPage = 25;

export class OsvArchives {
  readonly #parts: OsvArchiveParts;
  #folder: Promise<string> | null = null;
  /** By key of the list, those that are being made. */
  readonly #making = new Map<string, Promise<OsvArchive>>();

  constructor(parts: OsvArchiveParts) {
    this.#parts = parts;
  }

  /** Several callers wait for one making, which goes on when they leave. */
  async archive(list: ListDefinition): Promise<OsvArchive> {
    const state = await listState(this.#parts.database, list);
    const folder = await this.#ownFolder();
    const tag = `${list.key.replaceAll('_', '')}.${state}`;
    const path = join(folder, `${tag}.zip`);
    const made = await stat(path).catch(() => null);
    if (made !== null) return { path, bytes: made.size, tag };
    const known = this.#making.get(list.key);
    if (known !== undefined) return known;
    const making = this.#make(list, path, tag).finally(() => this.#making.delete(list.key));
    this.#making.set(list.key, making);
    return making;
  }

  async #make(list: ListDefinition, path: string, tag: string): Promise<OsvArchive> {
    const since = performance.now();
    let records = 0;
    const bytes = await writeAtomically(path, async (file) => {
      const zip = new ZipFile();
      const written = pipeline(Readable.from(zip.outputStream as AsyncIterable<Buffer>), file);
      // Awaited below; a failure ends the archive at once.
      written.catch(() => undefined);
      for await (const page of readPages(this.#parts.database, list)) {
        records += page.length;
        await Promise.race([addPage(zip, page), written]);
      }
      zip.end();
      await written;
    });
    await removeOthers(path, list);
    const milliseconds = Math.round(performance.now() - since);
    this.#parts.log.info({ list: list.key, records, bytes, milliseconds }, 'OSV archive made');
    return { path, bytes, tag };
  }

  #ownFolder(): Promise<string> {
    const { folder } = this.#parts;
    this.#folder ??=
      folder === null
        ? mkdtemp(join(tmpdir(), 'patch-repository-formats-'))
        : mkdir(folder, { recursive: true, mode: 0o700 }).then(() => folder);
    return this.#folder;
  }
}

async function* readPages(
  database: Queryable,
  list: ListDefinition,
): AsyncIterable<readonly OsvRecord[]> {
  for (let after = ''; ; ) {
    const identifiers = await identifiersAfter(database, list, after, recordsAPage);
    const last = identifiers.at(-1);
    if (last === undefined) break;
    yield await osvRecords(database, list, identifiers);
    after = fold(last);
  }
  const withdrawn = await withdrawnIdentifiers(database, list);
  for (let start = 0; start < withdrawn.length; start += recordsAPage)
    yield await osvRecords(database, list, withdrawn.slice(start, start + recordsAPage));
}

/** Resolves when the archive takes the last of the records, so that few are in memory. */
function addPage(zip: ZipFile, records: readonly OsvRecord[]): Promise<void> {
  return new Promise((resolve) => {
    for (const [index, record] of records.entries())
      zip.addReadStreamLazy(`${record.id}.json`, { mtime: new Date(record.modified) }, (take) => {
        take(null, Readable.from([JSON.stringify(record)]));
        if (index === records.length - 1) resolve();
      });
    if (records.length === 0) resolve();
  });
}

/** Archives of earlier states; a caller that still reads one reads it to its end. */
async function removeOthers(path: string, { key }: ListDefinition): Promise<void> {
  const folder = join(path, '..');
  for (const name of await readdir(folder))
    if (
      name.startsWith(`${key.replaceAll('_', '')}.`) &&
      name.endsWith('.zip') &&
      join(folder, name) !== path
    )
      await rm(join(folder, name), { force: true });
}
