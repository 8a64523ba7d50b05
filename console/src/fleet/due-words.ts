/** Words of due dates and of the policies that they follow. */
import { type DuePolicy, defaultDuePolicy } from '@patch/catalogue/fleet/due-date.ts';
import type { DueDate } from '@patch/contract/fleet/machine-endpoints.ts';
import { formatCount } from '../widgets/format-number.ts';

const inDays = (days: number) => formatCount(days, ['day', 'days']);

/** Returns 'exploited on CISA’s date or in 14 days, critical and important in 30 days, the rest in 90 days'. @param policy Null: the default. */
export function policyWords(policy: DuePolicy | null): string {
  const { cisa, exploited, serious, others } = policy ?? defaultDuePolicy;
  return [
    `exploited ${cisa ? 'on CISA’s date or ' : ''}in ${inDays(exploited)}`,
    `critical and important in ${inDays(serious)}`,
    `the rest in ${inDays(others)}`,
  ].join(', ');
}

/** Returns 'overdue by 3 days'; null for a record that is not overdue. */
export const overdueWords = ({ overdueDays }: DueDate): string | null =>
  overdueDays === 0 ? null : `overdue by ${inDays(overdueDays)}`;
