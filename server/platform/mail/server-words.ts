/** What a mail server says, as it is kept and shown: one line, not endless, and nothing in it that the database does not take. */

const longest = 1000;

export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed();
