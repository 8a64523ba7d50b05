/** Builds figures: a number with the search that finds exactly what it counts. */
import type { ListKey } from '@patch/catalogue/lists.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';

type Criteria = Figure['criteria'];

export const buildFigure = (list: ListKey, count: number, criteria: Criteria): Figure => ({
  list,
  criteria,
  totalCount: count,
  updateCount: count,
});

const equal = (paramName: string, value: string | number | boolean): Criteria[number] => ({
  paramName,
  operator: 'equal',
  value,
});

/** Names one record in criteria such as `misses` and `namedBy`. */
export const referToRecord = (list: string, id: number): string => `${list}/${id}`;

export type MissesCriterion = 'misses' | 'overdue' | 'mayMiss' | 'accepts';

/** @param named A CVE, a KB, an advisory, or a record as `referToRecord` names it. */
export const buildMachinesMissing = (
  count: number,
  named: string,
  criterion: MissesCriterion = 'misses',
): Figure => buildFigure('machines', count, [equal(criterion, named)]);

/** Machines without any of the three that `buildMachinesMissing` finds, of which a criterion tells how far they were judged. */
export const buildMachinesBeside = (
  count: number,
  named: string,
  more: readonly Criteria[number][],
): Figure =>
  buildFigure('machines', count, [
    ...(['misses', 'mayMiss', 'accepts'] as const).map((paramName) => ({
      paramName,
      operator: 'not_equal' as const,
      value: named,
    })),
    ...more,
  ]);

export type MissingCriterion =
  | 'missingOn'
  | 'criticalOn'
  | 'importantOn'
  | 'moderateOn'
  | 'lowOn'
  | 'unspecifiedOn'
  | 'exploitedOn'
  | 'overdueOn'
  | 'mayBeMissingOn'
  | 'needsSubscriptionOn'
  | 'acceptedOn'
  | 'missingAt';

/** @param id Of the machine, or of the client for `missingAt`. */
export const buildMissingRecords = (
  count: number,
  id: number,
  criterion: MissingCriterion,
  more: Criteria = [],
): Figure => buildFigure('all_patches', count, [equal(criterion, `#${id}`), ...more]);

export const buildCvesOfRecord = (
  count: number,
  list: string,
  id: number,
  more: Criteria = [],
): Figure =>
  buildFigure('vulnerabilities', count, [equal('namedBy', referToRecord(list, id)), ...more]);

export const buildMentions = (
  list: ListKey,
  count: number,
  identifiers: string | readonly string[],
): Figure =>
  buildFigure(list, count, [
    typeof identifiers === 'string'
      ? equal('mentions', identifiers)
      : { paramName: 'mentions', operator: 'in', value: [...identifiers] },
  ]);

export const buildPatchesOfCve = (count: number, cve: string): Figure =>
  buildFigure('all_patches', count, [equal('cve', cve)]);
