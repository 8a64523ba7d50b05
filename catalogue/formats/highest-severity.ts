import type { ListDefinition } from '../definition/list-definition.ts';
import { recordMapping, toIndexedRecord } from '../records/record-mapping.ts';
import { severities } from '../schemas/severities.ts';
import type { AdvisoryPart } from './advisory-fixes.ts';

/** Returns the vendor's word for the highest severity of all records, as All patches shows it; null if no record states one. */
export function highestSeverity(
  list: ListDefinition,
  parts: readonly AdvisoryPart[],
  vendor: string,
): string | null {
  const mapping = recordMapping(list, vendor);
  const stated = parts
    .map(({ row, detail }) => toIndexedRecord(mapping, row, detail))
    .filter(
      ({ severity, vendorSeverity }) => severity !== 'Unspecified' || vendorSeverity !== null,
    );
  const [highest] = stated.toSorted(
    (a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity),
  );
  return highest === undefined ? null : (highest.vendorSeverity ?? highest.severity);
}
