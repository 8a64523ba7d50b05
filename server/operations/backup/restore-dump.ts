/**
 * Puts the rows of a dump into tables that this version's own migrations make: all in one transaction, or nothing. The dump has the same
 * schema; none of its statements is ever run.
 */
import type { Database, Session } from '../../platform/database/database.ts';
import { makeTables, readMigrations, schemaVersion } from '../../platform/database/migrate.ts';
import type { DumpFacts } from './database-dump.ts';
import { BrokenDump } from './dump-lines.ts';
import { type DumpPart, dumpParts } from './dump-parts.ts';
import { type DumpTrust, RestoreRefused, verifyDump } from './dump-signature.ts';
import { recreatedTables } from './dumped-tables-store.ts';
import {
  columnTypes,
  dropTables,
  emptyTables,
  existingTables,
  refreshAllStatistics,
  restoreRows,
  setSequence,
} from './restored-tables-store.ts';

export interface RestoreOptions {
  readonly database: Database;
  readonly path: string;
  readonly trust: DumpTrust;
  /** Whether what is there may be thrown away. */
  readonly replace: boolean;
  readonly say?: (line: string) => void;
}

export interface Restored {
  readonly facts: DumpFacts;
  readonly rows: number;
}

/** Throws a RestoreRefused or a BrokenDump; the database is then as it was. */
export async function restoreDump({
  database,
  path,
  trust,
  replace,
  say = () => undefined,
}: RestoreOptions): Promise<Restored> {
  const { digest, signedBy } = await verifyDump(path, trust);
  say(
    signedBy === null
      ? 'The signature of the dump was not verified.'
      : `The dump is signed with the key ${signedBy}.`,
  );
  const restored = await database.transaction(async (tx) => {
    // One statement makes all the tables: a busy server may take its time.
    await tx.query('set local statement_timeout = 0');
    const parts = dumpParts(path);
    const { value: first } = await parts.next();
    if (first === undefined || first.kind !== 'facts')
      throw new BrokenDump('The dump has no header: it is damaged.');
    const { facts } = first;
    say(
      `The dump was made by version ${facts.product}, ${new Date(facts.takenAt).toISOString()}, and holds ${facts.rows} rows.`,
    );
    const migrations = await readMigrations();
    assertSchema(facts, schemaVersion(migrations));
    await makeRoom(tx, replace, say);
    await makeTables(tx, migrations);
    return { facts, rows: await restoreParts(tx, parts, { digest, say }) };
  });
  await refreshAllStatistics(database);
  return restored;
}

function assertSchema({ schema, product }: DumpFacts, own: string): void {
  if (schema === own) return;
  throw new RestoreRefused(
    `The dump has the schema ${schema}, of version ${product} of the service; this version has the schema ${own}. ` +
      'Restore the dump with the version that made it. If that one is older, start this version on the restored database: it brings its tables up to date.',
  );
}

async function makeRoom(tx: Session, replace: boolean, say: (line: string) => void): Promise<void> {
  const there = await existingTables(tx);
  if (there.names.length === 0) return;
  if (!there.ours)
    throw new RestoreRefused(
      `The database holds tables of something else (${shown(there.names)}). Restore into an empty database.`,
    );
  if (!replace)
    throw new RestoreRefused(
      `The database is not empty: it holds ${there.names.length} tables of Patch Repository. Restore into an empty one, or throw away what it holds with --replace.`,
    );
  say(`Throwing away the ${there.names.length} tables that are there …`);
  await dropTables(tx, there.names);
}

interface Restoring {
  /** Of the dump as it was verified. */
  readonly digest: string;
  readonly say: (line: string) => void;
}

/** Answers how many rows there are. */
async function restoreParts(
  tx: Session,
  parts: AsyncIterable<DumpPart>,
  { digest, say }: Restoring,
): Promise<number> {
  const tables = await columnTypes(tx);
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
  return Object.values(written).reduce((sum, one) => sum + one, 0);
}

const shown = (names: readonly string[]) =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
