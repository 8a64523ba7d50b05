/** When a source is synced: a cron line to type or to choose, what it means in words, and its next times. */

import { Input } from 'antd';
import { Button } from '../../widgets/button.tsx';
import styles from './schedule-field.module.css';
import { schedulePresets } from './schedule-presets.ts';
import { SchedulePreview } from './schedule-preview.tsx';
import { oneSpaced } from './settings-draft.ts';

export interface ScheduleFieldProps {
  readonly id?: string;
  /** Null: the standard one. */
  readonly value?: string | null;
  readonly onChange?: (value: string | null) => void;
  readonly standard: string;
  readonly 'aria-invalid'?: boolean;
  readonly 'aria-describedby'?: string;
}

export function ScheduleField({ value = null, onChange, standard, ...input }: ScheduleFieldProps) {
  const shown = value ?? standard;
  const choose = (cron: string) => onChange?.(cron === standard ? null : cron);
  return (
    <div className={styles['field']}>
      <div className={styles['line']}>
        <Input
          {...input}
          className="mono"
          value={shown}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange?.(event.target.value)}
          // Only when it is left: what is typed stays under the hand as it is typed.
          onBlur={() => value !== null && oneSpaced(value) === standard && onChange?.(null)}
        />
        {value === null ? (
          <span className={styles['standard']}>Standard schedule</span>
        ) : (
          <Button look="link" className={styles['reset'] ?? ''} onClick={() => onChange?.(null)}>
            Use the standard schedule
          </Button>
        )}
      </div>
      <fieldset className={styles['presets']}>
        <legend className="visually-hidden">Common schedules</legend>
        {schedulePresets(standard).map(({ label, cron }) => (
          <Button
            key={label}
            small
            className={styles['preset'] ?? ''}
            aria-pressed={oneSpaced(shown) === cron}
            onClick={() => choose(cron)}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      <SchedulePreview cron={oneSpaced(shown)} />
    </div>
  );
}
