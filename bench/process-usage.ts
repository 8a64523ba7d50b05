/** Memory and processor time of processes and of all that they started, read from /proc. */
import { readdir, readFile } from 'node:fs/promises';

export interface Usage {
  /** Proportional set size in bytes; null where the system does not say. */
  readonly pss: number | null;
  /** Seconds of processor time; null where the system does not say. */
  readonly cpu: number | null;
}

/** Clock ticks a second, on every Linux. */
const ticks = 100;

export async function usageOfTrees(roots: readonly number[]): Promise<Usage> {
  const processes = await readProcesses();
  if (processes.length === 0) return { pss: null, cpu: null };
  const found = new Set(roots);
  // A child may be listed before its parent: process numbers start again.
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { pid, parent } of processes) if (found.has(parent)) found.add(pid);
  }
  const members = processes.filter(({ pid }) => found.has(pid));
  return {
    pss: sum(await Promise.all(members.map(({ pid }) => readPss(pid)))),
    cpu: sum(members.map(({ cpu }) => cpu)),
  };
}

async function readProcesses() {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  return (await Promise.all(pids.map(readStat))).filter((one) => one !== null);
}

async function readStat(pid: string) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  if (stat === '') return null;
  const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // In user mode and in the kernel, of itself and of its children that have ended.
  const cpu = (sum(rest.slice(9, 13).map(Number)) ?? 0) / ticks;
  return { pid: Number(pid), parent: Number(parent), cpu };
}

/** Returns 0 for a process that has ended meanwhile, null without the right to read it. */
async function readPss(pid: number): Promise<number | null> {
  try {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1024;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? null : 0;
  }
}

function sum(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>(
    (total, value) => (total === null || value === null ? null : total + value),
    0,
  );
}
