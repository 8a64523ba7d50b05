/** Computes the width that each column needs for the shown rows. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { restrictedMask } from '@patch/catalogue/definition/restricted-fields.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { leastColumnWidth } from '@patch/contract/operations/preference-endpoints.ts';
import { hasSeverity, isDerived } from '../../values/choice-severity.ts';
import { headlineColumn, identityColumn } from './column-choice.ts';
import {
  type ContentWidths,
  cellPadding,
  contentWidths,
  dateWidth,
  headlineWidths,
} from './content-widths.ts';
import { monoWidth, smallTextFactor, textWidth, twoLineWidth } from './text-width.ts';

/** Widths in pixels including padding, in ascending order. */
export interface ColumnNeed {
  /** Hard minimum, without cutting a word of the heading. Below it the table scrolls sideways. */
  readonly floor: number;
  /** Minimum at which values stay distinguishable. */
  readonly min: number;
  /** Values are not cut, on as many lines as rows have. */
  readonly full: number;
  /** Texts fit on one line and dates show their age. */
  readonly roomy: number;
}

/** Small bold text. */
const headText = smallTextFactor * 1.06;
/** Only the first rows are measured, so that columns do not move while a list grows. */
const maxMeasuredRows = 100;

interface Limits {
  readonly floor: number;
  readonly min: number;
  readonly max: number;
}

const limitsByKind: Readonly<Record<FieldKind, Limits>> = {
  text: { floor: 88, min: 132, max: 312 },
  prose: { floor: 112, min: 152, max: 412 },
  identifier: { floor: 88, min: 100, max: 292 },
  identifiers: { floor: 88, min: 112, max: 232 },
  // The longest vendor and the number of the others.
  tags: { floor: 116, min: 120, max: 232 },
  choice: { floor: 88, min: 136, max: 212 },
  number: { floor: 80, min: 80, max: 152 },
  decimal: { floor: 80, min: 80, max: 112 },
  size: { floor: 80, min: 80, max: 132 },
  date: fixedLimits(dateWidth + cellPadding),
  flag: { floor: 80, min: 80, max: 112 },
  link: { floor: 96, min: 104, max: 212 },
};
const headlineLimits: Limits = { floor: 150, min: 224, max: 612 };
/** Severities are short and never cut. */
const severityLimits = fixedLimits(116);
/** With the distance from the value. */
const derivedMarkWidth = 36;
const markedSeverityLimits = fixedLimits(140);
/** Width of a column of identifiers that name the records, where rows have two lines. Longer ones are cut. */
const maxIdentityWidth = 140;
/** With its distance from the identifier. */
const copyButtonWidth = 28;
/** Maximum of `roomy` relative to `max`. */
const roomyFactor = 1.5;
const maxHeadWidth = 150;

/**
 * Without rows, returns the usual needs of each kind.
 * @param lines - Number of text lines in a row.
 */
export function columnNeeds(
  list: ListDefinition,
  columns: readonly string[],
  rows: readonly WireRow[],
  lines: number,
): ColumnNeed[] {
  const headline = headlineColumn(list, columns);
  const identity = identityColumn(list, columns);
  const sample = rows.slice(0, maxMeasuredRows);
  return columns.map((name) => {
    const field = getField(list, name);
    const isMasked = sample.length > 0 && sample.every((row) => row[name] === restrictedMask);
    if (field.letters !== undefined && !isMasked) return needForLetters(field.letters);
    if (name === headline)
      return needWithin(
        headlineLimits,
        headWidth(field.label),
        headlineWidths(list, columns, sample, lines),
      );
    const markLimits = field.stated === undefined ? severityLimits : markedSeverityLimits;
    const limits = hasSeverity(field) ? markLimits : limitsByKind[field.kind];
    const widths = sample.map((row) => {
      const { full, roomy, unbroken = 0 } = contentWidths(field, row[name], lines);
      const mark = isDerived(field, row, name) ? derivedMarkWidth : 0;
      return { full: full + mark, roomy: roomy + mark, unbroken };
    });
    const fullWidths = widths.map(({ full }) => full);
    const need = needWithin(limits, headWidth(field.label), {
      full: hasSeverity(field) ? findMax(fullWidths) : findUsual(fullWidths),
      unbroken: Math.min(
        limits.min - cellPadding,
        Math.max(0, ...widths.map((width) => width.unbroken)),
      ),
      roomy: Math.min(limits.max * roomyFactor, Math.max(0, ...widths.map(({ roomy }) => roomy))),
    });
    if (name !== identity) return need;
    // The identity is not cut in favour of the title.
    if (field.kind !== 'identifier' || lines === 1)
      return { ...need, floor: Math.min(need.full, maxIdentityWidth), min: need.full };
    const width = Math.min(need.full + copyButtonWidth, maxIdentityWidth);
    return { floor: width, min: width, full: width, roomy: width };
  });
}

function fixedLimits(width: number): Limits {
  return { floor: width, min: width, max: width };
}

/** Limits the needs. Undefined content counts as the maximum. */
function needWithin(
  { floor, min, max }: Limits,
  head: number,
  { full, roomy, unbroken = 0 }: { readonly [Level in keyof ContentWidths]: number | undefined },
): ColumnNeed {
  const least = Math.max(leastColumnWidth, head, unbroken + cellPadding);
  const width = Math.max(least, Math.min((full ?? max) + cellPadding, max));
  return {
    floor: Math.min(width, Math.max(floor, least)),
    min: Math.min(width, Math.max(min, least)),
    full: width,
    roomy: Math.max(width, (roomy ?? 0) + cellPadding),
  };
}

/** Width of a value with a fixed number of letters in the monospace font. Its copy button takes no room. */
function needForLetters(letters: number): ColumnNeed {
  const width = Math.ceil(monoWidth('0'.repeat(letters))) + cellPadding;
  return { floor: width, min: width, full: width, roomy: width };
}

/** Width of a heading on two lines without broken words. The sort icon is within the padding. */
function headWidth(label: string): number {
  const words = label.split(' ').map((word, index) => (index === 0 ? word : ` ${word}`));
  const width = words.length === 1 ? textWidth(label) : twoLineWidth(words, textWidth);
  return Math.min(maxHeadWidth, width * headText + cellPadding);
}

const findMax = (widths: readonly number[]) =>
  widths.length === 0 ? undefined : Math.max(...widths);

/** Returns the width that 92 % of the values fit in; undefined without values. */
function findUsual(widths: readonly number[]): number | undefined {
  return widths.toSorted((a, b) => a - b)[Math.floor((widths.length - 1) * 0.92)];
}
