/** Job that writes selected log lines for download. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { LogOptions } from '@patch/contract/download-endpoints.ts';
import { writeAtomically } from '../../platform/files/atomic-file.ts';
import { formatCount, type JobWork } from './job-context.ts';
import { readLogLines } from './log-lines.ts';

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
