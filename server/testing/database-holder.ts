/** A process with the embedded database that, asked to, writes without end: tests kill it. node database-holder.ts <folder> lock|write */
import { z } from 'zod';
import { openDatabase } from '../platform/database/open-database.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { lockFolder } from '../platform/postgres/folder-lock.ts';

const [dataDir = '', work] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  if (work === 'lock') {
    lockFolder(dataDir);
    say('locked');
    setInterval(() => undefined, 1000);
  } else {
    const database = await openDatabase({
      dataDir,
      databaseUrl: null,
    });
    await database.script('create table if not exists written (n bigint primary key, filler text)');
    const rows = await queryRows(
      database,
      z.object({ last: z.number().nullable() }),
      'select max(n) as last from written',
    );
    for (let n = (rows[0]?.last ?? 0) + 1; ; n += 10) {
      try {
        await database.query(
          "insert into written select n, repeat('x', 500) from generate_series($1::bigint, $2::bigint) as n on conflict do nothing",
          [n, n + 9],
        );
      } catch {
        // The server was killed: the rows are sent again.
        n -= 10;
        continue;
      }
      // Said only once it is acknowledged.
      say(String(n + 9));
    }
  }
} catch (error) {
  say(`refused: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(3);
}
