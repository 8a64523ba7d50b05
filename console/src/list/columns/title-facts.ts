/** Facts beside a title that no column shows: release of an erratum, day of an advisory. */
import { dateZone } from '@patch/catalogue/definition/date-zone.ts';
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow, WireValue } from '@patch/contract/base/row-schema.ts';
import { dayDate } from '../../values/day-date.ts';
import { isEmptyValue, labelFor } from '../../values/value-view.tsx';
import { headlineColumn } from './column-choice.ts';

export interface TitleFact {
  readonly name: string;
  readonly label: string;
  /** Belongs to the name of the record: 'macOS Tahoe 26.4'. Others stand at the edge of the column. */
  readonly isVersion: boolean;
  /** Shortened text. */
  readonly text: string;
  /** Complete value. */
  readonly full: string;
}

/** Omits facts that the title contains. */
export function buildTitleFacts(
  list: ListDefinition,
  row: WireRow,
  columns: readonly string[],
  zone: string,
): readonly TitleFact[] {
  const headline = headlineColumn(list, columns);
  const title = headline === undefined ? '' : String(row[headline] ?? '');
  return findUnshownFacts(list, columns)
    .filter((name) => !isEmptyValue(row[name]))
    .map((name) => {
      const field = getField(list, name);
      return {
        name,
        label: field.label,
        isVersion: field.isVersion ?? false,
        ...buildFactTexts(field, row[name], zone),
      };
    })
    .filter(({ full }) => !title.includes(full));
}

/** Returns the list's title facts that are not columns. */
export function findUnshownFacts(
  list: ListDefinition,
  columns: readonly string[],
): readonly string[] {
  return list.titleFacts.filter((name) => !columns.includes(name));
}

function buildFactTexts(
  field: Field<FieldKind, unknown>,
  value: WireValue,
  zone: string,
): Pick<TitleFact, 'text' | 'full'> {
  if (Array.isArray(value)) return { text: joinNames(value), full: value.join(', ') };
  const text =
    field.kind === 'date' && typeof value === 'number'
      ? dayDate(value, dateZone(field, zone))
      : labelFor(field, String(value));
  return { text, full: text };
}

const maxShownNames = 2;

/** Joins names without repeating common first words: 'openSUSE Leap 15.5, 15.6 +1'. */
export function joinNames(names: readonly string[]): string {
  const [first = '', ...others] = names;
  const words = first.split(' ');
  let shared = 0;
  while (
    shared < words.length - 1 &&
    others.every((name) => name.split(' ')[shared] === words[shared])
  )
    shared += 1;
  const rest = others
    .slice(0, maxShownNames - 1)
    .map((name) => `, ${name.split(' ').slice(shared).join(' ')}`);
  const more = names.length - maxShownNames;
  return `${first}${rest.join('')}${more > 0 ? ` +${more}` : ''}`;
}
