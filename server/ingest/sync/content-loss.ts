/** What becomes of a record's content when the vendor's new one takes its place: what is lost, what is only replaced, whether anything is gained. */

import { formatCount } from '@patch/catalogue/definition/coded-message.ts';
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { contentHash } from '../../platform/database/content-hash.ts';
import type { RecordContent } from '../../platform/database/stored-record.ts';

interface Place {
  /** The field's, fact's or table's name. */
  readonly name: string;
  readonly label: string;
}

/** Of a field, fact or table with several elements. */
export interface ChangedElements extends Place {
  readonly kind: 'elements';
  /** As many as it has fewer: where others came in their place, nothing is lost. A table's row is named by its first column. */
  readonly lost: readonly string[];
  readonly had: number;
  /** The elements name records that this one replaces: vendors drop those in time, and say nothing of this one by it. */
  readonly namesOlder: boolean;
}

export interface ChangedValue extends Place {
  readonly kind: 'value';
  readonly was: string;
  /** Null: it has no value now. */
  readonly is: string | null;
}

export type ChangedPlace = ChangedElements | ChangedValue;

export interface ContentChange {
  /** Fewer elements, a value that is empty now, a choice of a lower rank. */
  readonly lost: readonly ChangedPlace[];
  /** As many other elements, another value of no lower rank. */
  readonly replaced: readonly ChangedPlace[];
  /** More elements, a value where none was, a higher rank. */
  readonly isGain: boolean;
}

/** Only what the list declares is compared; what the service stamps is passed over. */
export function contentChange(
  list: ListDefinition,
  was: RecordContent,
  is: RecordContent,
): ContentChange {
  const lost: ChangedPlace[] = [];
  const replaced: ChangedPlace[] = [];
  let isGain = false;
  for (const { field, before, now, ...place } of placesOf(list, was, is)) {
    const outcome =
      field === null
        ? elementsOutcome(place, before, now)
        : valueOutcome(place, field, before, now);
    if (outcome === 'gained') isGain = true;
    else if (outcome !== 'same') (outcome.isLoss ? lost : replaced).push(outcome.place);
  }
  return { lost, replaced, isGain };
}

/** `field` is null where there are several elements. */
interface ComparedPlace extends Place {
  readonly field: Field<FieldKind, unknown> | null;
  readonly before: unknown;
  readonly now: unknown;
  readonly namesOlder: boolean;
  readonly firstColumn: string | null;
  readonly turnover: boolean;
}

function* placesOf(
  { fields, detail }: ListDefinition,
  was: RecordContent,
  is: RecordContent,
): Generator<ComparedPlace> {
  const plain = { firstColumn: null, turnover: false };
  for (const [declared, before, now] of [
    [fields, was.row, is.row],
    [detail.facts, was.detail, is.detail],
  ] as const) {
    for (const [name, field] of Object.entries(declared)) {
      if (field.stamped !== undefined) continue;
      const isSeveral = field.kind === 'identifiers' || field.kind === 'tags';
      const namesOlder = name === detail.supersedence?.older;
      const { label } = field;
      yield {
        name,
        label,
        field: isSeveral ? null : field,
        before: before[name],
        now: now[name],
        namesOlder,
        ...plain,
      };
    }
  }
  for (const [name, { label, fields: columns, turnover = false }] of Object.entries(
    detail.tables,
  )) {
    const [firstColumn = ''] = Object.keys(columns);
    yield {
      name,
      label,
      field: null,
      before: was.detail[name],
      now: is.detail[name],
      namesOlder: false,
      firstColumn,
      turnover,
    };
  }
}

type Outcome = 'same' | 'gained' | { readonly isLoss: boolean; readonly place: ChangedPlace };

function elementsOutcome(
  place: Omit<ComparedPlace, 'field' | 'before' | 'now'>,
  was: unknown,
  is: unknown,
): Outcome {
  const { name, label, namesOlder, firstColumn, turnover } = place;
  const [before, now] = [elements(was, firstColumn), elements(is, firstColumn)];
  const fewer = before.length - now.length;
  if (fewer < 0) return 'gained';
  if (fewer === 0 && isSame(was, is)) return 'same';
  const isLoss = fewer > 0 && (!turnover || now.length === 0);
  const lost = isLoss ? missing(before, now).toSorted().slice(0, fewer) : [];
  return { isLoss, place: { kind: 'elements', name, label, lost, had: before.length, namesOlder } };
}

function valueOutcome(
  { name, label }: Place,
  { kind, choices }: Field<FieldKind, unknown>,
  was: unknown,
  is: unknown,
): Outcome {
  if (isEmpty(was)) return isEmpty(is) ? 'same' : 'gained';
  const place = {
    kind: 'value',
    name,
    label,
    was: shownValue(kind, was),
    is: isEmpty(is) ? null : shownValue(kind, is),
  } as const;
  if (isEmpty(is)) return { isLoss: true, place };
  if (was === is) return 'same';
  const [before, now] = [was, is].map((value) => choices?.indexOf(value) ?? -1) as [number, number];
  // A word that is not among the choices has no rank.
  if (before === -1 || now === -1) return { isLoss: false, place };
  return now > before ? 'gained' : { isLoss: true, place };
}

/** Those that are there less often than before. */
function missing(was: readonly string[], is: readonly string[]): string[] {
  const there = new Map<string, number>();
  for (const element of is) there.set(element, (there.get(element) ?? 0) + 1);
  return was.filter((element) => {
    const left = there.get(element) ?? 0;
    if (left > 0) there.set(element, left - 1);
    return left === 0;
  });
}

function elements(value: unknown, firstColumn: string | null): string[] {
  if (!Array.isArray(value)) return [];
  return firstColumn === null
    ? value.map(String)
    : value.map((row: Readonly<Record<string, unknown>>) => String(row[firstColumn] ?? ''));
}

function shownValue(kind: FieldKind, value: unknown): string {
  if (kind === 'flag') return value === true ? 'Yes' : 'No';
  const date = kind === 'date' ? new Date(value as number) : null;
  return date === null || Number.isNaN(date.getTime())
    ? String(value)
    : date.toISOString().slice(0, 10);
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
const isSame = (was: unknown, is: unknown) =>
  contentHash({ value: was ?? [] }, {}) === contentHash({ value: is ?? [] }, {});

const elementsShown = 3;
const maxShownLength = 60;

/** 'CVEs: 59 of 80 missing (CVE-2025-1111, CVE-2025-1112, CVE-2025-1113 and 56 more)', 'Severity: Important instead of Critical'. */
export function changeText(place: ChangedPlace): string {
  if (place.kind === 'value') {
    const was = shortened(place.was);
    return `${place.label}: ${place.is === null ? `missing (was ${was})` : `${shortened(place.is)} instead of ${was}`}`;
  }
  const { label, lost, had } = place;
  if (lost.length === 0) return `${label}: not the same`;
  const different = [...new Set(lost)].filter((element) => element !== '');
  const more =
    different.length > elementsShown
      ? ` and ${formatCount(different.length - elementsShown)} more`
      : '';
  const named =
    different.length === 0
      ? ''
      : ` (${different.slice(0, elementsShown).map(shortened).join(', ')}${more})`;
  return `${label}: ${formatCount(lost.length)} of ${formatCount(had)} missing${named}`;
}

const shortened = (text: string) =>
  text.length > maxShownLength ? `${text.slice(0, maxShownLength).toWellFormed()}…` : text;
