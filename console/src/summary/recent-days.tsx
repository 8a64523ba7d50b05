/** Buttons for the last 7, 30 or 90 days. The criterion is relative, so that a saved view stays current. */
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import styles from './recent-days.module.css';

const spans = [7, 30, 90] as const;

interface RecentDaysProps {
  readonly name: string;
  readonly label: string;
  readonly criterion: FieldCriterion | undefined;
  readonly onCriterion: (criterion: FieldCriterion | undefined) => void;
}

export function RecentDays({ name, label, criterion, onCriterion }: RecentDaysProps) {
  return (
    <div role="group" aria-label={`${label} within`} className={styles['spans']}>
      {spans.map((days) => {
        const value = `last_${days}_days`;
        const isChosen = criterion?.operator === 'equal' && criterion.value === value;
        return (
          <button
            key={days}
            type="button"
            className={styles['span']}
            aria-pressed={isChosen}
            aria-label={`Last ${days} days`}
            title={`Last ${days} days`}
            onClick={() =>
              onCriterion(isChosen ? undefined : { paramName: name, operator: 'equal', value })
            }
          >
            {days} days
          </button>
        );
      })}
    </div>
  );
}
