/** Words for the rules that make checkpoints, and for rings that follow them. */
import type { CheckpointRule } from '@patch/contract/licensing/checkpoint-rule-endpoints.ts';
import type { Ring } from '@patch/contract/licensing/ring-endpoints.ts';
import { formatCount } from '../../widgets/format-number.ts';

/** By the number of the week in a month; 0: each week. */
export const weekLabels = ['Each', 'First', 'Second', 'Third', 'Fourth'] as const;

/** Returns 'On the second Tuesday of each month at 18:00, Europe/Berlin'. */
export function scheduleWords({
  week,
  weekday,
  hour,
  timeZone,
}: Pick<CheckpointRule, 'week' | 'weekday' | 'hour' | 'timeZone'>): string {
  const days =
    week === null
      ? `Each ${weekday}`
      : `On the ${(weekLabels[week] ?? '').toLowerCase()} ${weekday} of each month`;
  return `${days} at ${String(hour).padStart(2, '0')}:00, ${timeZone.replaceAll('_', ' ')}`;
}

export const followWords = ({ rule, afterDays }: NonNullable<Ring['follows']>): string =>
  `Follows ${rule.name}, ${afterDays === 0 ? 'at once' : `after ${formatCount(afterDays, ['day', 'days'])}`}`;
