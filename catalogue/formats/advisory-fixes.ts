/** The records of an advisory and the fixes that go out of them, the same for each format. */
import {
  canBeMissing,
  fixesByRelease,
  type WrittenFixes,
} from '../machines/judgement/indexed-fixes.ts';
import type { PackageFix } from '../machines/judgement/machine-fixes.ts';
import { isLivepatch } from '../machines/judgement/package-record.ts';
import type { StoredValues } from '../machines/judgement/stored-values.ts';

/** A record of a list, one of those that an advisory consists of: vendors number an advisory for several releases once. */
export interface AdvisoryPart {
  readonly row: StoredValues;
  readonly detail: StoredValues;
  /** Epoch milliseconds; null while the vendor lists it. */
  readonly withdrawn: number | null;
}

/** Fixes that a machine can miss, also those of an advisory that the vendor took back. A live patch changes no version: it has none. */
export const readAdvisoryFixes = ({ row, detail }: AdvisoryPart): readonly WrittenFixes[] =>
  isLivepatch(row)
    ? []
    : fixesByRelease(row, detail).map((written) => ({
        ...written,
        fixes: written.fixes.filter((fix) => canBeMissing(fix, written.family)),
      }));

/** Source packages where the record names them; binary packages stand for records that state no source. */
export function selectPackages(fixes: readonly PackageFix[]): readonly PackageFix[] {
  const sources = fixes.filter(({ by }) => by === 'source');
  return sources.length > 0 ? sources : fixes;
}
