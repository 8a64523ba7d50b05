/** The lines of the log files, oldest first, chosen by time, weight and request. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type LogOptions, logLevelsAsked } from '@patch/contract/download-endpoints.ts';

/** More than the log ever keeps: who raises the number there need not think of this one. */
const maxFiles = 50;

/** All files are opened before the first is read: one that is rotated meanwhile is neither missed nor read twice. */
export async function* logLines(dataDir: string, options: LogOptions): AsyncGenerator<string> {
  const path = join(dataDir, 'logs', 'server.log');
  const files: { file: FileHandle; size: number }[] = [];
  const seen = new Set<number>();
  try {
    for (const name of [
      path,
      ...Array.from({ length: maxFiles }, (_, place) => `${path}.${place + 1}`),
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
        for await (const line of linesOf(file, size)) if (isWanted(line, options)) yield line;
  } finally {
    for (const { file } of files) await file.close();
  }
}

/** Up to what was there when it was opened; a line that is being written is whole. */
async function* linesOf(file: FileHandle, size: number): AsyncGenerator<string> {
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
  const read = recordOf(line);
  // What is no record has no time and no request; nobody who asks for some can mean it.
  if (read === null) return from === null && to === null && level === 'trace' && requestId === '';
  const time = typeof read['time'] === 'string' ? Date.parse(read['time']) : Number.NaN;
  if (from !== null && !(time >= from)) return false;
  if (to !== null && !(time <= to)) return false;
  const weight = (logLevelsAsked as readonly unknown[]).indexOf(read['level']);
  return (
    weight >= logLevelsAsked.indexOf(level) && (requestId === '' || read['requestId'] === requestId)
  );
}

function recordOf(line: string): Record<string, unknown> | null {
  try {
    const read = JSON.parse(line) as unknown;
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
