/** Schedules that are asked for most. They keep the minute of the feed's own, so that the sources do not all start at the full hour. */

export interface SchedulePreset {
  readonly label: string;
  readonly cron: string;
}

export function schedulePresets(standard: string): readonly SchedulePreset[] {
  const minute = /^\d{1,2}(?= )/.exec(standard)?.[0] ?? '0';
  return [
    { label: 'Hourly', cron: `${minute} * * * *` },
    { label: 'Every 4 hours', cron: `${minute} */4 * * *` },
    { label: 'Daily', cron: `${minute} 3 * * *` },
    { label: 'Weekly', cron: `${minute} 3 * * 0` },
  ];
}
