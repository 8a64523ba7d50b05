/** Common schedules. They use the minute of the feed's standard schedule, so that sources do not all start on the hour. */

export interface SchedulePreset {
  readonly label: string;
  readonly cron: string;
}

export function listSchedulePresets(standard: string): readonly SchedulePreset[] {
  const minute = /^\d{1,2}(?= )/.exec(standard)?.[0] ?? '0';
  return [
    { label: 'Hourly', cron: `${minute} * * * *` },
    { label: 'Every 4 hours', cron: `${minute} */4 * * *` },
    { label: 'Daily', cron: `${minute} 3 * * *` },
    { label: 'Weekly', cron: `${minute} 3 * * 0` },
  ];
}
