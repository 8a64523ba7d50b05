/**
 * The archive of an ecosystem: made when it is fetched after a change of its list, then served as a file. Advisories that have not
 * changed since the archive before it are copied from there as they are.
 */
import { link, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { osvId } from '@patch/catalogue/formats/osv-id.ts';
import type { OsvRecord } from '@patch/catalogue/formats/osv-record.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { writeAtomically } from '../../platform/files/atomic-file.ts';
import { readZipEntries, type ZipMember, ZipPieces } from '../../platform/files/zip-pieces.ts';
import type { Log } from '../../platform/logging/logging.ts';
import { osvRecords } from './osv-advisory-store.ts';
import {
  type ArchiveState,
  archiveState,
  changedIdentifiers,
  identifiersAfter,
  withdrawnIdentifiers,
} from './osv-index-store.ts';

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
    const state = await archiveState(this.#parts.database, list);
    const folder = await this.#ownFolder();
    const tag = formatTag(list, state);
    const path = join(folder, `${tag}.zip`);
    const made = await stat(path).catch(() => null);
    if (made !== null) return { path, bytes: made.size, tag };
    const known = this.#making.get(list.key);
    if (known !== undefined) return known;
    const making = this.#make(list, path, state).finally(() => this.#making.delete(list.key));
    this.#making.set(list.key, making);
    return making;
  }

  async #make(list: ListDefinition, path: string, state: ArchiveState): Promise<OsvArchive> {
    const { database, log } = this.#parts;
    const since = performance.now();
    const earlier = await findEarlier(path, list, state);
    const changed =
      earlier === null ? null : new Set(await changedIdentifiers(database, list, earlier.state));
    let records = 0;
    async function* pieces(): AsyncGenerator<Buffer> {
      const zip = new ZipPieces();
      if (earlier !== null && changed !== null) {
        const names = new Set([...changed].map(toFileName));
        const entries = readZipEntries(earlier.path);
        yield* zip.take(earlier.path, entries, (name) => !names.has(name));
      }
      for await (const page of readPages(database, list, changed)) {
        records += page.length;
        yield zip.add(page.map(toMember));
      }
      yield* zip.end();
    }
    if (changed?.size === 0 && earlier !== null) await link(earlier.path, path);
    else await writeAtomically(path, (file) => pipeline(Readable.from(pieces()), file));
    await removeOthers(path, list);
    const { size: bytes } = await stat(path);
    const milliseconds = Math.round(performance.now() - since);
    log.info(
      { list: list.key, records, copied: changed !== null, bytes, milliseconds },
      'OSV archive made',
    );
    return { path, bytes, tag: formatTag(list, state) };
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

/** @param changed - Identifiers of the records to read; null: all of the list. */
async function* readPages(
  database: Queryable,
  list: ListDefinition,
  changed: ReadonlySet<string> | null,
): AsyncIterable<readonly OsvRecord[]> {
  for (let after = ''; changed === null; ) {
    const identifiers = await identifiersAfter(database, list, after, recordsAPage);
    const last = identifiers.at(-1);
    if (last === undefined) break;
    yield await osvRecords(database, list, identifiers);
    after = fold(last);
  }
  const others = [...(changed ?? (await withdrawnIdentifiers(database, list)))];
  for (let start = 0; start < others.length; start += recordsAPage)
    yield await osvRecords(database, list, others.slice(start, start + recordsAPage));
}

const toFileName = (identifier: string) => `${osvId(identifier)}.json`;

const toMember = (record: OsvRecord): ZipMember => ({
  name: `${record.id}.json`,
  content: Buffer.from(JSON.stringify(record)),
  modified: new Date(record.modified),
});

const toPrefix = ({ key }: ListDefinition) => `${key.replaceAll('_', '')}.`;

const formatTag = (list: ListDefinition, { base, revision, risk }: ArchiveState) =>
  `${toPrefix(list)}${base}.${revision}.${risk}`;

/** Returns the archive from which unchanged advisories are copied: of the same database and day of EPSS. */
async function findEarlier(
  path: string,
  list: ListDefinition,
  { base }: ArchiveState,
): Promise<{ readonly path: string; readonly state: ArchiveState } | null> {
  const folder = dirname(path);
  const prefix = `${toPrefix(list)}${base}.`;
  for (const name of await readdir(folder)) {
    const [, revision, risk] =
      (name.startsWith(prefix) && /^(\d+)\.(\d+)\.zip$/.exec(name.slice(prefix.length))) || [];
    if (revision !== undefined && risk !== undefined)
      return {
        path: join(folder, name),
        state: { base, revision: Number(revision), risk: Number(risk) },
      };
  }
  return null;
}

/** Archives of earlier states; a caller that still reads one reads it to its end. */
async function removeOthers(path: string, list: ListDefinition): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder))
    if (name.startsWith(toPrefix(list)) && name.endsWith('.zip') && join(folder, name) !== path)
      await rm(join(folder, name), { force: true });
}
