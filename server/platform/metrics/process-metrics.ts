/** Memory, processor time, event loop and garbage collection of this process, measured from the first call on: a process that nobody reads does not wake up for it. */
import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

export function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  }
  return registry;
}
