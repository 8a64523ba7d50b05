/** The files that offline scanners download. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { osvId, toIdentifier } from '@patch/catalogue/formats/osv-id.ts';
import { getEcosystem, osvLists } from '@patch/catalogue/formats/osv-lists.ts';
import { osvFileEndpoint, osvIndexFileEndpoint } from '@patch/contract/osv-file-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { FileStream, JsonText, type RouteRegistrar, Unchanged } from '../../platform/http/route.ts';
import { listState } from '../advisories/list-state-store.ts';
import { osvRecords } from './osv-advisory-store.ts';
import { listsWithRecords, type ModifiedAdvisory, modifiedAdvisories } from './osv-index-store.ts';
import type { OsvArchives } from './osv-zip.ts';

export interface OsvFileParts {
  readonly database: Queryable;
  readonly archives: OsvArchives;
}

export function osvFileRoutes(route: RouteRegistrar, { database, archives }: OsvFileParts): void {
  route(osvIndexFileEndpoint, async ({ params: { file }, knows }) => {
    if (file !== 'ecosystems.txt' && file !== 'modified_id.csv')
      throw new AppError('not_found', `${file} does not exist here. Read ecosystems.txt.`);
    const states = await Promise.all(osvLists.map((list) => listState(database, list)));
    const tag = `osv.${states.join('.')}`;
    if (knows(tag)) return new Unchanged(tag);
    if (file === 'ecosystems.txt') {
      const keys = await listsWithRecords(database);
      const names = osvLists.filter(({ key }) => keys.includes(key)).map(getEcosystem);
      return textFile(file, 'text/plain', names.toSorted(), tag);
    }
    const lists = await Promise.all(
      osvLists.map(async (list) => ({ list, rows: await modifiedAdvisories(database, list) })),
    );
    const rows = lists.flatMap(({ list, rows: own }) =>
      own.map((row) => ({ ...row, before: `${getEcosystem(list)}/` })),
    );
    const lines = rows.toSorted((a, b) => b.modified - a.modified).map(csvLine);
    return textFile(file, 'text/csv', lines, tag);
  });

  route(osvFileEndpoint, async ({ params: { ecosystem, file }, knows }) => {
    const list = listOfEcosystem(ecosystem);
    if (file === 'all.zip') {
      const { path, bytes, tag } = await archives.archive(list);
      if (knows(tag)) return new Unchanged(tag);
      return new FileStream(file, 'application/zip', createReadStream(path), bytes, tag);
    }
    if (file === 'modified_id.csv') {
      const tag = await listState(database, list);
      if (knows(tag)) return new Unchanged(tag);
      const rows = await modifiedAdvisories(database, list);
      return textFile(
        file,
        'text/csv',
        rows.map((row) => csvLine({ ...row, before: '' })),
        tag,
      );
    }
    const identifier = /^(.+)\.json$/.exec(file)?.[1];
    const names = identifier === undefined ? [] : [toIdentifier(identifier)];
    const [record] = await osvRecords(database, list, names);
    if (record === undefined)
      throw new AppError('not_found', `${file} does not exist in ${ecosystem}.`);
    return new JsonText(JSON.stringify(record));
  });
}

function listOfEcosystem(ecosystem: string): ListDefinition {
  const list = osvLists.find((one) => getEcosystem(one) === ecosystem);
  if (list === undefined)
    throw new AppError(
      'not_found',
      `Unknown ecosystem '${ecosystem}'. Allowed: ${osvLists.map(getEcosystem).join(', ')}.`,
    );
  return list;
}

const csvLine = ({
  modified,
  identifier,
  before,
}: ModifiedAdvisory & { readonly before: string }) =>
  `${new Date(modified).toISOString()},${before}${osvId(identifier)}`;

function textFile(name: string, type: string, lines: readonly string[], tag: string): FileStream {
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  return new FileStream(name, `${type}; charset=utf-8`, Readable.from([text]), text.length, tag);
}
