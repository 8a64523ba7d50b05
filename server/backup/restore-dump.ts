/** Puts a dump into a database: all of it in one transaction, or nothing. */

import type { Database } from '../database/database.ts';
import { migrate, readMigrations } from '../database/migrate.ts';
import type { DumpFacts } from './database-dump.ts';
import { BrokenDump, dumpParts } from './dump-parts.ts';
import { dropTables, refreshAllStatistics, restoreRows, tablesThere, typesOfTable } from './restored-tables-store.ts';

/** It cannot be restored there; the message says why, and what to do. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
}

export interface RestoreOptions {
  readonly database: Database;
  readonly path: string;
  /** Whether what is there may be thrown away. */
  readonly replace: boolean;
  readonly say?: (line: string) => void;
}

export interface Restored {
  readonly facts: DumpFacts;
  readonly rows: number;
  /** Migrations that this version applied afterwards. */
  readonly migrated: readonly string[];
}

export async function restoreDump({ database, path, replace, say = () => undefined }: RestoreOptions): Promise<Restored> {
  const { facts, rows } = await database.transaction(async (session) => {
    const there = await tablesThere(session);
    if (there.names.length > 0) {
      if (!there.ours)
        throw new RestoreRefused(`The database holds tables of something else (${shown(there.names)}). Restore into an empty database.`);
      if (!replace)
        throw new RestoreRefused(
          `The database is not empty: it holds ${there.names.length} tables of Patch Repository. Restore into an empty one, or throw away what it holds with --replace.`,
        );
      say(`Throwing away the ${there.names.length} tables that are there …`);
      await dropTables(session, there.names);
    }
    let known: DumpFacts | null = null;
    const written: Record<string, number> = {};
    let types: ReadonlyMap<string, string> = new Map();
    let last = '';
    for await (const part of dumpParts(path)) {
      if (part.is === 'facts') {
        known = part.facts;
        await refuseNewer(part.facts);
        say(`The dump was made by version ${known.product}, ${new Date(known.takenAt).toISOString()}, and holds ${known.rows} rows.`);
      } else if (part.is === 'statements') {
        if (known === null) throw new BrokenDump('The dump does not say what it is: it is damaged.');
        await session.script(part.text);
      } else if (part.is === 'rows') {
        if (part.table !== last) types = await typesOfTable(session, part.table);
        last = part.table;
        await restoreRows(session, { ...part, types });
        written[part.table] = (written[part.table] ?? 0) + part.rows.length;
      } else {
        for (const [table, expected] of Object.entries(part.written)) {
          if ((written[table] ?? 0) !== expected)
            throw new BrokenDump(`${table} has ${written[table] ?? 0} rows in the dump, not ${expected}: it is damaged.`);
          if (expected > 0) say(`${table}: ${expected} rows`);
        }
      }
    }
    if (known === null) throw new BrokenDump('The dump does not say what it is: it is damaged.');
    return { facts: known, rows: Object.values(written).reduce((sum, one) => sum + one, 0) };
  });
  const migrated = await migrate(database);
  await refreshAllStatistics(database);
  return { facts, rows, migrated };
}

async function refuseNewer({ migrations, product }: DumpFacts): Promise<void> {
  const known = new Set((await readMigrations()).map(({ name }) => name));
  const unknown = migrations.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new BrokenDump(
      `The dump is of version ${product}, which is newer than this one: it has ${unknown}. Restore it with that version.`,
    );
}

const shown = (names: readonly string[]) => `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
