/**
 * Writes criteria for addresses: `severity.in.Critical*.Important**releaseDate.equal.last_week`. It uses only characters that
 * browsers do not escape: `**` separates criteria, `*.` values, and `*-` is a star itself. Relative times stay relative, so that
 * a shared link means the same tomorrow.
 */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import {
  getField,
  isFilterable,
  type ListDefinition,
  resolveField,
} from '@patch/catalogue/definition/list-definition.ts';
import { type Operator, operators } from '@patch/catalogue/definition/operators.ts';
import { isRelativeTime, type When } from '../dates/relative-date.ts';
import { criteriaConditions } from './criteria-conditions.ts';
import { CriterionError, type FieldCriterion } from './criterion.ts';
import { canFilter, isOfWords } from './wire-operators.ts';

type Scalar = string | number | boolean;

export function writeCriteria(list: ListDefinition, criteria: readonly FieldCriterion[]): string {
  return criteria
    .map(({ paramName, operator, value, toValue }) => {
      const { kind } = getField(list, paramName);
      const values = [value, toValue].flatMap((one) =>
        one === undefined ? [] : (one as Scalar | readonly Scalar[]),
      );
      const head = `${paramName}.${operator}`;
      return values.length === 0
        ? head
        : `${head}.${values.map((one) => written(kind, one)).join('*.')}`;
    })
    .join('**');
}

interface CriteriaRead {
  readonly criteria: readonly FieldCriterion[];
  /** Sentences about parts of the address that the list cannot answer. */
  readonly refused: readonly string[];
}

export function readCriteria(list: ListDefinition, text: string, when: When): CriteriaRead {
  const criteria: FieldCriterion[] = [];
  const refused: string[] = [];
  for (const part of splitAtStars(text, '*')) {
    try {
      const criterion = readCriterion(list, part, when);
      if (criteria.some(({ paramName }) => paramName === criterion.paramName)) {
        throw new CriterionError(
          `${getField(list, criterion.paramName).label} can be used only once`,
        );
      }
      criteria.push(criterion);
    } catch (failure) {
      if (!(failure instanceof CriterionError)) throw failure;
      refused.push(failure.message);
    }
  }
  return { criteria, refused };
}

function readCriterion(list: ListDefinition, part: string, when: When): FieldCriterion {
  const [, fieldName = part, operatorName = '', rest] =
    /^([^.]*)\.([^.]*)(?:\.(.*))?$/s.exec(part) ?? [];
  const paramName = resolveField(list, fieldName);
  if (paramName === undefined || !isFilterable(list, paramName)) {
    throw new CriterionError(
      `The field '${fieldName}' is not valid. Allowed fields are: ${list.searchable.join(', ')}`,
    );
  }
  const { kind, label } = getField(list, paramName);
  const operator = operators.find((known) => known === operatorName);
  if (operator === undefined || !canFilter(kind, operator)) {
    const allowed = operators.filter((known) => canFilter(kind, known)).join(', ');
    throw new CriterionError(
      `The operator '${operatorName}' is not valid for ${label}. Allowed operators are: ${allowed}`,
    );
  }
  const texts = rest === undefined ? [] : splitAtStars(rest, '.');
  checkCount(label, operator, texts);
  const values = texts.map((one) => read(kind, one.replaceAll('*-', '*')));
  const criterion = toCriterion(paramName, operator, values);
  criteriaConditions(list, [criterion], when);
  return criterion;
}

/** Leaving out a value would find something else than was written. */
function checkCount(label: string, operator: Operator, values: readonly string[]): void {
  const words = operator.replaceAll('_', ' ');
  const hasNone = operator === 'is_null' || operator === 'is_not_null';
  if (hasNone && values.length > 0)
    throw new CriterionError(`${label} takes no value after '${words}'`);
  if (!hasNone && (values.length === 0 || values.includes('')))
    throw new CriterionError(`${label} needs a value`);
  if (operator === 'between' && values.length !== 2)
    throw new CriterionError(`${label} needs two values for '${words}'`);
  if (operator !== 'in' && operator !== 'not_in' && operator !== 'between' && values.length > 1)
    throw new CriterionError(`${label} needs one value for '${words}'`);
}

function toCriterion(
  paramName: string,
  operator: Operator,
  values: readonly Scalar[],
): FieldCriterion {
  const [first, second] = values;
  if (first === undefined) return { paramName, operator };
  if (operator === 'in' || operator === 'not_in')
    return { paramName, operator, value: values as (string | number)[] };
  return typeof second === 'number'
    ? { paramName, operator, value: first, toValue: second }
    : { paramName, operator, value: first };
}

function written(kind: FieldKind, value: Scalar): string {
  if (kind === 'date' && typeof value === 'number') return writtenInstant(value);
  return String(value).replaceAll('*', '*-');
}

function read(kind: FieldKind, text: string): Scalar {
  if (isOfWords(kind)) return text;
  if (kind === 'flag') return text === 'true' ? true : text === 'false' ? false : text;
  if (kind === 'date') return isRelativeTime(text) ? text : readInstant(text);
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** Formats 2024-03-12T1705Z: ISO 8601 without colons, and with seconds only when needed. */
function writtenInstant(at: number): string {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || year < 0 || year > 9999) return String(at);
  return date
    .toISOString()
    .replaceAll(':', '')
    .replace('.000Z', 'Z')
    .replace(/(?<=T\d{4})00Z$/, 'Z');
}

function readInstant(text: string): number {
  if (/^-?\d+$/.test(text)) return Number(text);
  const [, day, hour = '00', minute = '00', rest = ''] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d)(\d\d)(\d\d(?:\.\d{3})?)?Z)?$/.exec(text) ?? [];
  return Date.parse(`${day}T${hour}:${minute}:${rest === '' ? '00' : rest}Z`);
}

/** Splits from the left at `*` followed by the mark; every other star belongs to the character after it. */
function splitAtStars(text: string, mark: '*' | '.'): string[] {
  if (text === '') return mark === '*' ? [] : [''];
  const parts = [''];
  for (const [token] of text.matchAll(/\*.|[^*]+|\*$/gs)) {
    if (token === `*${mark}`) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}
