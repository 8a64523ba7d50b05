/** The searches behind the numbers of a row: the records that a machine misses, and the patches of a CVE. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Figure } from '@patch/contract/dashboard-endpoint.ts';
import type { WireDetail, WireRow } from '@patch/contract/row-schema.ts';
import { buildMissingRecords, buildPatchesOfCve } from '../widgets/build-figure.ts';

/** Returns the search behind a number of the row; null for a value that counts no rows. */
export function findRowFigure(
  list: ListDefinition,
  row: WireRow | WireDetail,
  name: string,
): Figure | null {
  const count = row[name];
  if (typeof count !== 'number' || count === 0) return null;
  if (list.key === 'vulnerabilities' && name === 'recordCount' && typeof row['cve'] === 'string')
    return buildPatchesOfCve(count, row['cve']);
  if (list.key !== 'machines') return null;
  return missingCriteria[name]?.(count, row.id) ?? null;
}

type Criteria = Figure['criteria'];

const missing =
  (...criteria: Criteria) =>
  (count: number, id: number) =>
    buildMissingRecords(count, id, 'missingOn', criteria);

const ofSeverity = (severity: string) =>
  missing({ paramName: 'severity', operator: 'equal', value: severity });

const missingCriteria: Readonly<Record<string, (count: number, id: number) => Figure>> = {
  missing: missing(),
  missingCritical: ofSeverity('Critical'),
  missingImportant: ofSeverity('Important'),
  missingModerate: ofSeverity('Moderate'),
  missingLow: ofSeverity('Low'),
  missingUnspecified: missing({
    paramName: 'severity',
    operator: 'not_in',
    value: ['Critical', 'Important', 'Moderate', 'Low'],
  }),
  missingExploited: missing({ paramName: 'exploited', operator: 'equal', value: true }),
  uncertain: (count, id) =>
    buildMissingRecords(count, id, 'mayBeMissingOn', [
      { paramName: 'needsSubscriptionOn', operator: 'not_equal', value: `#${id}` },
    ]),
  needsSubscription: (count, id) => buildMissingRecords(count, id, 'needsSubscriptionOn'),
  accepted: (count, id) => buildMissingRecords(count, id, 'acceptedOn'),
};

/** Returns whether the field counts records of a machine, and is empty until the machine is judged. */
export const isMissingCount = ({ key }: ListDefinition, name: string): boolean =>
  key === 'machines' && Object.hasOwn(missingCriteria, name);
