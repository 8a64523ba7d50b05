/** Lists processes of this machine by their command lines, from /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** Returns the ids of processes whose command line contains the words, without this process. Zombies have no command line. */
export function findProcesses(words: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && commandLine(pid).includes(words));
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}
