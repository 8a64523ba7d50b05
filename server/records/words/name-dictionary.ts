/** The names of products, releases and vendors that a list has, and what a few words of a query call among them. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { ownListField } from '../criteria/match-rank.ts';
import { codeNames, namesOfReleases, rebuilds } from './aliases.ts';
import { joining } from './grammar-words.ts';
import { isYear } from './typed-times.ts';

/** The values of the fields of words of a list, as stored, without those of restricted fields. */
export type KnownValues = ReadonlyMap<string, readonly string[]>;

/** More values than this are no answer to a word: `microsoft` as every product of Microsoft. */
const maxValues = 100;
/** Names with the rarest of the words that are compared. More names have no word that tells them apart. */
const maxCompared = 2_000;

/** Names of a field that are indexed, in about 30 ms of the thread that answers requests. Further values stay words. */
const maxNames = 5_000;

/** Words in names of products that people leave out. */
const noise = new Set(['version', 'lts', 'the', 'gnu', 'linux']);
/** Words in names of many products that name none. */
const architectures = new Set(['32', '64', 'bit', 'x64', 'x86', 'amd64', 'arm64', 'aarch64']);
/** Publishers in names of products of lists without a vendor. */
const publishersOfProducts = ['microsoft', 'apple'];

interface KnownName {
  readonly value: string;
  readonly folded: string;
  readonly tokens: readonly string[];
  /** The number of tokens before the first bracket. */
  readonly bracketAt: number;
}

/** What the typed words are in names. */
interface Reading {
  readonly tokens: readonly string[];
  /** The tokens are nothing without the rest of the name. */
  readonly isWhole?: boolean;
}

interface FieldNames {
  readonly paramName: string;
  readonly names: readonly KnownName[];
  readonly byToken: ReadonlyMap<string, readonly KnownName[]>;
}

export class NameDictionary {
  readonly #fields: readonly FieldNames[];
  readonly #publishers: ReadonlySet<string>;

  constructor(list: ListDefinition, known: KnownValues) {
    this.#publishers = new Set([...(known.get('vendor') ?? []).map(fold), ...publishersOfProducts]);
    this.#fields = Array.from(known)
      .filter(([name]) => list.searchable.includes(name))
      // Choices and flags have words of their own.
      .filter(([name]) => !['choice', 'flag'].includes(getField(list, name).kind))
      // The keys of lists are no words of people.
      .filter(([name]) => name !== ownListField)
      .map(([paramName, values]) => indexNames(paramName, values));
  }

  /** Returns true for a field with names of products, releases or vendors. */
  has(paramName: string): boolean {
    return this.#fields.some((field) => field.paramName === paramName);
  }

  /** Returns what the folded words call in each field that has it. */
  find(words: readonly string[]): readonly FieldCriterion[] {
    const readings = expandAliases(words);
    return this.#toCriteria(words, (field) =>
      readings.flatMap((reading) => this.#match(field, words, reading)),
    );
  }

  /** As `find`, for the words of a name and its number in another order: `2022 server windows`. */
  findReordered(words: readonly string[]): readonly FieldCriterion[] {
    const tokens = tokenize(words.join(' '));
    if (tokens.length < 2 || !tokens.some(isVersion) || !tokens.some(hasLetter)) return [];
    if (words.some((word) => joining.has(word))) return [];
    return this.#toCriteria(words, ({ byToken }) =>
      getRarest(byToken, tokens).filter((name) => this.#isReordered(name.tokens, tokens)),
    );
  }

  /** Returns the names of the field that the criterion finds. */
  listValues({ paramName, operator, value }: FieldCriterion): readonly string[] {
    const names = this.#fields.find((field) => field.paramName === paramName)?.names ?? [];
    const texts = (Array.isArray(value) ? value : [value]).map((text) => fold(String(text)));
    const [text = ''] = texts;
    const tests: Partial<Record<typeof operator, (folded: string) => boolean>> = {
      start_with: (folded) => folded.startsWith(text),
      contains: (folded) => folded.includes(text),
    };
    const test = tests[operator] ?? ((folded) => texts.includes(folded));
    return names.filter(({ folded }) => test(folded)).map((name) => name.value);
  }

  #toCriteria(
    words: readonly string[],
    match: (field: FieldNames) => readonly KnownName[],
  ): readonly FieldCriterion[] {
    return this.#fields.flatMap((field) => {
      const matched = new Set(match(field));
      return matched.size === 0 || matched.size > maxValues
        ? []
        : [toCriterion(field, words.join(' '), [...matched])];
    });
  }

  /**
   * Returns the names that begin with the tokens; without one, those that contain them with a number, or that begin so and have other
   * words between them: `sharepoint 2019`, and `.net framework 4.8.1 windows server 2022`.
   */
  #match(
    { byToken }: FieldNames,
    words: readonly string[],
    { tokens, isWhole = false }: Reading,
  ): readonly KnownName[] {
    const rarest = getRarest(byToken, tokens);
    if (![...words, ...tokens].some(hasLetter)) return [];
    if (tokens.every((token) => architectures.has(token))) return [];
    if (isWhole) return rarest.filter((name) => name.tokens.join(' ') === tokens.join(' '));
    const inside: KnownName[] = [];
    const begun = rarest.filter((name) => {
      const at = findTokens(name.tokens, tokens);
      // `2022 server` is no part of `Windows Server 2022 (Server Core installation)`.
      const isWithin = at >= name.bracketAt || at + tokens.length <= name.bracketAt;
      if (at > 0 && isWithin && tokens.some(hasDigit)) inside.push(name);
      return at === 0 || (at > 0 && this.#publishers.has(name.tokens.slice(0, at).join(' ')));
    });
    if (begun.length > 0 || inside.length > 0) return begun.length > 0 ? begun : inside;
    return tokens.length > 1 && tokens.some(isVersion) && !words.some((word) => joining.has(word))
      ? rarest.filter((name) => this.#beginsWithGaps(name.tokens, tokens))
      : [];
  }

  /** Returns true for a name that begins with one of the words, and has the others in any order, behind it at once or with a year. */
  #isReordered(name: readonly string[], words: readonly string[]): boolean {
    const places = words.map((word) =>
      name.findIndex((token) => listTypedForms(token).includes(word)),
    );
    const [first, last] = [Math.min(...places), Math.max(...places)];
    if (first < 0 || new Set(places).size < words.length) return false;
    const isBegun = first === 0 || this.#publishers.has(name.slice(0, first).join(' '));
    return isBegun && (last - first < words.length || words.some(isYear));
  }

  /** Returns true for a name that begins with the first word and has the others in this order. */
  #beginsWithGaps(name: readonly string[], words: readonly string[]): boolean {
    let at = -1;
    return words.every((word, n) => {
      const next = name.findIndex(
        (token, place) => place > at && listTypedForms(token).includes(word),
      );
      const isBegun =
        n > 0 || next === 0 || this.#publishers.has(name.slice(0, Math.max(next, 0)).join(' '));
      at = next;
      return next >= 0 && isBegun;
    });
  }
}

function indexNames(paramName: string, values: readonly string[]): FieldNames {
  const written = [...values.slice(0, maxNames), ...listAbsentReleases(values)];
  const names = written.map((value): KnownName => {
    const folded = fold(value);
    const bracketAt = folded.includes('(')
      ? tokenize(folded.replace(/\(.*/s, '')).length
      : Infinity;
    return { value, folded, tokens: tokenize(folded), bracketAt };
  });
  const byToken = new Map<string, KnownName[]>();
  for (const name of names)
    for (const token of new Set(name.tokens.flatMap(listTypedForms))) {
      const named = byToken.get(token);
      if (named === undefined) byToken.set(token, [name]);
      else named.push(name);
    }
  return { paramName, names, byToken };
}

/** Returns the releases of these distributions that no record is for, so that a query for one is understood, and finds none. */
function listAbsentReleases(values: readonly string[]): readonly string[] {
  const present = new Set(values.map((value) => tokenize(fold(value)).slice(0, 2).join(' ')));
  const families = new Map(
    values.flatMap((value) => {
      const [, family] = /^(\p{L}+) \d/u.exec(value) ?? [];
      return family === undefined ? [] : [[fold(family), family] as const];
    }),
  );
  return Array.from(codeNames).flatMap(([name, release]) => {
    const [family = '', version = ''] = release.split(' ');
    const written = families.get(family);
    const isPresent = present.has(release) || [...present].some((each) => each.startsWith(name));
    return written === undefined || isPresent ? [] : [`${written} ${version}`];
  });
}

/** Returns one criterion for all of these names: by their common beginning where no other name has it. */
function toCriterion(
  { paramName, names }: FieldNames,
  typed: string,
  matched: readonly KnownName[],
): FieldCriterion {
  const [first] = matched;
  if (first !== undefined && matched.length === 1)
    return { paramName, operator: 'equal', value: first.value };
  const isOnly = (test: (name: KnownName) => boolean) =>
    matched.every(test) && names.filter(test).length === matched.length;
  if (isOnly(({ folded }) => folded.startsWith(typed)))
    return { paramName, operator: 'start_with', value: writtenAs(first, typed) };
  if (isOnly(({ folded }) => folded.includes(typed)))
    return { paramName, operator: 'contains', value: writtenAs(first, typed) };
  return { paramName, operator: 'in', value: matched.map(({ value }) => value) };
}

/** Returns the typed words as the vendor writes them. */
function writtenAs(name: KnownName | undefined, typed: string): string {
  const at = name === undefined ? -1 : name.folded.indexOf(typed);
  const written = name?.value.slice(at, at + typed.length) ?? typed;
  return at >= 0 && fold(written) === typed ? written : typed;
}

const findTokens = (tokens: readonly string[], words: readonly string[]): number =>
  words.length === 0
    ? -1
    : tokens.findIndex((_, start) =>
        words.every((word, n) => listTypedForms(tokens[start + n] ?? '').includes(word)),
      );

/** Returns the word, and a version without its last zeros: `8` for `8.0`. */
const listTypedForms = (token: string): readonly string[] =>
  /^\d+(?:\.0)+$/.test(token) ? [token, token.replace(/(?:\.0)+$/, '')] : [token];

/** Returns the names with the rarest of the tokens; none where this tells none apart. */
function getRarest(
  byToken: FieldNames['byToken'],
  tokens: readonly string[],
): readonly KnownName[] {
  const lists = tokens.map((token) => byToken.get(token) ?? []);
  const [rarest = []] = lists.toSorted((a, b) => a.length - b.length);
  return rarest.length > maxCompared ? [] : rarest;
}

const isVersion = (word: string) => hasDigit(word) && !architectures.has(word);
const hasDigit = (word: string) => /\d/.test(word);
const hasLetter = (word: string) => /\p{L}/u.test(word);

/** Returns the words of a folded name without those that people leave out, unless they are all of it. */
export function tokenize(folded: string): readonly string[] {
  const tokens = folded.split(/[^\p{L}\p{N}.+#]+/u).filter((token) => token !== '');
  const telling = tokens.filter((token) => !noise.has(token));
  return telling.length > 0 ? telling : tokens;
}

/** Returns the words, and those that the vendors write for them: `bookworm` and `debian bookworm` as `debian 12`, and the reverse. */
function expandAliases(words: readonly string[]): readonly Reading[] {
  const text = words.join(' ');
  const readings: Reading[] = [{ tokens: tokenize(text) }];
  const release = codeNames.get(words.at(-1) ?? '');
  if (release !== undefined && words.slice(0, -1).every((word) => release.startsWith(`${word} `)))
    readings.push({ tokens: tokenize(release) });
  const name = namesOfReleases.get(text.replace(/ lts$/, ''));
  if (name !== undefined) readings.push({ tokens: [name] });
  // No other vendor has releases of this form; earlier ones are versions of other systems too.
  if (/^(?:1[2-9]|2\d)\.(?:04|10)(?: lts)?$/.test(text))
    readings.push({ tokens: tokenize(`ubuntu ${text}`) });
  const [, version] = /^(?:el|rhel|red hat enterprise linux|red hat) ?(\d+)$/.exec(text) ?? [];
  if (version !== undefined)
    readings.push(...rebuilds.map((family) => ({ tokens: tokenize(`${family} ${version}`) })));
  // Apple's records state the version alone.
  const [, system] = /^mac ?os (?:x )?(\d[\d.]*)$/.exec(text) ?? [];
  if (system !== undefined) readings.push({ tokens: [system], isWhole: true });
  return readings;
}
