/** Metrics of the catalogue's servers: statements by server, and the lag of each replica. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { CatalogueServers } from '../replicas/catalogue-servers.ts';

/** Returns a function that updates the metrics. */
export function replicaMetrics(servers: CatalogueServers, registry: Registry): () => void {
  const registers = [registry];
  const labelNames = ['server'] as const;
  const statements = new Counter({
    name: 'patch_catalogue_statements_total',
    help: 'Statements about the catalogue, by the server that answered',
    labelNames,
    registers,
  });
  const repeatedStatements = new Counter({
    name: 'patch_catalogue_statements_repeated_total',
    help: 'Statements that the primary answered after a replica had failed',
    registers,
  });
  const readings = new Counter({
    name: 'patch_catalogue_position_readings_total',
    help: 'Queries to the primary for the newest change of the catalogue',
    registers,
  });
  const up = new Gauge({
    name: 'patch_replica_up',
    help: '1: the replica answers and follows the primary, 0: it is not used',
    labelNames,
    registers,
  });
  const lag = new Gauge({
    name: 'patch_replica_lag_seconds',
    help: 'Time since the replica has lacked a change of the catalogue',
    labelNames,
    registers,
  });
  const behind = new Gauge({
    name: 'patch_replica_lag_bytes',
    help: 'Bytes of the write-ahead log that the replica lacks up to the newest change of the catalogue',
    labelNames,
    registers,
  });

  return () => {
    const figures = servers.figures();
    for (const metric of [statements, repeatedStatements, readings, up, lag, behind])
      metric.reset();
    statements.inc({ server: 'primary' }, figures.answeredByPrimary);
    repeatedStatements.inc(figures.repeated);
    readings.inc(figures.readings);
    for (const { name: server, state, answered, lateMs, behindBytes } of figures.replicas) {
      statements.inc({ server }, answered);
      up.set({ server }, state === 'left_out' ? 0 : 1);
      if (lateMs !== null) lag.set({ server }, lateMs / 1000);
      if (behindBytes !== null) behind.set({ server }, behindBytes);
    }
  };
}
