/** The chain of a record that others replace, or that replaces others: one row for each of the others. */
import { choice, date, identifier, identifiers } from '../definition/fields.ts';

/** Seen from the record: the oldest first. */
export const supersedenceRelations = [
  'Replaced through others',
  'Replaced directly',
  'Replaces it directly',
  'Replaces it through others',
] as const;
export type SupersedenceRelation = (typeof supersedenceRelations)[number];

export function supersedenceTable(page: string) {
  return {
    label: 'Supersedence',
    fields: {
      kbId: identifier('KB', { page }),
      relation: choice('Relation', supersedenceRelations, { help: 'What it is to this KB, itself or through others between them.' }),
      releaseDate: date('Release date'),
      replaces: identifiers('Replaces directly', { page, help: 'Of the KBs of this chain.' }),
    },
  } as const;
}
