/** SQL for the severity of a single record, where the index of records has that of its update. */
import { catalogueLists } from '@patch/catalogue/lists.ts';

const cases = catalogueLists
  .filter(({ countedBy, fields }) => countedBy !== undefined && Object.hasOwn(fields, 'severity'))
  .map(({ key }) => `when '${key}' then (select severity from ${key} where id = record.record_id)`);

/** The severity of a row of `record`. The representative of an update has the highest severity of the update; a machine needs that of its product. */
export const ownSeveritySql = `case record.list ${cases.join(' ')} else record.severity end`;
