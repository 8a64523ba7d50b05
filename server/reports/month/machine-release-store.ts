/** Reads the releases of machines. */
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query } from '../../platform/database/sql-statement.ts';

/** Returns each release once. @param ids Of machines. */
export const readReleasesOf = (database: Queryable, ids: readonly number[]) =>
  query.values(database, z.string())`
    select distinct release from machine where id = any(${arrayText(ids)}::bigint[]) and release is not null order by release`;
