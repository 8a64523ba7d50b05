/** Lets the threads that people wait for have the processors first. */
import { getPriority, setPriority } from 'node:os';

const lowest = 19;
/** Of niceness: of a processor that two threads want, the calling one has a quarter. */
const steps = 5;

export function yieldProcessors(): void {
  // Elsewhere the priority is of the whole process.
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(lowest, getPriority(0) + steps));
  } catch {
    // A sandbox may forbid it, and nothing depends on it.
  }
}
