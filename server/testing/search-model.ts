/** What a search must answer, worked out over rows in memory in the plainest way. */
import type { Fields } from '@patch/catalogue/definition/fields.ts';
import { fieldOf, type NewRow } from '@patch/catalogue/definition/list-definition.ts';
import { keywordName, keywordTerms } from '@patch/contract/filter/keyword-terms.ts';
import { compareRows, foldedElements, meetsCondition } from '../records/criteria/match-rows.ts';
import type { Search } from '../records/criteria/search-request.ts';

export interface ModelRow {
  readonly id: number;
  readonly row: NewRow<Fields>;
  /** Folded identifiers of the detail; names of packages and their versions without the epoch. */
  readonly extraWords: readonly string[];
}

export function literalPattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

export function modelSearch(
  rows: readonly ModelRow[],
  search: Search,
): { ids: number[]; total: number } {
  const hits = rows.filter(
    (row) =>
      search.conditions.every((condition) => meetsCondition(row, condition)) &&
      hasKeyword(row, search),
  );
  const named = (row: ModelRow) => search.keyword !== '' && search.ownOrder && isNamed(row, search);
  hits.sort(
    (a, b) => Number(named(b)) - Number(named(a)) || compareRows(search.list, search.sort, a, b),
  );
  return {
    ids: hits.slice(search.offset, search.offset + search.size).map(({ id }) => id),
    total: hits.length,
  };
}

function hasKeyword({ row, extraWords }: ModelRow, { list, keyword }: Search): boolean {
  const isWords = (name: string) =>
    !['number', 'decimal', 'size', 'date', 'flag', 'link'].includes(fieldOf(list, name).kind);
  const words = Object.keys(list.fields)
    .filter(isWords)
    .flatMap((name) => foldedElements(row[name] ?? null));
  const all = [...words, ...extraWords];
  return keywordTerms(keyword).every(
    ({ text }) =>
      all.some((word) => word.includes(text)) ||
      (list.detail.packages !== undefined && hasPackage(all, text)),
  );
}

/** A name and a version of the record that make up the keyword, or begin with it up to somewhere in the version. */
function hasPackage(words: readonly string[], keyword: string): boolean {
  const typed = keyword.replace(/-\d+:/, '-');
  const plain = typed.replace(/\.x86_64$/, '');
  return words.some((name) =>
    words.some((version) => {
      const full = `${name}-${version}`;
      return (
        /^\d/.test(version) &&
        plain.length > name.length + 1 &&
        (plain === typed ? full.startsWith(plain) : full === plain)
      );
    }),
  );
}

function isNamed({ row }: ModelRow, { list, keyword }: Search): boolean {
  return list.identity.some((name) =>
    foldedElements(row[name] ?? null).includes(keywordName(keyword)),
  );
}
