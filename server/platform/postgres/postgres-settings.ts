/** Settings of the embedded PostgreSQL: defaults for a small machine, with PostgreSQL's standard durability. */

export type PostgresSettings = Readonly<Record<string, string>>;

export const smallMachine: PostgresSettings = {
  shared_buffers: '64MB',
  max_connections: '50',
  // The embedded database has no replicas, which would need more in the write-ahead log.
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '32MB',
  max_wal_size: '512MB',
  // Fewer processes, since most would only wait.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '1',
  max_worker_processes: '2',
  max_parallel_workers_per_gather: '0',
  huge_pages: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Logs starts, recoveries and fatal errors of sessions, but no errors of statements, which their callers log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};

/** Settings that the service sets itself and relies on. */
const reserved =
  /^(data_directory|config_file|hba_file|ident_file|external_pid_file|listen_addresses|port|unix_socket_\w+|ssl|logging_collector)$/;

/**
 * Reads POSTGRES_SETTINGS: `shared_buffers=128MB, work_mem=64MB`.
 * @returns null when a part is not a setting, or sets one that the service sets itself.
 */
export function parsePostgresSettings(text: string): PostgresSettings | null {
  const pairs = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => /^([a-z][a-z_.0-9]*) *= *([\w .%-]+)$/.exec(part));
  const settings: Record<string, string> = {};
  for (const pair of pairs) {
    const [, name = '', value = ''] = pair ?? [];
    if (name === '' || reserved.test(name)) return null;
    settings[name] = value;
  }
  return settings;
}
