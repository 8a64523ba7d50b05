/** Identifiers that were typed with spaces, and words with one wrong letter, by the words that the records have. */

/** The words of all texts of a list. */
export interface KnownWords {
  /** Returns true when a word of a record contains the text. */
  readonly has: (text: string) => boolean;
  /** Returns the number of records with exactly this word, or a little more. */
  readonly count: (word: string) => number;
  /** Returns true when a title has these words one after another. */
  readonly isInTitle: (words: readonly string[]) => boolean;
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789-.+';
/** Shorter words are one letter away from too many others. */
const minLength = 5;

/**
 * Returns the most frequent word of the list that differs by one letter: a wrong, missing or needless one, or two that changed places.
 * Returns null for a word that the list has, or none is as near to.
 */
export function findSpelling(word: string, texts: KnownWords): string | null {
  if (word.length < minLength || /\d/.test(word) || texts.has(word)) return null;
  let best: string | null = null;
  let most = 0;
  for (const candidate of listEdits(word)) {
    const count = texts.count(candidate);
    if (count <= most) continue;
    best = candidate;
    most = count;
  }
  return best;
}

function* listEdits(word: string): Generator<string> {
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after !== '') yield before + after.slice(1);
    if (after.length > 1) yield `${before}${after[1] ?? ''}${after[0] ?? ''}${after.slice(2)}`;
    for (const letter of letters) {
      yield before + letter + after;
      if (after !== '') yield before + letter + after.slice(1);
    }
  }
}

export interface Joined {
  readonly text: string;
  /** Count of the words that it was typed as. */
  readonly length: number;
}

/**
 * Reads `kb 5094127`, `cve 2024 1086`, `cve2024-1086`, other identifiers (`alsa 2024 10850`, `usn 6663 1`) as the records write them,
 * and names in two words that they write as one. Returns null for words that are none.
 */
export function joinIdentifier(words: readonly string[], texts: KnownWords | null): Joined | null {
  const [word = '', second = ''] = words;
  if (/^ms\d\d$/.test(word) && /^\d{3}$/.test(second))
    return { text: `${word}-${second}`, length: 2 };
  if (word === 'kb' && /^\d{5,}$/.test(second)) return { text: `kb${second}`, length: 2 };
  const [, loose] = /^kb[-_:#](\d{5,})$/.exec(word) ?? [];
  if (loose !== undefined) return { text: `kb${loose}`, length: 1 };
  return (
    joinCve(words) ??
    (texts === null ? null : joinKnown(words, texts)) ??
    joinAdvisory(words, texts) ??
    (texts === null ? null : joinName(words, texts))
  );
}

/** Joined names of fewer letters are parts of too many words. */
const minJoined = 6;

/** Joins two words that the records write as one, and no title as two: `open office`, `win rar`. */
function joinName([word = '', second = '']: readonly string[], texts: KnownWords): Joined | null {
  const text = word + second;
  const areWords = [word, second].every((each) => /^\p{L}{2,}$/u.test(each));
  if (!areWords || text.length < minJoined || texts.count(text) === 0) return null;
  return texts.isInTitle([word, second]) ? null : { text, length: 2 };
}

function joinCve(words: readonly string[]): Joined | null {
  for (const length of [3, 2, 1]) {
    const text = words
      .slice(0, length)
      .join(' ')
      .replace(/[‐-―_]/g, '-');
    const [, year, number] = /^cve[ -]?((?:19|20)\d\d)[ -]?(\d{4,})$/.exec(text) ?? [];
    if (words.length < length || year === undefined || number === undefined) continue;
    const joined = `cve-${year}-${number}`;
    return joined === words[0] ? null : { text: joined, length };
  }
  return null;
}

/** A word and one to three numbers, with any separators or none. */
const advisory = /^(\p{L}+(?:-\p{L}+)*)[ :_-]?(\d{3,})(?:[ :_-](\d+))?(?:[ :_-](\d{1,2}))?$/u;
const maxAdvisoryWords = 4;

/** Joins a word and its numbers as a record writes them: `elsa 2021:1647` and `dsa5020` name ELSA-2021-1647 and DSA-5020-1. */
function joinKnown(words: readonly string[], texts: KnownWords): Joined | null {
  for (let length = Math.min(maxAdvisoryWords, words.length); length > 0; length -= 1) {
    const typed = words.slice(0, length).join(' ');
    const [, word, first = '', second, third] = advisory.exec(typed) ?? [];
    if (word === undefined || (length === 1 && texts.has(typed))) continue;
    const end = third === undefined ? '' : `-${third}`;
    const written =
      second === undefined
        ? [`${word}-${first}`, `${word}${first}`]
        : [':', '-'].map((separator) => `${word}-${first}${separator}${second}${end}`);
    const known = written.find(
      (text) => texts.has(text) && (second !== undefined || length === 1 || texts.count(text) > 0),
    );
    if (known !== undefined) return { text: known, length };
  }
  return null;
}

/** The advisories of Ubuntu and Debian by their number, and those of rebuilds of Red Hat Enterprise Linux by year and number. */
const advisoryForms: readonly (readonly [RegExp, string])[] = [
  [/^(usn|lsn|dsa|dla)[ :_-]?(\d{3,})(?:[ :_-](\d{1,2}))?$/, '-'],
  [/^((?:al|rl|rx|rh|el|ce)(?:sa|ba|ea))[ :_-]?(\d{4})[ :_-](\d{3,})$/, ':'],
];

/** Joins the words of an advisory that no record has, so that it finds none: not the other advisories of its vendor. */
function joinAdvisory(words: readonly string[], texts: KnownWords | null): Joined | null {
  for (const length of [3, 2, 1])
    for (const [form, separator] of advisoryForms) {
      const typed = words.slice(0, length).join(' ');
      const [, word, first, second] = form.exec(typed) ?? [];
      if (words.length < length || word === undefined || first === undefined) continue;
      if (length === 1 && texts?.has(typed) === true) continue;
      const text = `${word}-${first}${second === undefined ? '' : separator + second}`;
      if (text !== words[0]) return { text, length };
    }
  return null;
}
