/** Estimates the widths of values in pixels, and of facts and badges beside a title. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { badgeFields } from '@patch/catalogue/definition/record-badges.ts';
import type { WireRow, WireValue } from '@patch/contract/base/row-schema.ts';
import { hasSeverity, toChoiceSeverity } from '../../values/choice-severity.ts';
import { fileSize } from '../../values/file-size.ts';
import { nameParts } from '../../values/name-parts.ts';
import { isEmptyValue, labelFor } from '../../values/value-view.tsx';
import { headlineColumn } from './column-choice.ts';
import { monoWidth, smallTextFactor, textWidth, twoLineWidth } from './text-width.ts';
import { buildTitleFacts } from './title-facts.ts';

/** Left plus right padding of a cell. */
export const cellPadding = 16;
/** Width of a day. */
export const dateWidth = 88;
const gap = 8;
const countButton = 40;
/** Width of a date with its age: see `.ago` in values.module.css. */
const dateWithAge = 190;
/** Word wrap leaves room at the end of lines: two lines fit less than twice the width of one. */
const lineLoss = 1.06;
const longestWordLoss = 32;
/** Maximum characters of an identifier on one line. */
const maxOneLineLength = 24;

export interface ContentWidths {
  /** On all lines of a row. */
  readonly full: number;
  /** On one line; a date with its age. */
  readonly roomy: number;
  /** Of what must not be broken inside: a word, or a date. */
  readonly unbroken?: number;
}

/** Returns the widths of the longest title with its facts and badges. */
export function headlineWidths(
  list: ListDefinition,
  columns: readonly string[],
  rows: readonly WireRow[],
  lines: number,
): { readonly [Level in 'full' | 'roomy']: number | undefined } {
  const name = headlineColumn(list, columns);
  if (name === undefined || rows.length === 0) return { full: undefined, roomy: undefined };
  const field = getField(list, name);
  const widths = rows.map((row) => {
    const beside = titleExtrasWidth(list, row, columns);
    const { full, roomy } = contentWidths(field, row[name], lines);
    return { full: full + beside, roomy: roomy + beside };
  });
  return {
    full: Math.max(...widths.map(({ full }) => full)),
    roomy: Math.max(...widths.map(({ roomy }) => roomy)),
  };
}

/** Returns the width of facts and badges beside a title. */
export function titleExtrasWidth(
  list: ListDefinition,
  row: WireRow,
  columns: readonly string[],
): number {
  const facts = buildTitleFacts(list, row, columns, 'UTC').map(({ text }) => text);
  const badges = badgeFields(list).flatMap(({ name, label }) =>
    row[name] === true && !columns.includes(name) ? [label] : [],
  );
  const width = (words: readonly string[], frame: number) =>
    words.reduce((sum, word) => sum + textWidth(word) * smallTextFactor + frame + gap, 0);
  return width(facts, 4) + width(badges, 2 * gap + 2);
}

const wrappedKinds: ReadonlySet<FieldKind> = new Set(['text', 'prose', 'tags', 'identifiers']);

export function contentWidths(
  field: Field<FieldKind, unknown>,
  value: WireValue,
  lines: number,
): ContentWidths {
  if (isEmptyValue(value)) return { full: 16, roomy: 16 };
  const width = contentWidth(field, value);
  if (field.kind === 'date') return { full: width, roomy: dateWithAge, unbroken: width };
  if (lines === 1) return { full: width, roomy: width };
  if (wrappedKinds.has(field.kind)) {
    const full = Math.min(width, (width / lines) * lineLoss + longestWordLoss);
    const unbroken = field.kind === 'text' ? longestWordWidth(field, value) : 0;
    return { full: Math.max(full, unbroken), roomy: width, unbroken };
  }
  return { full: nameWidth(field, value, width), roomy: width };
}

const longestWordWidth = (field: Field<FieldKind, unknown>, value: WireValue): number =>
  Math.max(
    ...labelFor(field, String(value))
      .split(/(?<=[-\s])/)
      .map((word) => textWidth(word.trimEnd())),
  );

/** Returns the width of a value; a long identifier takes two lines. */
function nameWidth(field: Field<FieldKind, unknown>, value: WireValue, width: number): number {
  return field.kind === 'identifier' && String(value).length > maxOneLineLength
    ? twoLineWidth(nameParts(String(value)), monoWidth)
    : width;
}

/** Returns the width of a value on one line. */
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
      return hasSeverity(field)
        ? textWidth(toChoiceSeverity(field, value) ?? text) + 24
        : textWidth(text) * smallTextFactor + 20;
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
