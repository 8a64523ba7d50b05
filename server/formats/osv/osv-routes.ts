/** The calls of osv.dev over this catalogue, and the files that offline scanners download. */

import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { toIdentifier } from '@patch/catalogue/formats/osv-id.ts';
import { getEcosystem, osvLists } from '@patch/catalogue/formats/osv-lists.ts';
import type { OsvRecord } from '@patch/catalogue/formats/osv-record.ts';
import {
  osvBatchEndpoint,
  osvQueryEndpoint,
  osvRecordEndpoint,
} from '@patch/contract/formats/osv-endpoints.ts';
import {
  osvFileEndpoint,
  osvIndexFileEndpoint,
} from '@patch/contract/formats/osv-file-endpoints.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { type MadeFiles, writePieces } from '../../platform/files/made-files.ts';
import { FileStream, JsonText, type RouteRegistrar, Unchanged } from '../../platform/http/route.ts';
import type { RecordsContext } from '../../records/records-context.ts';
import { getSearchCaller } from '../../records/search/search-service.ts';
import { listState } from '../advisories/advisory-store.ts';
import { osvRecords } from './osv-advisory-store.ts';
import { type AffectingAdvisory, advisoriesAffecting } from './osv-answers.ts';
import { osvArchive } from './osv-archive.ts';
import { type AnswerOsvBatch, readTarget, selectPage } from './osv-batch.ts';
import { listsWithRecords, modifiedLines } from './osv-index-store.ts';

/** Records in a page. */
const maxRecords = 100;

export interface OsvRoutes extends Pick<RecordsContext, 'database' | 'searchService'> {
  readonly answerBatch: AnswerOsvBatch;
}

export function osvRoutes(
  route: RouteRegistrar,
  { database, searchService, answerBatch }: OsvRoutes,
): void {
  route(osvQueryEndpoint, (request) =>
    searchService.run(getSearchCaller(request), async () => {
      const { signal, body } = request;
      const [own = []] = await advisoriesAffecting(database, [readTarget(body)], signal);
      const { page, next } = selectPage(own, body, maxRecords);
      if (page.length === 0) return {};
      return { vulns: await readRecords(database, page), ...next };
    }),
  );

  route(osvBatchEndpoint, (request) =>
    searchService.run(
      getSearchCaller(request),
      async () => new JsonText(await answerBatch(request.body, request.signal)) as never,
    ),
  );

  route(osvRecordEndpoint, (request) =>
    searchService.run(getSearchCaller(request), async () => {
      for (const list of osvLists) {
        const [found] = await osvRecords(database, list, [toIdentifier(request.params.id)]);
        if (found !== undefined) return { ...found };
      }
      throw new AppError('not_found', 'Bug not found.');
    }),
  );
}

/** In the order of the advisories. */
async function readRecords(database: Queryable, advisories: readonly AffectingAdvisory[]) {
  const byId = new Map<string, OsvRecord>();
  for (const list of osvLists) {
    const own = advisories.filter((advisory) => advisory.list === list.key);
    if (own.length === 0) continue;
    const names = own.map(({ identifier }) => identifier);
    for (const record of await osvRecords(database, list, names)) byId.set(record.id, record);
  }
  return advisories.flatMap(({ id }) => {
    const record = byId.get(id);
    return record === undefined ? [] : [{ ...record }];
  });
}

interface OsvFileParts {
  readonly database: Database;
  readonly files: MadeFiles;
}

/** The files that offline scanners download. */
export function osvFileRoutes(route: RouteRegistrar, { database, files }: OsvFileParts): void {
  /** Times and ids of the advisories of these lists, the one that changed last first. */
  async function modifiedFile(
    name: string,
    lists: readonly ListDefinition[],
    readTag: () => Promise<string>,
  ) {
    const { path, bytes, tag } = await files.get({ name, extension: 'csv' }, async () => ({
      tag: await readTag(),
      async make(csv) {
        await database.transaction((tx) => writePieces(csv, modifiedLines(tx, lists)));
        return {};
      },
    }));
    const body = createReadStream(path);
    return new FileStream('modified_id.csv', 'text/csv; charset=utf-8', body, bytes, tag);
  }

  async function readIndexTag(): Promise<string> {
    const states = await Promise.all(osvLists.map((list) => listState(database, list)));
    return `osv.${states.join('.')}`;
  }

  route(osvIndexFileEndpoint, async ({ params: { file }, knows }) => {
    if (file !== 'ecosystems.txt' && file !== 'modified_id.csv')
      throw new AppError('not_found', `${file} does not exist here. Read ecosystems.txt.`);
    const tag = await readIndexTag();
    if (knows(tag)) return new Unchanged(tag);
    if (file === 'ecosystems.txt') {
      const keys = await listsWithRecords(database);
      const names = osvLists.filter(({ key }) => keys.includes(key)).map(getEcosystem);
      return textFile(file, 'text/plain', names.toSorted(), tag);
    }
    return modifiedFile('osv', osvLists, readIndexTag);
  });

  route(osvFileEndpoint, async ({ params: { ecosystem, file }, knows }) => {
    const list = listOfEcosystem(ecosystem);
    if (file === 'all.zip') {
      const { path, bytes, tag } = await osvArchive(database, files, list);
      if (knows(tag)) return new Unchanged(tag);
      return new FileStream(file, 'application/zip', createReadStream(path), bytes, tag);
    }
    if (file === 'modified_id.csv') {
      const readTag = () => listState(database, list);
      const tag = await readTag();
      if (knows(tag)) return new Unchanged(tag);
      return modifiedFile(list.key.replaceAll('_', ''), [list], readTag);
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

function textFile(name: string, type: string, lines: readonly string[], tag: string): FileStream {
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  return new FileStream(name, `${type}; charset=utf-8`, Readable.from([text]), text.length, tag);
}
