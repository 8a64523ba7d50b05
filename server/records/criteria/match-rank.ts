/**
 * The order of the records that match a keyword, before the default order of the list: a record that the keyword identifies, also
 * without the version behind a package's name, an application or system whose title has all words, another title with all words, one
 * with words that begin so, and the rest. Among equals, current records precede superseded ones.
 */
import {
  getField,
  isCriterionOnly,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import { isNamed } from '@patch/catalogue/definition/record-name.ts';
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { keywordTerms } from '@patch/contract/filter/keyword-terms.ts';
import { columnsOfField, oncePerList } from '../../platform/database/rows/list-columns.ts';
import { getNameColumns } from './keyword-parts.ts';
import type { Search } from './search-request.ts';

/** Returns true when the rows of the search are ranked before they are sorted. Without a keyword, those of a list without superseded records have one rank. */
export const isRanked = ({ list, keyword, ranksMatches, ranksCurrent = false }: Search): boolean =>
  ranksMatches && (keyword !== '' || (ranksCurrent && hasSuperseded(list)));

/** Returns the folded column of the text that names a record to people; null where a list has none, or it must not be compared. */
export const getTitleColumn = oncePerList((list): { readonly column: string | null } => {
  const title = [...list.identity, ...Object.keys(list.fields)].find(
    (name) =>
      getField(list, name).kind === 'text' &&
      !isCriterionOnly(list, name) &&
      !isRestricted(list, name),
  );
  const columns = title === undefined ? null : columnsOfField(list, title);
  return { column: columns === null || columns.sealed ? null : columns.folded };
});

/** Returns the folded columns of the identifiers of a list, without the title. */
export const getIdentifierColumns = (list: ListDefinition): readonly string[] =>
  getNameColumns(list).filter((column) => column !== getTitleColumn(list).column);

/** Matches the name of a package that its version follows, as `getNameStem` does. */
export const nameStemSql = (column: string): string => `substring(${column} from '^([^ ]+) [0-9]')`;

/** Returns the name of an identifier that ends with a version: `openssl` of `openssl 3.0.22-1~deb12u2`; null for others. */
export const getNameStem = (identifier: string): string | null =>
  /^([^ ]+) [0-9]/.exec(identifier)?.[1] ?? null;

/** The flag of records that another one replaces. */
export const supersededField = 'superseded';

export const hasSuperseded = ({ fields }: ListDefinition): boolean =>
  Object.hasOwn(fields, supersededField);

/** The field of all patches with the key of a record's own list. */
export const ownListField = 'list';

export const hasOwnLists = ({ fields }: ListDefinition): boolean =>
  Object.hasOwn(fields, ownListField);

/** Keys of the lists whose records are called by their name: applications and systems, not advisories. */
export const getProductLists = (): readonly string[] =>
  catalogueLists.filter(isNamed).map(({ key }) => key);

/** Words that a title may have for a word of a keyword. */
export interface RankedWord {
  readonly word: string;
  /**
   * The name and its version as one word: `mysql:8.0`, `openjdk-17` and `python3.9` for either word of `mysql 8.0`, ..., and two words of
   * a name: `docker-engine`.
   */
  readonly joined: readonly string[];
}

/** Returns the distinct words of a folded keyword, those of phrases too. */
export function getRankedWords(keyword: string): readonly RankedWord[] {
  const words = keywordTerms(keyword)
    .flatMap(({ text }) => text.split(/[ \n]/))
    .filter((word) => word !== '');
  const join = (name = '', next = '') => {
    if (!isLetters(name)) return [];
    const signs = isLetters(next) ? ['-'] : isVersion(next) ? [':', '-', ''] : [];
    return signs.map((sign) => name + sign + next);
  };
  return [...new Set(words)].map((word) => ({
    word,
    joined: words.flatMap((each, at) =>
      each === word ? [...join(words[at - 1], word), ...join(word, words[at + 1])] : [],
    ),
  }));
}

const isLetters = (word: string) => /^\p{L}+$/u.test(word);
const isVersion = (word: string) => /^\d+(?:\.\d+)*$/.test(word);

/** Returns how a title may write a word of a keyword as a whole. */
export const getWholeWords = ({ word, joined }: RankedWord): readonly string[] =>
  [word, ...joined].flatMap(getWholeWordForms);

/** Returns what a title may have a word begin with. */
export const getWordStarts = ({ word, joined }: RankedWord): readonly string[] => [word, ...joined];

/** Returns how a title may write a word: also in parentheses and before a comma or a colon. */
const getWholeWordForms = (word: string): readonly string[] => [
  word,
  ...[',', ':', ';', '.', ')'].map((end) => `${word}${end}`),
  `(${word}`,
  `(${word})`,
];
