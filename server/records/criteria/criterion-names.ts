/** What a criterion on identifiers calls records: names in every accepted spelling, and single records as list/number. */
import {
  listSpellings,
  parseTypedIdentifier,
} from '@patch/catalogue/schemas/shared-identifiers.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { AppError } from '../../platform/errors/app-error.ts';

const referencePattern = /^([a-z_]+)\/(\d{1,15})$/;

/** Folded. */
export interface CriterionNames {
  readonly names: readonly string[];
  readonly references: readonly { readonly list: string; readonly recordId: number }[];
}

/** Returns the names of which a record must have one; null when the condition compares parts of names. */
export function readCriterionNames(condition: Condition): CriterionNames | null {
  const values =
    condition.kind === 'oneOf'
      ? condition.values
      : condition.kind === 'compared'
        ? [condition.value]
        : null;
  if (values === null) return null;
  const words = values.map(String);
  return {
    names: words.flatMap(listNameSpellings),
    references: words.flatMap((word) => {
      const [, list, number] = referencePattern.exec(word) ?? [];
      return list === undefined ? [] : [{ list, recordId: Number(number) }];
    }),
  };
}

/** @throws AppError `unknown_operator` when the condition compares parts of names. */
export function requireCriterionNames(condition: Condition): CriterionNames {
  const names = readCriterionNames(condition);
  if (names !== null) return names;
  throw new AppError(
    'unknown_operator',
    `${condition.name} compares complete identifiers only. Its operators: =, !=, in, not in`,
  );
}

/** A KB may be written with a blank or without its letters, in the criterion and in a list. */
export const listNameSpellings = (name: string): readonly string[] =>
  listSpellings(parseTypedIdentifier(name) ?? name);

export const formatReference = (list: string, recordId: number): string => `${list}/${recordId}`;

export const isReference = (name: string): boolean => referencePattern.test(name);
