/** Interprets the values that a person typed after a field and a sign, by the field's kind. */
import { dateZone } from '@patch/catalogue/definition/date-zone.ts';
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { Operator } from '@patch/catalogue/definition/operators.ts';
import { type Interval, isRelativeTime } from '../dates/relative-date.ts';
import { startOfDay } from '../dates/zoned-day.ts';
import { CriterionError, type FieldCriterion } from './criterion.ts';
import { isOfWords } from './wire-operators.ts';

export type TypedSign = ':' | '=' | '!=' | '<' | '<=' | '>' | '>=';

export interface TypedValue {
  readonly text: string;
  /** True for text in quotes, which is not matched with choices. */
  readonly quoted: boolean;
  /** True for a star before or after it, which stands for any text. */
  readonly anyBefore: boolean;
  readonly anyAfter: boolean;
}

type Condition = Omit<FieldCriterion, 'paramName'>;
type AnyField = Field<FieldKind, unknown>;

const operatorOfSign = {
  ':': 'equal',
  '=': 'equal',
  '!=': 'not_equal',
  '<': 'less_than',
  '<=': 'less_than_or_equal',
  '>': 'greater_than',
  '>=': 'greater_than_or_equal',
} as const satisfies Record<TypedSign, Operator>;

/** Throws CriterionError. */
export function typedCondition(
  field: AnyField,
  sign: TypedSign,
  values: readonly TypedValue[],
  timeZone: string,
): Condition {
  const [first, ...others] = values;
  if (first === undefined) throw new CriterionError(`${field.label} needs a value`);
  if (sign === ':' && others.length === 0 && first.anyBefore && first.text === '' && !first.quoted)
    return { operator: 'is_not_null' };
  if (isOfWords(field.kind)) return toWordsCondition(field, sign, first, others);
  if (others.length > 0 && ['number', 'decimal', 'size'].includes(field.kind)) {
    const value = values.map(({ text }) => typedNumber(field, text));
    return { operator: several(field, sign), value };
  }
  if (others.length > 0) throw new CriterionError(`${field.label} needs one value`);
  if (field.kind === 'flag')
    return { operator: operatorOfSign[sign], value: typedFlag(field, first.text) };
  return field.kind === 'date'
    ? toDateCondition(field, sign, first.text, dateZone(field, timeZone))
    : toNumberCondition(field, sign, first.text);
}

function several(field: AnyField, sign: TypedSign): Operator {
  if (sign === ':' || sign === '=') return 'in';
  if (sign === '!=') return 'not_in';
  throw new CriterionError(`${field.label} needs one value after ${sign}`);
}

function toWordsCondition(
  field: AnyField,
  sign: TypedSign,
  first: TypedValue,
  others: readonly TypedValue[],
): Condition {
  if (others.length > 0)
    return {
      operator: several(field, sign),
      value: [first, ...others].map((value) => typedWords(field, value)),
    };
  if (sign !== ':') return { operator: operatorOfSign[sign], value: typedWords(field, first) };
  const { text: value, anyBefore, anyAfter } = first;
  if (anyBefore !== anyAfter) return { operator: anyAfter ? 'start_with' : 'end_with', value };
  if (anyBefore || field.kind !== 'choice') return { operator: 'contains', value };
  return { operator: 'in', value: [typedWords(field, first)] };
}

/** Returns the choice's spelling. Other values must be quoted, so that a typing error is not a search without match. */
function typedWords(field: AnyField, { text, quoted, anyBefore, anyAfter }: TypedValue): string {
  if (anyBefore || anyAfter)
    throw new CriterionError(
      `A star stands for any text in one value after a colon; write "*" in quotes for the star itself`,
    );
  if (quoted || field.choices === undefined) return text;
  const choices = field.choices.map(String);
  const found = choices.find((choice) => fold(choice) === fold(text));
  if (found === undefined)
    throw new CriterionError(
      `${field.label} has no value '${text}'. Allowed values are: ${choices.join(', ')}`,
    );
  return found;
}

const bytesOfUnit: Readonly<Record<string, number>> = {
  '': 1,
  kb: 1024,
  mb: 1_048_576,
  gb: 1_073_741_824,
};

function typedNumber(field: AnyField, text: string): number {
  if (field.kind === 'decimal') return typedDecimal(field, text);
  const [, digits, unit = ''] = /^(-?\d+|\d+\.\d+(?=[kmg]))([kmg]b)?$/i.exec(text) ?? [];
  const value = Math.round(Number(digits) * (bytesOfUnit[unit.toLowerCase()] ?? 1));
  if (!Number.isSafeInteger(value) || (unit !== '' && field.kind !== 'size')) {
    throw new CriterionError(
      `${field.label} needs a whole number${field.kind === 'size' ? ' or a size such as 10mb' : ''}, not '${text}'`,
    );
  }
  return value;
}

function typedDecimal(field: AnyField, text: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text))
    throw new CriterionError(`${field.label} needs a number such as 0.5, not '${text}'`);
  return Number(text);
}

function toNumberCondition(field: AnyField, sign: TypedSign, text: string): Condition {
  const range = rangeIn(field, sign, text);
  if (range === undefined)
    return { operator: operatorOfSign[sign], value: typedNumber(field, text) };
  const [low, high] = range.map((end) => (end === '' ? undefined : typedNumber(field, end)));
  return between(low, high);
}

function typedFlag(field: AnyField, text: string): boolean {
  if (/^(yes|true)$/i.test(text)) return true;
  if (/^(no|false)$/i.test(text)) return false;
  throw new CriterionError(`${field.label} is yes or no, not '${text}'`);
}

/** Returns the ends of `a..b`, one of which may be missing; undefined when it is not a range. */
function rangeIn(
  field: AnyField,
  sign: TypedSign,
  text: string,
): readonly [string, string] | undefined {
  const [, low = '', high = ''] = /^(.*?)\.\.(.*)$/.exec(text) ?? [];
  if (low === '' && high === '') return undefined;
  if (sign !== ':' && sign !== '=')
    throw new CriterionError(`${field.label} needs one value after ${sign}, not a range`);
  return [low, high];
}

function between(low: number | undefined, high: number | undefined): Condition {
  if (low === undefined) return { operator: 'less_than_or_equal', value: high };
  return high === undefined
    ? { operator: 'greater_than_or_equal', value: low }
    : { operator: 'between', value: low, toValue: high };
}

function toDateCondition(
  field: AnyField,
  sign: TypedSign,
  text: string,
  timeZone: string,
): Condition {
  const range = rangeIn(field, sign, text);
  if (range !== undefined) {
    const [low, high] = range.map((end) =>
      end === '' ? undefined : typedDate(field, end, timeZone),
    );
    return between(low?.from, high?.to);
  }
  const ago = timeAgo(text);
  if (ago !== undefined && sign !== '!=')
    return { operator: sign.startsWith('>') ? 'less_than' : 'equal', value: ago };
  if (isRelativeTime(text)) return { operator: operatorOfSign[sign], value: text };

  const { from, to } = typedDate(field, text, timeZone);
  const operator = operatorOfSign[sign];
  if (operator === 'equal' && from !== to) return between(from, to);
  if (operator === 'not_equal' && from !== to)
    throw new CriterionError(
      `${field.label} cannot exclude a single day; search before or after it`,
    );
  return { operator, value: sign === '<=' || sign === '>' ? to : from };
}

/** Parses 30d, 8h or 2w. */
function timeAgo(text: string): string | undefined {
  const [, count, unit = ''] = /^([1-9]\d{0,3})([hdw])$/i.exec(text) ?? [];
  if (count === undefined) return undefined;
  if (unit.toLowerCase() === 'h') return `last_${count}_hours`;
  return `last_${Number(count) * (unit.toLowerCase() === 'w' ? 7 : 1)}_days`;
}

/** Parses a year, a month, a day, or an instant in ISO 8601 with its zone. */
function typedDate(
  field: AnyField,
  text: string,
  timeZone: string,
): Interval & { readonly from: number } {
  const [, years, months, days] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  if (years !== undefined) {
    const first = { year: Number(years), month: Number(months ?? 1), day: Number(days ?? 1) };
    const next =
      days !== undefined
        ? { day: first.day + 1 }
        : months !== undefined
          ? { month: first.month + 1 }
          : { year: first.year + 1 };
    const calendar = new Date(Date.UTC(first.year, first.month - 1, first.day));
    if (calendar.getUTCMonth() + 1 === first.month && calendar.getUTCDate() === first.day) {
      return {
        from: startOfDay(first, timeZone),
        to: startOfDay({ ...first, ...next }, timeZone) - 1,
      };
    }
  }
  const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/i.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (!Number.isNaN(instant)) return { from: instant, to: instant };
  throw new CriterionError(
    `${field.label} needs a date such as 2024-01-31, 2024-01..2024-03, today, last_week or <30d, not '${text}'`,
  );
}
