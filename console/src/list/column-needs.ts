/** How much room each column of a list needs for the rows that it shows. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { leastColumnWidth } from '@patch/contract/preference-endpoints.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { headlineColumn, identityColumn } from './column-choice.ts';
import {
  type ContentWidths,
  cellPadding,
  contentWidths,
  dateWidth,
  headlineWidths,
} from './content-widths.ts';
import { onTwoLines, smallText, textWidth } from './text-width.ts';

/** In pixels, the cell's padding included; each is at least the one before. */
export interface ColumnNeed {
  /** What a column keeps before the table scrolls sideways: no word of its head is cut. */
  readonly floor: number;
  /** Below this values are cut that could be told apart before. */
  readonly least: number;
  /** The values stand whole, on two lines where the rows have two. */
  readonly whole: number;
  /** With air: texts on one line, long ones too, dates with how long ago they were. */
  readonly roomy: number;
}

/** Small and bold. */
const headText = smallText * 1.06;
/** Of a page that was loaded more and more only the first rows are looked at: columns must not move while it grows. */
const rowsLookedAt = 100;

interface Limits {
  readonly floor: number;
  readonly least: number;
  readonly most: number;
}

const limitsOfKind: Readonly<Record<FieldKind, Limits>> = {
  text: { floor: 88, least: 132, most: 312 },
  prose: { floor: 112, least: 152, most: 412 },
  identifier: { floor: 88, least: 100, most: 292 },
  identifiers: { floor: 88, least: 112, most: 232 },
  tags: { floor: 88, least: 104, most: 232 },
  choice: { floor: 88, least: 136, most: 212 },
  number: { floor: 80, least: 80, most: 152 },
  decimal: { floor: 80, least: 80, most: 112 },
  size: { floor: 80, least: 80, most: 132 },
  date: fixed(dateWidth + cellPadding),
  flag: { floor: 80, least: 80, most: 112 },
  link: { floor: 96, least: 104, most: 212 },
};
const headlineLimits: Limits = { floor: 160, least: 224, most: 612 };
/** One of few words, which is never cut. */
const severityLimits = fixed(116);
/** Of a column that heads its records, when its values do not fit on one line. */
const identityFloor = 156;
/** So many times the most is a column wide where there is room for all. */
const air = 1.5;
const widestHead = 150;

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
    const wholes = widths.map(({ whole }) => whole);
    const need = needWithin(limits, headWidth(field.label), {
      whole: limits === severityLimits ? widestOf(wholes) : usualOf(wholes),
      roomy: Math.min(limits.most * air, Math.max(0, ...widths.map(({ roomy }) => roomy))),
    });
    if (name !== identity) return need;
    // What names a record is not cut for the sake of its title.
    return { ...need, floor: Math.min(need.whole, identityFloor), least: need.whole };
  });
}

function fixed(width: number): Limits {
  return { floor: width, least: width, most: width };
}

/** Content that is wider than the most is cut; what is known of no content is the most. */
function needWithin(
  { floor, least, most }: Limits,
  head: number,
  { whole, roomy }: { readonly [Level in keyof ContentWidths]: number | undefined },
): ColumnNeed {
  const width = Math.max(leastColumnWidth, head, Math.min((whole ?? most) + cellPadding, most));
  return {
    floor: Math.min(width, Math.max(floor, leastColumnWidth, head)),
    least: Math.min(width, Math.max(least, leastColumnWidth, head)),
    whole: width,
    roomy: Math.max(width, (roomy ?? 0) + cellPadding),
  };
}

/** Each letter of a name whose letters are counted counts: in the fixed-width face, with the button that copies it. */
function needOfLetters(letters: number): ColumnNeed {
  const width = Math.ceil(letters * 7.8) + 48;
  return { floor: width, least: width, whole: width, roomy: width };
}

/** A head has two lines, and its mark stands in the padding. A word is not broken. */
function headWidth(label: string): number {
  const words = label.split(' ').map((word, place) => (place === 0 ? word : ` ${word}`));
  const width = words.length === 1 ? textWidth(label) : onTwoLines(words, textWidth);
  return Math.min(widestHead, width * headText + cellPadding);
}

const widestOf = (widths: readonly number[]) =>
  widths.length === 0 ? undefined : Math.max(...widths);

/** All but the widest values stand whole; undefined where there are none. */
function usualOf(widths: readonly number[]): number | undefined {
  return widths.toSorted((a, b) => a - b)[Math.floor((widths.length - 1) * 0.92)];
}
