/** What the database tells of the service's state, for metrics. */
import type { Queryable } from '../database/database.ts';

export interface CountByState {
  readonly state: string;
  readonly total: number;
}

/** Past runs are removed in time; those that are kept are counted. */
export async function runsByState(database: Queryable): Promise<readonly CountByState[]> {
  return (
    await database.query<CountByState>(
      'select state, count(*) as total from sync_run group by state',
    )
  ).rows;
}

export async function mailsByState(database: Queryable): Promise<readonly CountByState[]> {
  return (
    await database.query<CountByState>(
      'select state, count(*) as total from mail_outbox group by state',
    )
  ).rows;
}
