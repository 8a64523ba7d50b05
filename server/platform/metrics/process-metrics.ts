/** Metrics of this process: memory, processor time, event loop, garbage collection. They start with the first call, so that an unread process stays idle. */
import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | undefined;

export function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  }
  return registry;
}
