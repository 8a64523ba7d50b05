/**
 * Restores the rows of a dump, in one transaction, into tables that this version's migrations create. The dump must have the same
 * schema; its statements are never run.
 */
import type { Database, Session } from '../../platform/database/database.ts';
import { findDatabaseUnavailable } from '../../platform/database/database-unavailable.ts';
import {
  createTables,
  readMigrations,
  schemaVersion,
} from '../../platform/database/schema/migrate.ts';
import type { DumpFacts } from './database-dump.ts';
import { BrokenDump } from './dump-lines.ts';
import { type DumpPart, readDumpParts } from './dump-parts.ts';
import { type DumpTrust, RestoreRefused, verifyDump } from './dump-signature.ts';
import { recreatedTables } from './dumped-tables-store.ts';
import {
  dropTables,
  emptyTables,
  readColumnTypes,
  readExistingTables,
  refreshAllStatistics,
  restoreRows,
  setSequence,
} from './restored-tables-store.ts';

export interface RestoreOptions {
  readonly database: Database;
  readonly path: string;
  readonly trust: DumpTrust;
  /** Whether existing tables may be dropped. */
  readonly replace: boolean;
  readonly say?: (line: string) => void;
}

export interface RestoreResult {
  readonly facts: DumpFacts;
  readonly rows: number;
}

/** @throws RestoreRefused or BrokenDump; the database is then unchanged. */
export async function restoreDump({
  database,
  path,
  trust,
  replace,
  say = () => undefined,
}: RestoreOptions): Promise<RestoreResult> {
  const { digest, signedBy } = await verifyDump(path, trust);
  say(
    signedBy === null
      ? 'The signature of the dump was not verified.'
      : `The dump is signed with the key ${signedBy}.`,
  );
  const restored = await database.transaction(async (tx) => {
    // One statement creates all tables, which takes long on a busy server.
    await tx.query('set local statement_timeout = 0');
    const parts = readDumpParts(path);
    const { value: first } = await parts.next();
    if (first === undefined || first.kind !== 'facts')
      throw new BrokenDump('The dump has no header: it is damaged.');
    const { facts } = first;
    say(
      `The dump was made by version ${facts.product}, ${new Date(facts.takenAt).toISOString()}, and contains ${facts.rows} rows.`,
    );
    const migrations = await readMigrations();
    assertSchema(facts, schemaVersion(migrations));
    await clearTables(tx, replace, say);
    await createTables(tx, migrations);
    return { facts, rows: await restoreParts(tx, parts, { digest, say }) };
  });
  await refreshAllStatistics(database).catch((error: unknown) => {
    if (findDatabaseUnavailable(error) === null) throw error;
    // The rows are stored; PostgreSQL refreshes its statistics by itself too.
    say('The database stopped responding after the restore, before its statistics were complete.');
  });
  return restored;
}

function assertSchema({ schema, product }: DumpFacts, own: string): void {
  if (schema === own) return;
  throw new RestoreRefused(
    `The dump has the schema ${schema}, of version ${product} of the service; this version has the schema ${own}. ` +
      'Restore the dump with the version that made it. If that one is older, start this version on the restored database: it brings its tables up to date.',
  );
}

async function clearTables(
  tx: Session,
  replace: boolean,
  say: (line: string) => void,
): Promise<void> {
  const existing = await readExistingTables(tx);
  if (existing.names.length === 0) return;
  if (!existing.ours)
    throw new RestoreRefused(
      `The database contains tables of another product (${listNames(existing.names)}). Restore into an empty database.`,
    );
  if (!replace)
    throw new RestoreRefused(
      `The database is not empty: it contains ${existing.names.length} tables of Patch Repository. Restore into an empty one, or drop its tables with --replace.`,
    );
  say(`Dropping the ${existing.names.length} existing tables …`);
  await dropTables(tx, existing.names);
}

interface RestoreContext {
  /** The digest of the verified dump. */
  readonly digest: string;
  readonly say: (line: string) => void;
}

/** Returns the number of rows. */
async function restoreParts(
  tx: Session,
  parts: AsyncIterable<DumpPart>,
  { digest, say }: RestoreContext,
): Promise<number> {
  const tables = await readColumnTypes(tx);
  const indexes = await emptyTables(
    tx,
    [...tables.keys()].filter((name) => !recreatedTables.has(name)),
  );
  const written: Record<string, number> = {};
  for await (const part of parts) {
    if (part.kind === 'rows') {
      const types = recreatedTables.has(part.table) ? undefined : tables.get(part.table);
      if (types === undefined)
        throw new BrokenDump(
          `The dump has rows of ${part.table}, which is not a table of this schema: it is damaged.`,
        );
      const stray = part.columns.find((column) => !types.has(column));
      if (stray !== undefined)
        throw new BrokenDump(
          `The dump has a column ${stray} of ${part.table}, which this schema does not have: it is damaged.`,
        );
      await restoreRows(tx, { ...part, types });
      written[part.table] = (written[part.table] ?? 0) + part.rows.length;
    } else if (part.kind === 'sequence') {
      if (!(await setSequence(tx, part)))
        throw new BrokenDump(
          `The dump has a sequence of ${part.table}.${part.column}, which this schema does not have: it is damaged.`,
        );
    } else if (part.kind === 'end') {
      for (const [table, expected] of Object.entries(part.written)) {
        if ((written[table] ?? 0) !== expected)
          throw new BrokenDump(
            `${table} has ${written[table] ?? 0} rows in the dump, not ${expected}: it is damaged.`,
          );
        if (expected > 0) say(`${table}: ${expected} rows`);
      }
    } else if (part.kind === 'digest' && part.digest !== digest) {
      throw new RestoreRefused('The file was changed while it was restored. Restore it again.');
    }
  }
  for (const definition of indexes) await tx.script(definition);
  return Object.values(written).reduce((sum, count) => sum + count, 0);
}

const listNames = (names: readonly string[]) =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
