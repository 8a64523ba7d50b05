/** Table of the records that replace a record or are replaced by it, one row for each. */
import { choice, day, identifier, identifiers, text } from '../definition/fields.ts';

/** Relation to the record, oldest first. */
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
      relation: choice('Relation', supersedenceRelations, {
        help: 'What it is to this KB, itself or through others between them.',
      }),
      releaseDate: day('Release date'),
      fixedBuild: identifier('Fixed build'),
      replaces: identifiers('Replaces directly', { page, help: 'Of the KBs of this chain.' }),
      evidence: text('Evidence', {
        help: 'Who says so: a document of the vendor, or builds of one branch that follow each other.',
      }),
    },
  } as const;
}

/** Statements of a vendor about the chain that its other documents contradict. */
export const contradictionsTable = {
  label: "Contradictions in the vendor's documents",
  fields: {
    statement: text('Stated'),
    source: text('Stated by'),
    against: text('Contradicted by'),
    againstSource: text('Which is stated by'),
  },
} as const;
