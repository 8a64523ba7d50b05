/** A migrated embedded database as a file: tests begin with it, since making one takes seconds. */
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { openEmbedded } from '../platform/database/embedded-database.ts';
import { migrate, migrationsFolder } from '../platform/database/migrate.ts';
import { openPglite } from '../platform/database/pglite-session.ts';
import { type MigratedState, migratedState } from './emptied-database.ts';

const cache = join(import.meta.dirname, '..', '..', '.cache', 'test-databases');

export interface MigratedArchive {
  /** The file of PGlite's `dumpDataDir`. */
  readonly file: string;
  readonly state: MigratedState;
}

/** Made once for each state of the migrations and version of PGlite. */
export async function migratedArchive(): Promise<MigratedArchive> {
  const place = join(cache, fingerprint());
  if (!existsSync(place)) await makeArchive(place);
  return {
    file: join(place, 'database.tar'),
    state: JSON.parse(readFileSync(join(place, 'state.json'), 'utf8')) as MigratedState,
  };
}

async function makeArchive(place: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const data = mkdtempSync(join(cache, 'data-'));
  const made = mkdtempSync(join(cache, 'made-'));
  try {
    const database = await openEmbedded({ dataDir: data });
    await migrate(database);
    writeFileSync(join(made, 'state.json'), JSON.stringify(await migratedState(database)));
    await database.close();
    const pglite = await openPglite(join(data, 'database'));
    const dump = await pglite.dumpDataDir('none');
    await pglite.close();
    writeFileSync(join(made, 'database.tar'), new Uint8Array(await dump.arrayBuffer()));
    try {
      renameSync(made, place);
    } catch (error) {
      // Another run was faster; what it made is the same.
      if (!existsSync(place)) throw error;
    }
  } finally {
    for (const folder of [data, made]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Of all that decides what is in the archive. */
function fingerprint(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const files = [
    join(entry, '..', '..', 'package.json'),
    join(import.meta.dirname, 'emptied-database.ts'),
    ...globSync('*.sql', { cwd: migrationsFolder })
      .toSorted()
      .map((name) => join(migrationsFolder, name)),
  ];
  return sha256Hex(files.map((file) => sha256Hex(readFileSync(file))).join('\n')).slice(0, 16);
}
