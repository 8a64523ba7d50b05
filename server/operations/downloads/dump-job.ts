/** Job that writes a database dump for download. */
import { dumpSigner } from '../backup/database-dump.ts';
import { writeDumpFile } from '../backup/write-dump-file.ts';
import { formatCount, type JobWork } from './job-context.ts';

export const dumpJob: JobWork = async ({
  snapshot,
  secretKey,
  path,
  room,
  progress,
  signal,
  clock,
}) => {
  let written = 0;
  progress.enter('Taking a snapshot of the database');
  const bytes = await snapshot((session) =>
    writeDumpFile(session, path, clock(), dumpSigner(secretKey), {
      room,
      signal,
      onTotal: progress.total,
      onBytes: progress.bytes,
      onRows(table, rows) {
        written += rows;
        progress.enter(`Writing ${table}`);
        progress.rows(rows);
      },
    }),
  );
  return { message: `${formatCount(written, 'row')}. Restore it with npm run restore.`, bytes };
};
