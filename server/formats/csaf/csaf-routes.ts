/** The files of a CSAF provider. Documents are made for each request. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { csafFileName, csafYear } from '@patch/catalogue/formats/csaf-file-name.ts';
import type { CsafPublisher } from '@patch/catalogue/formats/csaf-types.ts';
import {
  csafAdvisoryEndpoint,
  csafFileEndpoint,
  csafIndexFileEndpoint,
} from '@patch/contract/csaf-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { FileStream, type RouteRegistrar, Unchanged } from '../../platform/http/route.ts';
import type { RecordsContext } from '../../records/records-context.ts';
import { getSearchCaller } from '../../records/search/search-service.ts';
import { advisoryOfFile, readCsafDocument } from './csaf-advisory-store.ts';
import { type CsafIndexRow, csafIndex, csafState, lastCsafChange } from './csaf-index-store.ts';
import { providerMetadata, rolieFeed } from './csaf-provider.ts';

const indexFiles = ['provider-metadata.json', 'feed.json', 'index.txt', 'changes.csv'];

export function csafRoutes(
  route: RouteRegistrar,
  { database, desk, baseUrl }: Pick<RecordsContext, 'database' | 'desk' | 'baseUrl'>,
): void {
  const addresses = () => {
    const namespace = baseUrl();
    const publisher: CsafPublisher = {
      category: 'multiplier',
      name: 'Patch Repository',
      namespace,
    };
    return { baseUrl: `${namespace}/api/csaf`, publisher };
  };

  route(csafIndexFileEndpoint, (request) =>
    desk.run(getSearchCaller(request), async () => {
      const { file } = request.params;
      if (!indexFiles.includes(file))
        throw new AppError(
          'not_found',
          `There is no ${file} here. There are: ${indexFiles.join(', ')}.`,
        );
      const provider = addresses();
      const tag = `csaf.${toHash('sha256', `${provider.baseUrl} ${await csafState(database)}`)}`;
      if (request.knows(tag)) return new Unchanged(tag);
      if (file === 'provider-metadata.json') {
        const text = JSON.stringify(providerMetadata(provider, await lastCsafChange(database)));
        return createFile(file, 'application/json', Buffer.from(text), tag);
      }
      const rows = await csafIndex(database);
      const [type, pieces] =
        file === 'feed.json'
          ? ['application/json', rolieFeed(provider, rows)]
          : ['text/plain', lines(rows, file === 'changes.csv')];
      return new FileStream(file, `${type}; charset=utf-8`, Readable.from(pieces), null, tag);
    }),
  );

  route(csafAdvisoryEndpoint, (request) =>
    desk.run(getSearchCaller(request), async () => {
      const { id } = request.params;
      const found = await advisoryOfFile(database, csafFileName(id));
      const document = found === null ? null : await readCsafDocument(database, found, addresses());
      if (document === null) throw new AppError('not_found', `There is no advisory ${id}.`);
      return { ...document };
    }),
  );

  route(csafFileEndpoint, (request) =>
    desk.run(getSearchCaller(request), async () => {
      const {
        params: { year, file },
        knows,
      } = request;
      const [, name = '', hash] = /^([+\-a-z0-9_]+\.json)(?:\.(sha256|sha512))?$/.exec(file) ?? [];
      const found = await advisoryOfFile(database, name);
      const document = found === null ? null : await readCsafDocument(database, found, addresses());
      const folder = document?.document.tracking.initial_release_date.slice(0, 4);
      if (document === null || folder !== year)
        throw new AppError(
          'not_found',
          `There is no ${year}/${file}. There are <id>.json, <id>.json.sha256 and <id>.json.sha512, in small letters.`,
        );
      const bytes = Buffer.from(JSON.stringify(document));
      const tag = toHash('sha256', bytes);
      if (knows(tag)) return new Unchanged(tag);
      if (hash === undefined) return createFile(name, 'application/json', bytes, tag);
      const text = `${toHash(hash as 'sha256' | 'sha512', bytes)}  ${name}\n`;
      return createFile(file, 'text/plain', Buffer.from(text), tag);
    }),
  );
}

const toHash = (algorithm: 'sha256' | 'sha512', content: Buffer | string): string =>
  createHash(algorithm).update(content).digest('hex');

/** Rows that become text at once: a stream asks for the next when the caller has taken them. */
const rowsAtOnce = 500;

function* lines(rows: readonly CsafIndexRow[], withTime: boolean): Generator<string> {
  for (let index = 0; index < rows.length; index += rowsAtOnce)
    yield rows
      .slice(index, index + rowsAtOnce)
      .map(({ identifier, created, changed }) => {
        const path = `${csafYear(created)}/${csafFileName(identifier)}`;
        return withTime ? `${path},${new Date(changed).toISOString()}\n` : `${path}\n`;
      })
      .join('');
}

const createFile = (name: string, type: string, bytes: Buffer, tag: string): FileStream =>
  new FileStream(name, `${type}; charset=utf-8`, Readable.from([bytes]), bytes.length, tag);
