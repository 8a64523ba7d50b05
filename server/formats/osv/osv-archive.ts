/** The archive of an ecosystem. Advisories that have not changed since the archive before it are copied from there as they are. */
import { link, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { osvId } from '@patch/catalogue/formats/osv-id.ts';
import type { OsvRecord } from '@patch/catalogue/formats/osv-record.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { type MadeFile, type MadeFiles, writePieces } from '../../platform/files/made-files.ts';
import { readZipEntries, type ZipMember, ZipPieces } from '../../platform/files/zip-pieces.ts';
import { recordsAPage } from '../advisories/advisory-store.ts';
import { osvRecords } from './osv-advisory-store.ts';
import {
  type ArchiveState,
  archiveState,
  changedIdentifiers,
  identifiersAfter,
  withdrawnIdentifiers,
} from './osv-index-store.ts';

/** Returns the archive, with a tag that differs from those of other lists. */
export async function osvArchive(
  database: Queryable,
  files: MadeFiles,
  list: ListDefinition,
): Promise<MadeFile> {
  const name = list.key.replaceAll('_', '');
  const file = await files.get({ name, extension: 'zip' }, async () => {
    const state = await archiveState(database, list);
    return {
      tag: `${state.base}.${state.revision}.${state.risk}`,
      make: (path) => writeArchive(database, list, path, state),
    };
  });
  return { ...file, tag: `${name}.${file.tag}` };
}

async function writeArchive(
  database: Queryable,
  list: ListDefinition,
  path: string,
  state: ArchiveState,
): Promise<object> {
  const earlier = await findEarlier(path, state);
  const changed =
    earlier === null ? null : new Set(await changedIdentifiers(database, list, earlier.state));
  let records = 0;
  async function* pieces(): AsyncGenerator<Buffer> {
    const zip = new ZipPieces();
    if (earlier !== null && changed !== null) {
      const names = new Set([...changed].map((identifier) => `${osvId(identifier)}.json`));
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
  else await writePieces(path, pieces());
  return { records, copied: changed !== null };
}

/** @param changed - Identifiers of the records to read; null: all of the list. */
async function* readPages(
  database: Queryable,
  list: ListDefinition,
  changed: ReadonlySet<string> | null,
): AsyncIterable<readonly OsvRecord[]> {
  if (changed === null) yield* readListed(database, list);
  const others = [...(changed ?? (await withdrawnIdentifiers(database, list)))];
  for (let start = 0; start < others.length; start += recordsAPage)
    yield await osvRecords(database, list, others.slice(start, start + recordsAPage));
}

async function* readListed(
  database: Queryable,
  list: ListDefinition,
): AsyncIterable<readonly OsvRecord[]> {
  for (let after = ''; ; ) {
    const identifiers = await identifiersAfter(database, list, after, recordsAPage);
    const last = identifiers.at(-1);
    if (last === undefined) return;
    yield await osvRecords(database, list, identifiers);
    after = fold(last);
  }
}

const toMember = (record: OsvRecord): ZipMember => ({
  name: `${record.id}.json`,
  content: Buffer.from(JSON.stringify(record)),
  modified: new Date(record.modified),
});

/** Returns the archive of the same list from which unchanged advisories are copied: of the same database and day of EPSS. */
async function findEarlier(
  path: string,
  { base }: ArchiveState,
): Promise<{ readonly path: string; readonly state: ArchiveState } | null> {
  const folder = dirname(path);
  const [name] = path.slice(folder.length + 1).split('.');
  const prefix = `${name}.${base}.`;
  for (const other of await readdir(folder)) {
    const [, revision, risk] =
      (other.startsWith(prefix) && /^(\d+)\.(\d+)\.zip$/.exec(other.slice(prefix.length))) || [];
    if (revision !== undefined && risk !== undefined)
      return {
        path: join(folder, other),
        state: { base, revision: Number(revision), risk: Number(risk) },
      };
  }
  return null;
}
