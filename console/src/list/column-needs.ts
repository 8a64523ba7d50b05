/** How much room each column of a list needs for the rows that it shows. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { badgeFields } from '@patch/catalogue/definition/record-badges.ts';
import { leastColumnWidth } from '@patch/contract/preference-endpoints.ts';
import type { WireRow, WireValue } from '@patch/contract/row-schema.ts';
import { fileSize } from '../values/file-size.ts';
import { isEmptyValue, labelFor } from '../values/value-view.tsx';
import { headlineColumn, identityColumn } from './column-choice.ts';
import { monoWidth, textWidth } from './text-width.ts';
import { titleFacts } from './title-facts.ts';

/** In pixels, the cell's padding included; each is at least the one before. */
export interface ColumnNeed {
  /** Below this a value can no longer be told from another. */
  readonly least: number;
  /** The values stand whole, on two lines where the rows have two. */
  readonly whole: number;
  /** With air: texts on one line, long ones too, dates with how long ago they were. */
  readonly roomy: number;
}

/** Left and right of a cell's content. */
const cellPadding = 24;
const gap = 8;
const countButton = 40;
const smallText = 12 / 13;
const dateWidth = 92;
/** Where the cell also says how long ago it was: see `.ago` in values.module.css. */
const dateWithAge = 192;
/** Words end before the edge of a line: two lines hold less than twice the width of one. */
const lineLoss = 1.06;
const longestWordLoss = 32;
/** Of a page that was loaded more and more only the first rows are looked at: columns must not move while it grows. */
const rowsLookedAt = 100;

interface Limits {
  readonly least: number;
  readonly most: number;
}
const limitsOfKind: Readonly<Record<FieldKind, Limits>> = {
  text: { least: 140, most: 320 },
  prose: { least: 160, most: 420 },
  identifier: { least: 108, most: 300 },
  identifiers: { least: 120, most: 240 },
  tags: { least: 112, most: 240 },
  choice: { least: 108, most: 220 },
  number: { least: 80, most: 160 },
  decimal: { least: 80, most: 120 },
  size: { least: 80, most: 140 },
  date: { least: dateWidth + cellPadding, most: dateWidth + cellPadding },
  flag: { least: 80, most: 120 },
  link: { least: 112, most: 220 },
};
const headlineLimits: Limits = { least: 232, most: 620 };
/** One of few words, which is never cut. */
const severityLimits: Limits = { least: 140, most: 140 };
/** So many times the most is a column wide where there is room for all. */
const air = 1.5;
const widestHead = 150;
const sortMark = 18;

/** `lines`: of a row, that texts may take. Without rows a need is what such columns usually need. */
export function columnNeeds(
  list: ListDefinition,
  columns: readonly string[],
  rows: readonly WireRow[],
  lines: number,
): ColumnNeed[] {
  const headline = headlineColumn(list, columns);
  const identity = identityColumn(list, columns);
  const sample = rows.slice(0, rowsLookedAt);
  return columns.map((name) => {
    const field = fieldOf(list, name);
    if (field.letters !== undefined) return needOfLetters(field.letters);
    if (name === headline)
      return needWithin(
        headlineLimits,
        headWidth(field.label),
        headlineWidths(list, columns, sample, lines),
      );
    const limits = field.look === 'severity' ? severityLimits : limitsOfKind[field.kind];
    const widths = sample.map((row) => contentWidths(field, row[name], lines));
    const need = needWithin(limits, headWidth(field.label), {
      whole: usualOf(widths.map(({ whole }) => whole)),
      roomy: Math.min(limits.most * air, Math.max(0, ...widths.map(({ roomy }) => roomy))),
    });
    // What names a record is not cut for the sake of its title.
    return name === identity ? { ...need, least: need.whole } : need;
  });
}

interface ContentWidths {
  readonly whole: number;
  readonly roomy: number;
}

/** Content that is wider than the most is cut; what is known of no content is the most. */
function needWithin(
  { least, most }: Limits,
  head: number,
  { whole, roomy }: { readonly [Level in keyof ContentWidths]: number | undefined },
): ColumnNeed {
  const width = Math.max(leastColumnWidth, head, Math.min((whole ?? most) + cellPadding, most));
  return {
    least: Math.min(width, Math.max(least, leastColumnWidth)),
    whole: width,
    roomy: Math.max(width, (roomy ?? 0) + cellPadding),
  };
}

/** Each letter of a name whose letters are counted counts: in the fixed-width face, with the button that copies it. */
function needOfLetters(letters: number): ColumnNeed {
  const width = Math.ceil(letters * 7.8) + 56;
  return { least: width, whole: width, roomy: width };
}

const headWidth = (label: string) =>
  Math.min(widestHead, textWidth(label) * smallText + sortMark + cellPadding);

/** No title is cut, as far as there is room for the longest. */
function headlineWidths(
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

/** All but the widest values stand whole; undefined where there are none. */
function usualOf(widths: readonly number[]): number | undefined {
  return widths.toSorted((a, b) => a - b)[Math.floor((widths.length - 1) * 0.92)];
}

const cutAtWords: ReadonlySet<FieldKind> = new Set(['text', 'prose']);

function contentWidths(
  field: Field<FieldKind, unknown>,
  value: WireValue,
  lines: number,
): ContentWidths {
  if (isEmptyValue(value)) return { whole: 16, roomy: 16 };
  const width = contentWidth(field, value);
  if (field.kind === 'date') return { whole: width, roomy: dateWithAge };
  return lines > 1 && cutAtWords.has(field.kind)
    ? { whole: Math.min(width, (width / lines) * lineLoss + longestWordLoss), roomy: width }
    : { whole: width, roomy: width };
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
