/** Table of all dates that Microsoft's documents state for the release of a KB. */
import { choice, day, number, text } from '../../../definition/fields.ts';

export const releaseDateUses = ['Taken', 'Passed over', 'Not used'] as const;

export const releaseDatesTable = {
  label: 'Stated release dates',
  fields: {
    releaseDate: day('Date'),
    source: text('Stated by'),
    count: number('Times', {
      help: 'Updates of the offline scan file that have it, or fixes that stand in the document.',
    }),
    use: choice('Use', releaseDateUses, {
      help: 'Passed over: it lies before the date of a KB that this one replaces, or long before those of KBs with lower numbers. Not used: another date has more evidence.',
    }),
  },
} as const;
