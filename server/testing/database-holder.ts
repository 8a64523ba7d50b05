/** A process of its own that holds the embedded database and, asked to, writes without end: tests kill it. node database-holder.ts <folder> lock|write */

import { z } from 'zod';
import { openEmbedded } from '../platform/database/embedded-database.ts';
import { lockFolder } from '../platform/database/folder-lock.ts';
import { queryRows } from '../platform/database/query-rows.ts';

const [dataDir = '', work] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  if (work === 'lock') {
    lockFolder(dataDir);
    say('held');
    setInterval(() => undefined, 1000);
  } else {
    const database = await openEmbedded({ dataDir });
    await database.script('create table if not exists written (n bigint primary key, filler text)');
    const rows = await queryRows(
      database,
      z.object({ last: z.number().nullable() }),
      'select max(n) as last from written',
    );
    for (let n = (rows[0]?.last ?? 0) + 1; ; n += 10) {
      await database.query(
        "insert into written select n, repeat('x', 500) from generate_series($1::bigint, $2::bigint) as n",
        [n, n + 9],
      );
      // Said only once it is acknowledged.
      say(String(n + 9));
    }
  }
} catch (error) {
  say(`refused: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(3);
}
