/** Small documents that open to far more than they are: what becomes of each, in how many seconds and with how much memory. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { machineFacts } from './bench-report.ts';
import { type BombOutcome, bombKinds } from './bomb-one.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('bomb-one.ts', import.meta.url));

/** A section for docs/performance.md. Each bomb has a process of its own, which must end well: the bomb is given up, not the process. */
export async function bombsSection(say: (line: string) => void): Promise<string> {
  const rows: string[] = [];
  for (const kind of bombKinds) {
    const { stdout } = await run(process.execPath, ['--expose-gc', program, kind], {
      maxBuffer: 1024 ** 2,
    });
    const outcome = JSON.parse(stdout) as BombOutcome;
    say(`${kind}: ${outcome.outcome}`);
    rows.push(rowOf(kind, outcome));
  }
  return [
    '## Documents that open to too much',
    '',
    'Each is opened by the reader that a sync or an import uses, in a process of its own. Seconds and memory are those of the reader, without the making',
    'of the bomb. Memory is the most that the system counted above what the process had before. `bombs-by-sync.test.ts` shows that a sync',
    'continues after one, writes none of its content, and runs normally the next time.',
    '',
    machineFacts(),
    '',
    '| | as served | opens to | what happens | s | memory |',
    '|---|--:|--:|---|--:|--:|',
    ...rows,
    '',
  ].join('\n');
}

function rowOf(kind: string, { served, opensTo, outcome, seconds, memory }: BombOutcome): string {
  const words = outcome
    .replaceAll('|', '\\|')
    .replace(/^https:\S+ cannot be read: /, '')
    .slice(0, 160);
  return `| ${[kind, size(served), opensTo === null ? 'no end' : size(opensTo), words, seconds.toFixed(2), size(memory)].join(' | ')} |`;
}

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 ** 2
    ? `${Math.round(bytes / 1024)} kB`
    : `${Math.round(bytes / 1024 ** 2).toLocaleString('en')} MB`;
}
