/** Reads the releases of machines. */
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query } from '../../platform/database/sql-statement.ts';

const MachineRelease = z.object({
  /** As the machine states it: AlmaLinux 9.4, Microsoft Windows Server 2019 Standard. */
  release: z.string(),
  /** Without the number of its update, 10.0.17763; null beside Windows. */
  build: z.string().nullable(),
  /** Null beside Windows. */
  architecture: z.string().nullable(),
});
export type MachineRelease = z.infer<typeof MachineRelease>;

/** Returns each release once. @param ids Of machines; null for all. */
export const readMachineReleases = (database: Queryable, ids: readonly number[] | null) =>
  query.rows(database, MachineRelease)`
    select distinct release,
      case platform when 'windows' then substring(build from '^[0-9]+[.][0-9]+[.][0-9]+') end as build,
      case platform when 'windows' then architecture end as architecture
    from machine where release is not null and (${ids === null} or id = any(${arrayText(ids ?? [])}::bigint[]))
    order by release`;
