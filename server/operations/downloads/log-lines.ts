/** Reads lines of the log files, oldest first, selected by time, level and request. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type LogOptions, logLevels } from '@patch/contract/operations/download-endpoints.ts';

/** More than the log's maximum number of files, so that the two need not change together. */
const maxFiles = 50;

/** Opens all files before the first is read: one that is rotated meanwhile is neither missed nor read twice. */
export async function* readLogLines(dataDir: string, options: LogOptions): AsyncGenerator<string> {
  const path = join(dataDir, 'logs', 'server.log');
  const files: { file: FileHandle; size: number }[] = [];
  const seen = new Set<number>();
  try {
    for (const name of [
      path,
      ...Array.from({ length: maxFiles }, (_, index) => `${path}.${index + 1}`),
    ]) {
      const file = await open(name).catch(() => null);
      if (file === null) continue;
      const { ino, size } = await file.stat();
      if (seen.has(ino)) await file.close();
      else files.unshift({ file, size });
      seen.add(ino);
    }
    for (const { file, size } of files)
      if (size > 0)
        for await (const line of readFileLines(file, size)) if (isWanted(line, options)) yield line;
  } finally {
    for (const { file } of files) await file.close();
  }
}

/** Reads up to the size at opening; the log writes complete lines. */
async function* readFileLines(file: FileHandle, size: number): AsyncGenerator<string> {
  let rest = '';
  const text = createReadStream('', {
    fd: file,
    start: 0,
    end: size - 1,
    autoClose: false,
    encoding: 'utf8',
    highWaterMark: 256 * 1024,
  });
  for await (const piece of text as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function isWanted(line: string, { from, to, level, requestId }: LogOptions): boolean {
  if (line === '') return false;
  const read = parseRecord(line);
  // A line that is not a record has no time and no request, so it matches only without filters.
  if (read === null) return from === null && to === null && level === 'trace' && requestId === '';
  const time = typeof read['time'] === 'string' ? Date.parse(read['time']) : Number.NaN;
  if (from !== null && !(time >= from)) return false;
  if (to !== null && !(time <= to)) return false;
  const weight = (logLevels as readonly unknown[]).indexOf(read['level']);
  return (
    weight >= logLevels.indexOf(level) && (requestId === '' || read['requestId'] === requestId)
  );
}

function parseRecord(line: string): Record<string, unknown> | null {
  try {
    const read = JSON.parse(line) as unknown;
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
