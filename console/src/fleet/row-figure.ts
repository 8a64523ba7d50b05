/** The searches behind the numbers of a row: the records that a machine misses, and the patches of a CVE. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireDetail, WireRow } from '@patch/contract/base/row-schema.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import {
  buildMissingRecords,
  buildPatchesOfCve,
  type MissingCriterion,
} from '../widgets/build-figure.ts';

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

/** Returns the search behind what a machine may miss; null for other values, and where records are certainly missing. */
export function findPossibleFigure(
  { key }: ListDefinition,
  row: WireRow | WireDetail,
  name: string,
): Figure | null {
  const count = Number(row['uncertain'] ?? 0) + Number(row['needsSubscription'] ?? 0);
  return key === 'machines' && name === 'missing' && row[name] === 0 && count > 0
    ? buildMissingRecords(count, row.id, 'mayBeMissingOn')
    : null;
}

const missing = (criterion: MissingCriterion) => (count: number, id: number) =>
  buildMissingRecords(count, id, criterion);

const missingCriteria: Readonly<Record<string, (count: number, id: number) => Figure>> = {
  missing: missing('missingOn'),
  missingCritical: missing('criticalOn'),
  missingImportant: missing('importantOn'),
  missingModerate: missing('moderateOn'),
  missingLow: missing('lowOn'),
  missingUnspecified: missing('unspecifiedOn'),
  missingExploited: missing('exploitedOn'),
  uncertain: (count, id) =>
    buildMissingRecords(count, id, 'mayBeMissingOn', [
      { paramName: 'needsSubscriptionOn', operator: 'not_equal', value: `#${id}` },
    ]),
  needsSubscription: missing('needsSubscriptionOn'),
  accepted: missing('acceptedOn'),
};

/** Returns whether the field counts records of a machine, and is empty until the machine is judged. */
export const isMissingCount = ({ key }: ListDefinition, name: string): boolean =>
  key === 'machines' && Object.hasOwn(missingCriteria, name);
