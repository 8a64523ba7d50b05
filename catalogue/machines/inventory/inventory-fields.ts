/** Splits a line that a query format printed into its fields, whatever separates them. */

/** Splits by tabs when there are any, so that empty fields are preserved; otherwise by white space, commas, semicolons and bars. */
export function inventoryFields(text: string): string[] {
  if (text.includes('\t')) return text.split('\t').map(withoutQuotes);
  return text
    .split(/[\s,;|]+/)
    .map(withoutQuotes)
    .filter((field) => field !== '');
}

const withoutQuotes = (field: string) => {
  const word = field.trim();
  const quote = word[0];
  return (quote === '"' || quote === "'") && word.length > 1 && word.endsWith(quote)
    ? word.slice(1, -1)
    : word;
};
