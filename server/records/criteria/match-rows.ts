/** The filter language and the order of a search, evaluated over rows in memory: the same results as its SQL. */
import type { Fields } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  fieldOf,
  type ListDefinition,
  type NewRow,
} from '@patch/catalogue/definition/list-definition.ts';
import {
  naturalOrder,
  orderFunction,
  versionOrder,
} from '@patch/catalogue/definition/natural-order.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import type { SortKey } from './search-request.ts';

export interface MatchedRow {
  readonly id: number;
  readonly row: NewRow<Fields>;
}

export function meetsCondition(row: MatchedRow, condition: Condition): boolean {
  const value = valueOf(row, condition.name);
  const words = foldedElements(value);
  switch (condition.kind) {
    case 'null':
      return (value === null) !== condition.negated;
    case 'oneOf':
      return (
        condition.values.some((one) =>
          typeof one === 'string' ? words.includes(one) : value === one,
        ) !== condition.negated
      );
    case 'like':
      return words.some((word) => matchesLike(condition.pattern, word)) !== condition.negated;
    case 'between':
      return (
        value !== null &&
        Number(value) >= Number(condition.low) &&
        Number(value) <= Number(condition.high)
      );
    case 'compared': {
      const { comparison, value: asked } = condition;
      const equal = typeof asked === 'string' ? words.includes(asked) : value === asked;
      if (comparison === '=') return equal;
      if (comparison === '!=') return !equal;
      if (value === null) return false;
      const difference = Number(value) - Number(asked);
      if (comparison === '<') return difference < 0;
      if (comparison === '>') return difference > 0;
      return comparison === '<=' ? difference <= 0 : difference >= 0;
    }
  }
}

/** Compares two rows. A row without a value comes last in both directions; ties follow the direction of the first key. */
export function compareRows(
  list: ListDefinition,
  sort: readonly SortKey[],
  a: MatchedRow,
  b: MatchedRow,
): number {
  for (const { field, descending } of [
    ...sort,
    { field: 'id', descending: sort[0]?.descending ?? false },
  ]) {
    const [one, other] = [orderValue(list, a, field), orderValue(list, b, field)];
    if (one === other) continue;
    if (one === null || other === null) return one === null ? 1 : -1;
    const less =
      typeof one === 'string'
        ? Buffer.compare(Buffer.from(one), Buffer.from(String(other))) < 0
        : one < Number(other);
    return less === descending ? 1 : -1;
  }
  return 0;
}

/** The folded words of a value: one of a line, each of a field of several values, none of an empty field. */
export function foldedElements(value: unknown): readonly string[] {
  return value === null
    ? []
    : (Array.isArray(value) ? value : [value]).map((element) => fold(String(element)));
}

function valueOf({ id, row }: MatchedRow, name: string): unknown {
  const value = name === 'id' ? id : (row[name] ?? null);
  return Array.isArray(value) && value.length === 0 ? null : value;
}

/** SQL's LIKE, in time proportional to the product of both lengths whatever the pattern: no expression that backtracks. */
export function matchesLike(pattern: string, text: string): boolean {
  const pieces = likePieces(pattern);
  const characters = Array.from(text);
  let piece = 0;
  let at = 0;
  let lastAny = -1;
  let retryAt = 0;
  while (at < characters.length) {
    const wanted = pieces[piece];
    if (wanted === 'any') {
      lastAny = piece;
      retryAt = at;
      piece += 1;
    } else if (wanted !== undefined && (wanted === 'one' || wanted.literal === characters[at])) {
      piece += 1;
      at += 1;
    } else if (lastAny >= 0) {
      retryAt += 1;
      at = retryAt;
      piece = lastAny + 1;
    } else return false;
  }
  return pieces.slice(piece).every((rest) => rest === 'any');
}

type LikePiece = 'any' | 'one' | { readonly literal: string };

/** A backslash takes the meaning of the next character away; the last one alone stands for itself. */
function likePieces(pattern: string): LikePiece[] {
  const pieces: LikePiece[] = [];
  const characters = Array.from(pattern);
  for (let place = 0; place < characters.length; place += 1) {
    const character = characters[place] ?? '';
    const escaped = character === '\\' ? characters[place + 1] : undefined;
    if (escaped !== undefined) {
      pieces.push({ literal: escaped });
      place += 1;
    } else if (character === '%') pieces.push('any');
    else pieces.push(character === '_' ? 'one' : { literal: character });
  }
  return pieces;
}

const orders = { natural_order: naturalOrder, version_order: versionOrder };

function orderValue(list: ListDefinition, row: MatchedRow, name: string): string | number | null {
  const value = valueOf(row, name);
  if (value === null || typeof value === 'number') return value;
  const words = foldedElements(value).join('\n');
  const definition = fieldOf(list, name);
  if (definition.kind === 'choice')
    return (definition.choices ?? []).findIndex((choice) => fold(String(choice)) === words);
  const byNumbers = orderFunction(definition);
  return byNumbers === null ? words : orders[byNumbers](words);
}
