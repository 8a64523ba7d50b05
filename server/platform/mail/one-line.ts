/** Shortens a mail server's message to one line that the database can store. */

const maxLength = 1000;

export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
