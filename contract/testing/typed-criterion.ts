/** Writes a criterion as text that a person can type, so that a chip can be edited; `readSearchWords` reads it back. */
import { dateZone } from '@patch/catalogue/definition/date-zone.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Operator } from '@patch/catalogue/definition/operators.ts';
import { dayAt, startOfDay } from '../dates/zoned-day.ts';
import type { FieldCriterion } from '../filter/criterion.ts';

const signs: Partial<Record<Operator, string>> = {
  not_equal: '!=',
  not_in: '!=',
  less_than: '<',
  less_than_or_equal: '<=',
  greater_than: '>',
  greater_than_or_equal: '>=',
};

export function typedCriterion(
  list: ListDefinition,
  criterion: FieldCriterion,
  timeZone: string,
): string {
  const { paramName, operator, value, toValue } = criterion;
  const field = getField(list, paramName);
  const { kind, choices } = field;
  const name = list.filterName[paramName] ?? paramName;
  if (operator === 'is_not_null') return `${name}:*`;
  if (operator === 'is_null') return `-${name}:*`;

  const typed = (one: unknown, end: Edge): string => {
    if (typeof one === 'boolean') return one ? 'yes' : 'no';
    if (typeof one === 'number')
      return kind === 'date' ? typedInstant(one, end, dateZone(field, timeZone)) : String(one);
    const words = String(one);
    const known =
      choices === undefined || choices.some((choice) => fold(String(choice)) === fold(words));
    const bare = kind === 'date' || (known && /^[\p{L}\p{N}_][^\s,"*]*$/u.test(words));
    return bare ? words : `"${words.replaceAll('"', '""')}"`;
  };
  const written = (Array.isArray(value) ? value : [value])
    .map((one) => typed(one, edges[operator] ?? null))
    .join(',');
  switch (operator) {
    case 'between':
      return `${name}:${written}..${typed(toValue, 'to')}`;
    case 'start_with':
      return `${name}:${written}*`;
    case 'end_with':
      return `${name}:*${written}`;
    case 'contains':
      return kind === 'choice' ? `${name}:*${written}*` : `${name}:${written}`;
    case 'not_contains':
      return kind === 'choice' ? `-${name}:*${written}*` : `-${name}:${written}`;
    case 'in':
      return kind === 'choice' ? `${name}:${written}` : `${name}=${written}`;
    default:
      return `${name}${signs[operator] ?? '='}${written}`;
  }
}

/** The end of a comparison at which a typed day stands; a single instant is never written as a day. */
type Edge = 'from' | 'to' | null;
const edges: Partial<Record<Operator, Edge>> = {
  between: 'from',
  less_than: 'from',
  greater_than_or_equal: 'from',
  less_than_or_equal: 'to',
  greater_than: 'to',
};

function typedInstant(instant: number, end: Edge, timeZone: string): string {
  const day = dayAt(instant, timeZone);
  const { year, month } = day;
  const edge =
    end === 'from'
      ? startOfDay(day, timeZone)
      : startOfDay({ ...day, day: day.day + 1 }, timeZone) - 1;
  if (end === null || edge !== instant) return new Date(instant).toISOString();
  return [
    String(year).padStart(4, '0'),
    ...[month, day.day].map((part) => String(part).padStart(2, '0')),
  ].join('-');
}
