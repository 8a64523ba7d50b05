/** Reads from a record's detail what people weigh before they install it: what it replaces, whether it restarts, its known issues. */
import type { ListDefinition } from '../definition/list-definition.ts';
import { findInstallFields } from './install-fields.ts';

/** Null where the record does not say. */
export interface UpdateFacts {
  /** Number of updates that it replaces. */
  readonly replaces: number | null;
  /** The vendor's words about a restart. */
  readonly restart: string | null;
  readonly knownIssues: number | null;
}

type Values = Readonly<Record<string, unknown>>;

export function readUpdateFacts(list: ListDefinition, detail: Values): UpdateFacts {
  const { restart } = findInstallFields(list);
  const vendorWords = restart === undefined ? null : detail[restart];
  return {
    replaces: countValues(detail['supersedes']),
    restart:
      typeof vendorWords === 'string' && vendorWords !== ''
        ? vendorWords
        : suggestsReboot(detail['packages'])
          ? 'Restart suggested'
          : null,
    knownIssues: countValues(detail['knownIssues']),
  };
}

/** An empty list says nothing: vendors that publish no such list leave it empty too. */
const countValues = (value: unknown): number | null =>
  Array.isArray(value) && value.length > 0 ? value.length : null;

const suggestsReboot = (packages: unknown): boolean =>
  Array.isArray(packages) &&
  packages.some((row: unknown) => (row as Values | null)?.['rebootSuggested'] === true);
