/** The severity that follows from CVSS, with its evidence, of a record whose vendor states none. All patches concludes it. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { severityField, shownSeverityField } from '@patch/catalogue/definition/record-name.ts';
import { getList } from '@patch/catalogue/lists.ts';
import type { WireDetail, WireRow, WireValue } from '@patch/contract/base/row-schema.ts';
import { isDerived, toChoiceSeverity } from '../values/choice-severity.ts';
import { Fact } from '../values/fact-of-kind.tsx';
import { readCves } from './record-cves.ts';
import { useCveRisks } from './use-cve-risks.ts';
import { useRecord } from './use-record.ts';

const allPatches = getList('all_patches');
const rated = shownSeverityField(allPatches) ?? '';
const field = getField(allPatches, rated);

interface RatedSeverityProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
}

/** Renders nothing for a record whose vendor states a severity, and for one without a scored CVE. */
export function RatedSeverity({ list, record }: RatedSeverityProps) {
  const { cves } = readCves(list, record);
  const isRated = list.source !== null && cves.length > 0 && !isStated(list, record);
  // A record has the same number in All patches.
  const { data: row } = useRecord(allPatches, isRated ? record.id : undefined);
  const isShown = row !== undefined && isDerived(field, row, rated);
  const { data: risks } = useCveRisks(list, record.id, isShown ? cves : []);
  if (!isShown) return null;
  const evidence = findEvidence(risks?.rows ?? [], row[rated]);
  return (
    <span className="flex flex-wrap items-center gap-1">
      <Fact field={field} value={row[rated] as WireValue} />
      <span className="text-quiet">
        {evidence === undefined
          ? 'by the CVSS scores of its CVEs'
          : `by CVSS ${String(evidence['cvss'])} of ${String(evidence['cve'])} (${String(evidence['cvssSource'])})`}
        ; the vendor states none
      </span>
    </span>
  );
}

function isStated(list: ListDefinition, record: WireDetail): boolean {
  const stated = severityField(list);
  const severity =
    stated === undefined ? undefined : toChoiceSeverity(getField(list, stated), record[stated]);
  return severity !== undefined && severity !== 'Unspecified';
}

/** Returns the CVE with the highest score among those of the severity. */
const findEvidence = (rows: readonly WireRow[], severity: unknown): WireRow | undefined =>
  rows
    .filter((row) => row['severity'] === severity)
    .toSorted((a, b) => Number(b['cvss'] ?? 0) - Number(a['cvss'] ?? 0))[0];
