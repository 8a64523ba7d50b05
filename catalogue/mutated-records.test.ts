/** Reads documents of which one record changes at random; mutated-records.long.ts has the full number. */
import { expect, test } from 'vitest';
import { compareBesideMutated, recordSubjects } from './testing/mutated-records.ts';

const times = 8;

test.each(
  recordSubjects.map((subject) => [subject.feed.fills[0]?.key, subject.part, subject] as const),
)(
  'reads all other records of %s %s as ever when one changes at random',
  async (_list, _part, subject) => {
    const { failures, compared } = await compareBesideMutated(subject, times);
    expect(failures).toEqual([]);
    expect(compared).toBeGreaterThan(times);
  },
);
