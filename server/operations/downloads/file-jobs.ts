/** Jobs that write a file for download: a catalogue bundle, a database dump, selected log lines. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BundleOptions, LogOptions } from '@patch/contract/operations/download-endpoints.ts';
import { readRun } from '../../ingest/runs/run-store.ts';
import { writeAtomically } from '../../platform/files/atomic-file.ts';
import { dumpSigner, writeDumpFile } from '../backup/database-dump.ts';
import { BundleRefused, bundleSigner } from './bundle-manifest.ts';
import { readSinceRun } from './bundle-rows-store.ts';
import { formatCount, type JobWork } from './job-context.ts';
import { readLogLines } from './log-lines.ts';
import { writeBundle } from './write-bundle.ts';

export const bundleJob: JobWork = async ({
  snapshot,
  options,
  path,
  room,
  secretKey,
  progress,
  signal,
  clock,
}) => {
  const { sources, sinceRun } = BundleOptions.parse(options);
  let written = 0;
  progress.enter('Taking a snapshot of the database');
  const bytes = await snapshot(async (session) => {
    const run = sinceRun === null ? null : await readRun(session, sinceRun);
    if (sinceRun !== null && run === null)
      throw new BundleRefused(`Run ${sinceRun} no longer exists. Request a full bundle.`);
    const since = run === null ? null : await readSinceRun(session, run);
    return writeAtomically(
      path,
      (file) =>
        writeBundle(session, file, {
          sources,
          since,
          signer: bundleSigner(secretKey),
          now: clock(),
          signal,
          onTotal: progress.total,
          onRows(list, rows) {
            written += rows;
            progress.enter(`Writing ${list.label}`);
            progress.rows(rows);
          },
        }),
      { room, onBytes: progress.bytes },
    );
  });
  return { message: `${formatCount(written, 'record')}, signed.`, bytes };
};

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

const batchLines = 500;

export const logJob: JobWork = async ({ dataDir, options, path, room, progress, signal }) => {
  let written = 0;
  async function* text(): AsyncGenerator<string> {
    let waiting: string[] = [];
    const takeBatch = () => {
      progress.rows(waiting.length);
      written += waiting.length;
      const piece = waiting.map((line) => `${line}\n`).join('');
      waiting = [];
      return piece;
    };
    for await (const line of readLogLines(dataDir, LogOptions.parse(options))) {
      waiting.push(line);
      if (waiting.length >= batchLines) yield takeBatch();
    }
    yield takeBatch();
  }
  progress.enter('Reading the logs');
  const write = (file: NodeJS.WritableStream) =>
    pipeline(Readable.from(text(), { highWaterMark: 1 }), createGzip(), file, { signal });
  const bytes = await writeAtomically(path, write, { room, onBytes: progress.bytes });
  return {
    message:
      written === 0 ? 'No line matches; the file is empty.' : `${formatCount(written, 'line')}.`,
    bytes,
  };
};
