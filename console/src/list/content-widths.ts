/** How wide what the rows of a list hold is: the values of a column, and what stands beside a title. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { badgeFields } from '@patch/catalogue/definition/record-badges.ts';
import type { WireRow, WireValue } from '@patch/contract/row-schema.ts';
import { fileSize } from '../values/file-size.ts';
import { nameParts } from '../values/name-parts.ts';
import { isEmptyValue, labelFor } from '../values/value-view.tsx';
import { headlineColumn } from './column-choice.ts';
import { monoWidth, onTwoLines, smallText, textWidth } from './text-width.ts';
import { titleFacts } from './title-facts.ts';

/** Left and right of a cell's content. */
export const cellPadding = 16;
/** Of a day. */
export const dateWidth = 88;
const gap = 8;
const countButton = 40;
/** Where the cell also says how long ago it was: see `.ago` in values.module.css. */
const dateWithAge = 190;
/** Words end before the edge of a line: two lines hold less than twice the width of one. */
const lineLoss = 1.06;
const longestWordLoss = 32;
/** A name of so many characters stands on one line. */
const nameOnOneLine = 24;

export interface ContentWidths {
  /** On as many lines as texts may take. */
  readonly whole: number;
  /** On one line, a date with how long ago it was. */
  readonly roomy: number;
}

/** No title is cut, as far as there is room for the longest. */
export function headlineWidths(
  list: ListDefinition,
  columns: readonly string[],
  rows: readonly WireRow[],
  lines: number,
): { readonly [Level in keyof ContentWidths]: number | undefined } {
  const name = headlineColumn(list, columns);
  if (name === undefined || rows.length === 0) return { whole: undefined, roomy: undefined };
  const field = fieldOf(list, name);
  const widths = rows.map((row) => {
    const beside = besideTitleWidth(list, row, columns);
    const { whole, roomy } = contentWidths(field, row[name], lines);
    return { whole: whole + beside, roomy: roomy + beside };
  });
  return {
    whole: Math.max(...widths.map(({ whole }) => whole)),
    roomy: Math.max(...widths.map(({ roomy }) => roomy)),
  };
}

/** Of the facts and badges behind a title. */
export function besideTitleWidth(
  list: ListDefinition,
  row: WireRow,
  columns: readonly string[],
): number {
  const facts = titleFacts(list, row, columns, 'UTC').map(({ text }) => text);
  const badges = badgeFields(list).flatMap(({ name, label }) =>
    row[name] === true && !columns.includes(name) ? [label] : [],
  );
  const width = (words: readonly string[], frame: number) =>
    words.reduce((sum, word) => sum + textWidth(word) * smallText + frame + gap, 0);
  return width(facts, 4) + width(badges, 2 * gap + 2);
}

/** That a text may be wide in all, in a column of that width. */
export const roomForText = (columnWidth: number, lines: number): number =>
  lines * (columnWidth - cellPadding) - (lines > 1 ? longestWordLoss : 0);

const cutAtWords: ReadonlySet<FieldKind> = new Set(['text', 'prose', 'tags', 'identifiers']);

export function contentWidths(
  field: Field<FieldKind, unknown>,
  value: WireValue,
  lines: number,
): ContentWidths {
  if (isEmptyValue(value)) return { whole: 16, roomy: 16 };
  const width = contentWidth(field, value);
  if (field.kind === 'date') return { whole: width, roomy: dateWithAge };
  if (lines === 1) return { whole: width, roomy: width };
  if (cutAtWords.has(field.kind))
    return { whole: Math.min(width, (width / lines) * lineLoss + longestWordLoss), roomy: width };
  return { whole: nameWidth(field, value, width), roomy: width };
}

/** On two lines, when it is a long one. */
function nameWidth(field: Field<FieldKind, unknown>, value: WireValue, width: number): number {
  return field.kind === 'identifier' && String(value).length > nameOnOneLine
    ? onTwoLines(nameParts(String(value)), monoWidth)
    : width;
}

/** On one line. */
function contentWidth(field: Field<FieldKind, unknown>, value: WireValue): number {
  if (Array.isArray(value)) {
    const mono = field.kind === 'identifiers';
    const shown = value.slice(0, mono ? 2 : 3).join(', ');
    return (
      (mono ? monoWidth(shown) : textWidth(shown)) +
      (value.length > (mono ? 2 : 3) ? countButton : 0)
    );
  }
  const text = labelFor(field, String(value));
  switch (field.kind) {
    case 'identifier':
      return monoWidth(text);
    case 'choice':
      return field.look === 'severity' ? textWidth(text) + 24 : textWidth(text) * smallText + 20;
    case 'date':
      return dateWidth;
    case 'size':
      return textWidth(fileSize(Number(value)));
    case 'flag':
      return textWidth('Yes');
    case 'link':
      return textWidth(URL.canParse(text) ? new URL(text).host : text) + 16;
    default:
      return textWidth(text);
  }
}
