/** Compares the stored content of a record with the new content of the vendor: losses, replacements and gains. */

import { formatCount } from '@patch/catalogue/definition/coded-message.ts';
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { RecordContent } from '../../platform/database/records/stored-record.ts';
import { contentHash } from '../../platform/database/rows/content-hash.ts';

/** A field, fact or table of a list. */
interface ContentField {
  readonly name: string;
  readonly label: string;
}

/** A changed field, fact or table with several elements. */
export interface ChangedElements extends ContentField {
  readonly kind: 'elements';
  /** Missing elements, at most as many as the count has decreased by. A row of a table is represented by its first column. */
  readonly lost: readonly string[];
  /** Count of elements before. */
  readonly had: number;
  /** The elements are records that this one replaces. Vendors remove those over time. */
  readonly listsReplacedRecords: boolean;
}

export interface ChangedValue extends ContentField {
  readonly kind: 'value';
  readonly was: string;
  /** Null when the value is missing now. */
  readonly is: string | null;
}

export type ContentDifference = ChangedElements | ChangedValue;

export interface ContentChange {
  /** Fewer elements, an empty value, or a choice of a lower rank. */
  readonly lost: readonly ContentDifference[];
  /** As many other elements, or another value without a lower rank. */
  readonly replaced: readonly ContentDifference[];
  /** More elements, a new value, or a higher rank. */
  readonly isGain: boolean;
}

/** Compares the fields, facts and tables that the list declares, without those that the service sets. */
export function compareContent(
  { fields, detail }: ListDefinition,
  was: RecordContent,
  is: RecordContent,
): ContentChange {
  const lost: ContentDifference[] = [];
  const replaced: ContentDifference[] = [];
  let isGain = false;
  const note = (outcome: FieldComparison) => {
    if (outcome === 'gained') isGain = true;
    else if (outcome !== 'same') (outcome.isLoss ? lost : replaced).push(outcome.difference);
  };
  for (const [declared, before, now] of [
    [fields, was.row, is.row],
    [detail.facts, was.detail, is.detail],
  ] as const)
    for (const [name, field] of Object.entries(declared)) {
      if (field.stamped !== undefined) continue;
      const { kind, label } = field;
      const listsReplacedRecords = name === detail.supersedence?.older;
      note(
        kind === 'identifiers' || kind === 'tags'
          ? compareElements({ name, label, listsReplacedRecords }, before[name], now[name])
          : compareValue({ name, label }, field, before[name], now[name]),
      );
    }
  for (const [name, { label, fields: columns, turnover }] of Object.entries(detail.tables)) {
    const [firstColumn = ''] = Object.keys(columns);
    const table = { name, label, firstColumn, turnover };
    note(compareElements(table, was.detail[name], is.detail[name]));
  }
  return { lost, replaced, isGain };
}

type FieldComparison =
  | 'same'
  | 'gained'
  | { readonly isLoss: boolean; readonly difference: ContentDifference };

interface ComparedElements extends ContentField {
  readonly listsReplacedRecords?: boolean;
  /** Of a table. */
  readonly firstColumn?: string;
  readonly turnover?: boolean | undefined;
}

function compareElements(
  { name, label, listsReplacedRecords = false, firstColumn, turnover = false }: ComparedElements,
  was: unknown,
  is: unknown,
): FieldComparison {
  const [before, now] = [toElements(was, firstColumn), toElements(is, firstColumn)];
  const fewer = before.length - now.length;
  if (fewer < 0) return 'gained';
  if (fewer === 0 && isSame(was, is)) return 'same';
  const isLoss = fewer > 0 && (!turnover || now.length === 0);
  const lost = isLoss ? findMissing(before, now).toSorted().slice(0, fewer) : [];
  return {
    isLoss,
    difference: { kind: 'elements', name, label, lost, had: before.length, listsReplacedRecords },
  };
}

function compareValue(
  { name, label }: ContentField,
  { kind, choices }: Field<FieldKind, unknown>,
  was: unknown,
  is: unknown,
): FieldComparison {
  if (isEmpty(was)) return isEmpty(is) ? 'same' : 'gained';
  const difference = {
    kind: 'value',
    name,
    label,
    was: formatValue(kind, was),
    is: isEmpty(is) ? null : formatValue(kind, is),
  } as const;
  if (isEmpty(is)) return { isLoss: true, difference };
  if (was === is) return 'same';
  const [before, now] = [was, is].map((value) => choices?.indexOf(value) ?? -1) as [number, number];
  // A word that is not a choice has no rank.
  if (before === -1 || now === -1) return { isLoss: false, difference };
  return now > before ? 'gained' : { isLoss: true, difference };
}

/** Returns the elements that occur less often than before. */
function findMissing(was: readonly string[], is: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const element of is) counts.set(element, (counts.get(element) ?? 0) + 1);
  return was.filter((element) => {
    const left = counts.get(element) ?? 0;
    if (left > 0) counts.set(element, left - 1);
    return left === 0;
  });
}

function toElements(value: unknown, firstColumn: string | undefined): string[] {
  if (!Array.isArray(value)) return [];
  return firstColumn === undefined
    ? value.map(String)
    : value.map((row: Readonly<Record<string, unknown>>) => String(row[firstColumn] ?? ''));
}

function formatValue(kind: FieldKind, value: unknown): string {
  if (kind === 'flag') return value === true ? 'Yes' : 'No';
  const date = kind === 'date' ? new Date(value as number) : null;
  return date === null || Number.isNaN(date.getTime())
    ? String(value)
    : date.toISOString().slice(0, 10);
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
const isSame = (was: unknown, is: unknown) =>
  contentHash({ value: was ?? [] }, {}) === contentHash({ value: is ?? [] }, {});

const maxElementsShown = 3;
const maxShownLength = 60;

/** Returns 'CVEs: 59 of 80 missing (CVE-2025-1111, CVE-2025-1112, CVE-2025-1113 and 56 more)' or 'Severity: Important instead of Critical'. */
export function formatDifference(difference: ContentDifference): string {
  if (difference.kind === 'value') {
    const was = shorten(difference.was);
    return `${difference.label}: ${difference.is === null ? `missing (was ${was})` : `${shorten(difference.is)} instead of ${was}`}`;
  }
  const { label, lost, had } = difference;
  if (lost.length === 0) return `${label}: not the same`;
  const different = [...new Set(lost)].filter((element) => element !== '');
  const more =
    different.length > maxElementsShown
      ? ` and ${formatCount(different.length - maxElementsShown)} more`
      : '';
  const examples =
    different.length === 0
      ? ''
      : ` (${different.slice(0, maxElementsShown).map(shorten).join(', ')}${more})`;
  return `${label}: ${formatCount(lost.length)} of ${formatCount(had)} missing${examples}`;
}

const shorten = (text: string) =>
  text.length > maxShownLength ? `${text.slice(0, maxShownLength).toWellFormed()}…` : text;
