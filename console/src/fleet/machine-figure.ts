/** Links numbers of machines to the searches that find them. */
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import { buildFigure } from '../widgets/build-figure.ts';

type Criteria = Figure['criteria'];

export const toMachineFigure = (count: number, criteria: Criteria): Figure =>
  buildFigure('machines', count, criteria);

/** Matches machines whose release the catalogue does not have. */
export const notJudgedCriterion = {
  paramName: 'notJudged',
  operator: 'equal',
  value: true,
} as const satisfies Criteria[number];

/** Matches machines that have never been judged. */
export const beingJudgedCriterion = {
  paramName: 'judgedOn',
  operator: 'is_null',
} as const satisfies Criteria[number];

/** Matches machines that miss an overdue record. */
export const isOverdue = {
  paramName: 'overdue',
  operator: 'is_not_null',
} as const satisfies Criteria[number];

/** Match the machines that are neither of these. */
export const isJudgedCriteria: readonly Criteria[number][] = [
  { paramName: 'notJudged', operator: 'equal', value: false },
  { paramName: 'judgedOn', operator: 'is_not_null' },
];

export const atLeastOne = (paramName: string): Criteria[number] => ({
  paramName,
  operator: 'greater_than',
  value: 0,
});
