/** Lowers the priority of the calling thread below threads that people wait for. */
import { getPriority, setPriority } from 'node:os';

const lowest = 19;
/** Steps of niceness: when two threads compete for a processor, the calling one gets a quarter. */
const steps = 5;

export function yieldProcessors(): void {
  // Elsewhere the priority applies to the whole process.
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(lowest, getPriority(0) + steps));
  } catch {
    // A sandbox may forbid it, and nothing depends on it.
  }
}
