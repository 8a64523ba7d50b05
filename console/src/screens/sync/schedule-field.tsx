/** The schedule of a source: a cron line to type or choose, its meaning and the next runs. */

import { Input } from 'antd';
import { Button } from '../../widgets/button.tsx';
import styles from './schedule-field.module.css';
import { SchedulePreview } from './schedule-preview.tsx';
import { normaliseBlanks } from './settings-draft.ts';

export interface ScheduleFieldProps {
  readonly id?: string;
  /** Null for the standard schedule. */
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
    <div className="grid gap-2">
      <div className={`${styles['line']} grid items-center gap-3`}>
        <Input
          {...input}
          className="mono"
          value={shown}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange?.(event.target.value)}
          // Runs on blur only, so that the text does not change while the user types.
          onBlur={() => value !== null && normaliseBlanks(value) === standard && onChange?.(null)}
        />
        {value === null ? (
          <span className="text-quiet text-small">Standard schedule</span>
        ) : (
          <Button look="link" className={styles['reset'] ?? ''} onClick={() => onChange?.(null)}>
            Use the standard schedule
          </Button>
        )}
      </div>
      <fieldset className={`${styles['presets']} flex flex-wrap gap-2`}>
        <legend className="visually-hidden">Common schedules</legend>
        {listSchedulePresets(standard).map(({ label, cron }) => (
          <Button
            key={label}
            small
            className={styles['preset'] ?? ''}
            aria-pressed={normaliseBlanks(shown) === cron}
            onClick={() => choose(cron)}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      <SchedulePreview cron={normaliseBlanks(shown)} />
    </div>
  );
}

/** Common schedules. They use the minute of the feed's standard schedule, so that sources do not all start on the hour. */
interface SchedulePreset {
  readonly label: string;
  readonly cron: string;
}

function listSchedulePresets(standard: string): readonly SchedulePreset[] {
  const minute = /^\d{1,2}(?= )/.exec(standard)?.[0] ?? '0';
  return [
    { label: 'Hourly', cron: `${minute} * * * *` },
    { label: 'Every 4 hours', cron: `${minute} */4 * * *` },
    { label: 'Daily', cron: `${minute} 3 * * *` },
    { label: 'Weekly', cron: `${minute} 3 * * 0` },
  ];
}
