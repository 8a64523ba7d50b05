import { describe, expect, it } from 'vitest';
import { progressShare, progressWords } from './run-words.ts';
import { scheduleWords } from './schedule-words.ts';

describe('a schedule in words', () => {
  it.each([
    ['15 3 * * *', 'Daily at 03:15 UTC'],
    ['0 6,18 * * *', 'Daily at 06:00, 18:00 UTC'],
    ['7 */6 * * *', 'Every 6 hours at :07'],
    ['20 2-23/4 * * *', 'Every 4 hours at :20'],
    ['5 * * * *', 'Hourly at :05'],
    ['*/30 * * * *', 'Every 30 minutes'],
    ['0 4 * * 3', 'Wednesdays at 04:00 UTC'],
    ['0 4 * * 7', 'Sundays at 04:00 UTC'],
    ['0 4 1 * *', 'Monthly on day 1 at 04:00 UTC'],
    ['0 4 1 1 *', 'Cron 0 4 1 1 * UTC'],
    ['0 4 * * 1-5', 'Cron 0 4 * * 1-5 UTC'],
    ['nonsense', 'Cron nonsense UTC'],
  ])('%s is "%s"', (cron, words) => {
    expect(scheduleWords(cron)).toBe(words);
  });
});

describe('progress', () => {
  it('counts bytes while reading and records while writing', () => {
    expect(progressWords({ stage: 'Reading Debian', done: 5_242_880, total: 10_485_760 })).toBe('5.0 MB of 10.0 MB');
    expect(progressWords({ stage: 'Writing Debian', done: 12_000, total: 48_000 })).toBe('12,000 of 48,000');
  });

  it('says nothing of an end that is not known', () => {
    expect(progressWords({ stage: 'Writing', done: 300, total: 0 })).toBe('300');
    expect(progressWords({ stage: '', done: 0, total: 0 })).toBe('');
    expect(progressShare({ done: 300, total: 0 })).toBeNull();
    expect(progressShare({ done: 400, total: 300 })).toBe(100);
  });
});
