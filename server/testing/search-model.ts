/** What a search must answer, worked out over rows in memory in the plainest way. */
import type { Fields } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { fieldOf, type ListDefinition, type NewRow } from '@patch/catalogue/definition/list-definition.ts';
import type { CheckedCondition } from '@patch/contract/filter/check-filter.ts';
import type { Search, SortKey } from '../search/search-request.ts';

export interface ModelRow {
  readonly id: number;
  readonly row: NewRow<Fields>;
  /** Folded identifiers of the detail; names of packages and their versions without the epoch. */
  readonly extraWords: readonly string[];
}

export function literalPattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

export function modelSearch(rows: readonly ModelRow[], search: Search): { ids: number[]; total: number } {
  const hits = rows.filter((row) => search.conditions.every((condition) => meets(row, condition)) && hasKeyword(row, search));
  const named = (row: ModelRow) => search.keyword !== '' && search.ownOrder && isNamed(row, search);
  hits.sort((one, other) => Number(named(other)) - Number(named(one)) || inOrder(search.list, search.sort, one, other));
  return { ids: hits.slice(search.offset, search.offset + search.size).map(({ id }) => id), total: hits.length };
}

function valueOf({ id, row }: ModelRow, name: string): unknown {
  const value = name === 'id' ? id : (row[name] ?? null);
  return Array.isArray(value) && value.length === 0 ? null : value;
}

function elementsOf(value: unknown): string[] {
  return value === null ? [] : (Array.isArray(value) ? value : [value]).map((element) => fold(String(element)));
}

function meets(row: ModelRow, condition: CheckedCondition): boolean {
  const value = valueOf(row, condition.name);
  const words = elementsOf(value);
  switch (condition.is) {
    case 'null':
      return (value === null) !== condition.negated;
    case 'oneOf':
      return condition.values.some((one) => (typeof one === 'string' ? words.includes(one) : value === one)) !== condition.negated;
    case 'like':
      return words.some((word) => like(condition.pattern).test(word)) !== condition.negated;
    case 'between':
      return value !== null && Number(value) >= Number(condition.low) && Number(value) <= Number(condition.high);
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

function like(pattern: string): RegExp {
  const source = pattern.replace(/\\([\s\S])|([%_])|([\s\S])/g, (_, escaped: string, wild: string, plain: string) => {
    if (wild !== undefined) return wild === '%' ? '[\\s\\S]*' : '[\\s\\S]';
    return (escaped ?? plain).replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 'u');
}

function hasKeyword({ row, extraWords }: ModelRow, { list, keyword }: Search): boolean {
  if (keyword === '') return true;
  const isWords = (name: string) => !['number', 'size', 'date', 'flag', 'link'].includes(fieldOf(list, name).kind);
  const words = Object.keys(list.fields)
    .filter(isWords)
    .flatMap((name) => elementsOf(row[name] ?? null));
  const all = [...words, ...extraWords];
  return all.some((word) => word.includes(keyword)) || (list.detail.packages !== undefined && hasPackage(all, keyword));
}

/** A name and a version of the record that make up the keyword, or begin with it up to somewhere in the version. */
function hasPackage(words: readonly string[], keyword: string): boolean {
  const typed = keyword.replace(/-\d+:/, '-');
  const plain = typed.replace(/\.x86_64$/, '');
  return words.some((name) =>
    words.some((version) => {
      const full = `${name}-${version}`;
      return /^\d/.test(version) && plain.length > name.length + 1 && (plain === typed ? full.startsWith(plain) : full === plain);
    }),
  );
}

function isNamed({ row }: ModelRow, { list, keyword }: Search): boolean {
  return list.identity.some((name) => elementsOf(row[name] ?? null).includes(keyword));
}

/** Nothing comes last both ways; ties go the way of the first key. */
function inOrder(list: ListDefinition, sort: readonly SortKey[], one: ModelRow, other: ModelRow): number {
  for (const { field, descending } of [...sort, { field: 'id', descending: sort[0]?.descending ?? false }]) {
    const [a, b] = [orderValue(list, one, field), orderValue(list, other, field)];
    if (a === b) continue;
    if (a === null || b === null) return a === null ? 1 : -1;
    const less = typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) < 0 : a < Number(b);
    return less === descending ? 1 : -1;
  }
  return 0;
}

function orderValue(list: ListDefinition, row: ModelRow, name: string): string | number | null {
  const value = valueOf(row, name);
  if (value === null || typeof value === 'number') return value;
  const words = elementsOf(value).join('\n');
  const { kind, choices } = fieldOf(list, name);
  return kind === 'choice' ? (choices ?? []).findIndex((choice) => fold(String(choice)) === words) : words;
}
