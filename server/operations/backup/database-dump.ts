/** Writes a dump of the database while reading it: plain SQL that psql and `npm run restore` restore. */
import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGzip } from 'node:zlib';
import type { Session } from '../../platform/database/database.ts';
import {
  createMigrationTable,
  readMigrations,
  schemaVersion,
} from '../../platform/database/schema/migrate.ts';
import { type AtomicFileOptions, writeAtomically } from '../../platform/files/atomic-file.ts';
import { productVersion } from '../../platform/http/product-version.ts';
import { type ServiceSigner, serviceSigner } from '../../platform/secrets/service-signer.ts';
import { copyEnd, copyLine } from './dump-lines.ts';
import {
  countTableRows,
  quoteName,
  readAppliedMigrations,
  readDumpedTables,
  readIdentityColumns,
  readIndexes,
  readTableRows,
  recreatedTables,
} from './dumped-tables-store.ts';

export const dumpFormat = 2;
export const dumpHeading = '-- Patch Repository, database dump';
/** Precedes the JSON of the dump's facts. */
export const dumpFactsMark = '-- facts ';
export const dumpEndMark = '-- end ';
/** Precedes the checksum of everything before it. */
export const dumpSumMark = '-- crc32 ';
/** Precedes the fingerprint of the signing key and the signature, on the last line. */
export const dumpSignatureMark = '-- signed ';
export const sumText = (sum: number) => sum.toString(16).padStart(8, '0');

export interface DumpFacts {
  readonly format: number;
  readonly product: string;
  /** The value of `schemaVersion`. */
  readonly schema: string;
  readonly takenAt: number;
  /** The number of all rows. */
  readonly rows: number;
}

export interface DumpProgress {
  /** Called before the first row. */
  readonly onTotal?: (rows: number) => void;
  readonly onRows?: (table: string, rows: number) => void;
  readonly signal?: AbortSignal;
}

const advice = `--
-- Into an empty database: npm run restore -- <this file>. It verifies the signature and runs none of the statements in this file.
-- Or psql -X -d <database> -f <this file, unpacked>, which runs them all: verify first, with npm run restore -- --check <this file>.
-- Passwords of the mail server and the like stay sealed: keep the SECRET_KEY, or secret.key of the data folder, with this dump.
-- Sessions, tickets, waiting mails and the files of the data folder are not in it.
`;

/** Requires a transaction with snapshot isolation. */
export async function* dumpText(
  session: Session,
  now: number,
  signer: ServiceSigner,
  progress: DumpProgress = {},
): AsyncGenerator<string> {
  let sum = 0;
  const hash = createHash('sha512');
  for await (const text of dumpPieces(session, now, progress)) {
    sum = crc32(text, sum);
    hash.update(text);
    yield text;
  }
  const sumLine = `${dumpSumMark}${sumText(sum)}\n`;
  yield sumLine;
  yield `${dumpSignatureMark}${signer.fingerprint} ${signer.sign(signedText(hash.update(sumLine).digest('hex')))}\n`;
}

/**
 * The signed text.
 * @param digest SHA-512 of all lines before the signature, in hexadecimal.
 */
export const signedText = (digest: string) => Buffer.from(`Patch Repository dump ${digest}`);

/**
 * The key that signs dumps.
 * @param secret The service's key.
 */
export const dumpSigner = (secret: Uint8Array) =>
  serviceSigner(secret, 'patch-repository database dumps');

async function* dumpPieces(
  session: Session,
  now: number,
  { onTotal, onRows, signal }: DumpProgress,
): AsyncGenerator<string> {
  const migrations = await readMigrations();
  const schema = schemaVersion(migrations);
  await assertSchema(session, schema);
  const tables = await readDumpedTables(session);
  let total = 0;
  for (const table of tables) total += await countTableRows(session, table);
  onTotal?.(total);
  const facts: DumpFacts = {
    format: dumpFormat,
    product: productVersion,
    schema,
    takenAt: now,
    rows: total,
  };
  yield `${dumpHeading}\n${dumpFactsMark}${JSON.stringify(facts)}\n${advice}\n\\set ON_ERROR_STOP on\n\nbegin;\n`;
  yield `set local client_encoding to 'UTF8';\nset local client_min_messages to warning;\nset local search_path to public;\n`;
  yield `\n${createMigrationTable};\n`;
  for (const { name, text, checksum } of migrations)
    yield `\n-- ${name}\n${text.trimEnd()}\ninsert into migration values ('${name}', '${checksum}', ${now});\n`;

  const indexes = await readIndexes(session);
  yield '\n-- Indexes are made when the rows are there: that is much faster.\n';
  if (indexes.length > 0)
    yield `drop index ${indexes.map(({ name }) => quoteName(name)).join(', ')};\n`;
  const emptied = tables.flatMap(({ name }) =>
    recreatedTables.has(name) ? [] : [quoteName(name)],
  );
  yield `-- Rows that the migrations wrote are among those below.\ntruncate ${emptied.join(', ')};\n`;

  const written: Record<string, number> = {};
  for (const table of tables.filter(({ name }) => !recreatedTables.has(name))) {
    written[table.name] = 0;
    yield `\ncopy ${quoteName(table.name)} (${table.columns.map(quoteName).join(', ')}) from stdin;\n`;
    for await (const rows of readTableRows(session, table)) {
      signal?.throwIfAborted();
      yield `${rows.map(copyLine).join('\n')}\n`;
      written[table.name] = (written[table.name] ?? 0) + rows.length;
      onRows?.(table.name, rows.length);
    }
    yield `${copyEnd}\n`;
  }

  yield '\n';
  for (const { table, column, last, called } of await readIdentityColumns(session))
    yield `select setval(pg_get_serial_sequence('${quoteName(table)}', '${column}'), ${last}, ${called});\n`;
  for (const { definition } of indexes) yield `${definition};\n`;
  yield `\ncommit;\n\nvacuum (analyze) ${tables.map(({ name }) => quoteName(name)).join(', ')};\n`;
  yield `${dumpEndMark}${JSON.stringify(written)}\n`;
}

async function assertSchema(session: Session, schema: string): Promise<void> {
  const found = schemaVersion(await readAppliedMigrations(session));
  if (found !== schema)
    throw new Error(
      `The database has the schema ${found}, and this version of the service ${schema}. Back it up with the version that runs on it.`,
    );
}

/** Compresses when the name ends in .gz. Returns the file's size. */
export function writeDumpFile(
  session: Session,
  path: string,
  now: number,
  signer: ServiceSigner,
  progress: DumpProgress & AtomicFileOptions = {},
): Promise<number> {
  const write = (file: Writable) => {
    const text = Readable.from(dumpText(session, now, signer, progress), {
      objectMode: true,
      highWaterMark: 1,
    });
    return path.endsWith('.gz') ? pipeline(text, createGzip(), file) : pipeline(text, file);
  };
  return writeAtomically(path, write, progress);
}
