/** The severity of a record itself, where the index of records has that of a whole update. */
import { catalogueLists } from '@patch/catalogue/lists.ts';

const cases = catalogueLists
  .filter(({ countedBy, fields }) => countedBy !== undefined && Object.hasOwn(fields, 'severity'))
  .map(({ key }) => `when '${key}' then (select severity from ${key} where id = record.record_id)`);

/** Of a row of `record`: one that stands for its update has the gravest severity of all records of the update, and a machine needs that of its product. */
export const ownSeveritySql = `case record.list ${cases.join(' ')} else record.severity end`;
