/** Words and phrases that the project does not use, each with what to write instead: old or translated English that a reader stops at. */

/** A pattern, read without regard to case, and its replacement as advice: most sentences are better rewritten. */
export type Term = readonly [pattern: string, instead: string];

/** A look-ahead makes the rule take the pattern as it is written. */
const phrase = (words: string, instead: string): Term => [`\\b${words}\\b(?!-)`, instead];

export const terms: readonly Term[] = [
  ['\\bno more\\b(?! than| of)', 'no longer'],
  phrase('anew', 'again'),
  phrase('whoever', 'anyone who'),
  phrase('whomever', 'anyone whom'),
  phrase('somebody', 'someone'),
  phrase('of it', 'its'),
  phrase('lets? go of', 'releases'),
  phrase('letting go of', 'releasing'),
  phrase('thereof', 'its'),
  phrase('thereupon', 'then'),
  phrase('whereupon', 'and then'),
  phrase('shall', 'must'),
  phrase('by itself alone', 'alone'),
  phrase('of late', 'recent'),
  phrase('is good for ever', 'does not expire'),
  phrase('all alike', 'all the same'),
  // The subject of stored entries of the audit log stays as it was written.
  ["\\be-mail\\b(?! configuration')", 'email'],
];
