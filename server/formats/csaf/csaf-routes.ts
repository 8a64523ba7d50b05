/** The files of a CSAF provider. Documents and their signatures are made for each request, indexes after each change of a list. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { csafFileName, csafYear } from '@patch/catalogue/formats/csaf-file-name.ts';
import type { CsafDocument } from '@patch/catalogue/formats/csaf-types.ts';
import { readVexFileName } from '@patch/catalogue/formats/vex-document.ts';
import {
  csafAdvisoryEndpoint,
  csafFileEndpoint,
  csafIndexFileEndpoint,
} from '@patch/contract/formats/csaf-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { type MadeFiles, writePieces } from '../../platform/files/made-files.ts';
import { FileStream, type RouteRegistrar, Unchanged } from '../../platform/http/route.ts';
import { type OpenPgpSigner, openPgpSigner } from '../../platform/secrets/openpgp-signer.ts';
import type { RecordsContext } from '../../records/records-context.ts';
import { getSearchCaller } from '../../records/search/search-service.ts';
import { findAdvisoryOfFile, readCsafDocument } from './csaf-advisory-store.ts';
import { type CsafIndexRow, csafIndex, csafState, lastCsafChange } from './csaf-index-store.ts';
import { type CsafProvider, csafKeyFile, providerMetadata, rolieFeed } from './csaf-provider.ts';
import { readVexDocument } from './csaf-vex-store.ts';

const indexFiles = ['provider-metadata.json', csafKeyFile, 'feed.json', 'index.txt', 'changes.csv'];

interface CsafFiles {
  readonly database: RecordsContext['database'];
  readonly files: MadeFiles;
  readonly provider: () => CsafProvider;
  readonly signer: () => Promise<OpenPgpSigner>;
}

export function csafRoutes(
  route: RouteRegistrar,
  {
    database,
    searchService,
    baseUrl,
    box,
    files: made,
  }: Pick<RecordsContext, 'database' | 'searchService' | 'baseUrl' | 'box'> & {
    readonly files: MadeFiles;
  },
): void {
  let signer: Promise<OpenPgpSigner> | null = null;
  const files: CsafFiles = {
    database,
    files: made,
    provider() {
      const namespace = baseUrl();
      return {
        baseUrl: `${namespace}/api/csaf`,
        publisher: { category: 'multiplier', name: 'Patch Repository', namespace },
      };
    },
    signer() {
      signer ??= openPgpSigner(box.keyFor('patch-repository CSAF documents'), 'Patch Repository');
      return signer;
    },
  };

  route(csafIndexFileEndpoint, (request) =>
    searchService.run(getSearchCaller(request), () =>
      readIndexFile(files, request.params.file, request.knows),
    ),
  );

  route(csafAdvisoryEndpoint, (request) =>
    searchService.run(getSearchCaller(request), async () => {
      const { id } = request.params;
      const document = await readDocument(files, csafFileName(id));
      if (document === null) throw new AppError('not_found', `There is no advisory ${id}.`);
      return { ...document };
    }),
  );

  route(csafFileEndpoint, (request) =>
    searchService.run(getSearchCaller(request), () =>
      readDocumentFile(files, request.params, request.knows),
    ),
  );
}

type Knows = (tag: string) => boolean;

async function readIndexFile(
  { database, files, provider, signer }: CsafFiles,
  file: string,
  knows: Knows,
): Promise<FileStream | Unchanged> {
  if (!indexFiles.includes(file))
    throw new AppError(
      'not_found',
      `There is no ${file} here. There are: ${indexFiles.join(', ')}.`,
    );
  if (file === csafKeyFile) {
    const { fingerprint, publicKey } = await signer();
    if (knows(fingerprint)) return new Unchanged(fingerprint);
    return createFile(file, 'application/pgp-keys', Buffer.from(publicKey), fingerprint);
  }
  if (file === 'provider-metadata.json') {
    const { fingerprint } = await signer();
    const own = provider();
    const tag = toTag(`${await readState(own, database)} ${fingerprint}`);
    if (knows(tag)) return new Unchanged(tag);
    const metadata = providerMetadata(own, await lastCsafChange(database), fingerprint);
    return createFile(file, 'application/json', Buffer.from(JSON.stringify(metadata)), tag);
  }
  const current = toTag(await readState(provider(), database));
  if (knows(current)) return new Unchanged(current);
  const [name = '', extension = ''] = file.split('.');
  const { path, bytes, tag } = await files.get({ name: `csaf-${name}`, extension }, async () => {
    const own = provider();
    return {
      tag: toTag(await readState(own, database)),
      async make(made) {
        await database.transaction((tx) => {
          const rows = csafIndex(tx);
          const pieces =
            file === 'feed.json' ? rolieFeed(own, rows) : lines(rows, name === 'changes');
          return writePieces(made, pieces);
        });
        return {};
      },
    };
  });
  const type = extension === 'json' ? 'application/json' : 'text/plain';
  return new FileStream(file, `${type}; charset=utf-8`, createReadStream(path), bytes, tag);
}

const readState = async (own: CsafProvider, database: CsafFiles['database']): Promise<string> =>
  `${own.baseUrl} ${await csafState(database)}`;

const toTag = (state: string): string => `csaf.${toHash('sha256', state)}`;

async function readDocument(
  { database, provider }: CsafFiles,
  fileName: string,
): Promise<CsafDocument | null> {
  const subject = readVexFileName(fileName);
  if (subject !== null) return readVexDocument(database, subject, provider());
  const found = await findAdvisoryOfFile(database, fileName);
  return found === null ? null : readCsafDocument(database, found, provider());
}

/** A document, or its hash or signature, which are of the bytes that are served. */
async function readDocumentFile(
  files: CsafFiles,
  { year, file }: { readonly year: string; readonly file: string },
  knows: Knows,
): Promise<FileStream | Unchanged> {
  const [, name = '', kind] = /^([+\-a-z0-9_]+\.json)(?:\.(sha256|sha512|asc))?$/.exec(file) ?? [];
  const document = await readDocument(files, name);
  const folder = document?.document.tracking.initial_release_date.slice(0, 4);
  if (document === null || folder !== year)
    throw new AppError(
      'not_found',
      `There is no ${year}/${file}. There are <id>.json and with it .sha256, .sha512 and .asc, in small letters.`,
    );
  const bytes = Buffer.from(JSON.stringify(document));
  // The tags of hashes and of the signature begin with that of the document, so that a caller sees that they belong together.
  const hash = toHash('sha256', bytes);
  if (kind === 'asc') {
    const signer = await files.signer();
    const tag = `${hash}.${signer.fingerprint}`;
    if (knows(tag)) return new Unchanged(tag);
    const signature = await signer.sign(bytes, releaseTime(document));
    return createFile(file, 'application/pgp-signature', Buffer.from(signature), tag);
  }
  if (knows(hash)) return new Unchanged(hash);
  if (kind === undefined) return createFile(name, 'application/json', bytes, hash);
  const text = `${toHash(kind as 'sha256' | 'sha512', bytes)}  ${name}\n`;
  return createFile(file, 'text/plain', Buffer.from(text), hash);
}

const releaseTime = ({ document }: CsafDocument): number =>
  Date.parse(document.tracking.current_release_date);

const toHash = (algorithm: 'sha256' | 'sha512', content: Buffer | string): string =>
  createHash(algorithm).update(content).digest('hex');

async function* lines(
  batches: AsyncIterable<readonly CsafIndexRow[]>,
  withTime: boolean,
): AsyncGenerator<string> {
  for await (const rows of batches)
    yield rows
      .map(({ identifier, created, changed }) => {
        const path = `${csafYear(created)}/${csafFileName(identifier)}`;
        return withTime ? `${path},${new Date(changed).toISOString()}\n` : `${path}\n`;
      })
      .join('');
}

const createFile = (name: string, type: string, bytes: Buffer, tag: string): FileStream =>
  new FileStream(name, `${type}; charset=utf-8`, Readable.from([bytes]), bytes.length, tag);
