/** Times calls, one after the other or by several clients at once, and several services in turn. */

export interface Times {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly longest: number;
  readonly calls: number;
}

/** Percentiles by nearest rank. NaN without calls. */
export function percentiles(times: readonly number[]): Times {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), longest: at(1), calls: sorted.length };
}

export interface MeasuredService {
  readonly call: (n: number) => Promise<void>;
  /** Returns the processor time used so far, in seconds; null where the system does not say. */
  readonly cpu?: () => Promise<number | null>;
}

export interface Measured extends Times {
  readonly perSecond: number;
  /** Milliseconds of processor time a call. */
  readonly cpu: number | null;
}

/** Bounds the time of one service, so that a slow peer does not hold up the run. */
const maxMs = 60_000;
/** Calls of each client before the next service has its turn, so that all share what else the machine does. */
const callsInTurn = 5;

/** Makes the calls from 0 up to `calls` on each service; the n-th call of every service is the same. */
export async function measureInTurn(
  clients: number,
  calls: number,
  services: readonly MeasuredService[],
): Promise<readonly Measured[]> {
  const totals = services.map(() => ({ taken: [] as number[], ms: 0, cpu: 0 }));
  for (let from = 0; from < calls; from += clients * callsInTurn) {
    const to = Math.min(calls, from + clients * callsInTurn);
    for (const [index, { call, cpu }] of services.entries()) {
      const total = totals[index];
      if (total === undefined || total.ms > maxMs) continue;
      const cpuBefore = (await cpu?.()) ?? Number.NaN;
      const since = performance.now();
      total.taken.push(...(await timedCalls(clients, from, to, call)));
      total.ms += performance.now() - since;
      total.cpu += ((await cpu?.()) ?? Number.NaN) - cpuBefore;
    }
  }
  return totals.map(({ taken, ms, cpu }) => ({
    ...percentiles(taken),
    perSecond: (taken.length * 1000) / ms,
    cpu: Number.isNaN(cpu) ? null : (cpu * 1000) / taken.length,
  }));
}

export async function measure(
  clients: number,
  calls: number,
  call: MeasuredService['call'],
  cpu: MeasuredService['cpu'] = () => Promise.resolve(null),
): Promise<Measured> {
  const [measured] = await measureInTurn(clients, calls, [{ call, cpu }]);
  if (measured === undefined) throw new Error('Nothing was measured');
  return measured;
}

/** Shares the calls among the clients; returns the milliseconds of each. */
async function timedCalls(
  clients: number,
  from: number,
  to: number,
  call: MeasuredService['call'],
): Promise<readonly number[]> {
  const taken: number[] = [];
  let next = from;
  const client = async () => {
    while (next < to) {
      const n = next;
      next += 1;
      taken.push(await milliseconds(() => call(n)));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return taken;
}

export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}
