/** Writes CSV that spreadsheets of all locales can read. */
import { stringify } from 'csv-stringify/sync';

/**
 * Follows RFC 4180. Cells that a spreadsheet would run as a formula get an apostrophe. Cells with a semicolon, a tab or a line
 * break are quoted like those with a comma, since spreadsheets of other locales use them as separators. Numbers are no formulas.
 */
export const csvLines = (records: readonly (readonly unknown[])[]): string =>
  stringify([...records] as unknown[][], {
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: {
      number: (value) =>
        value < 0 ? { value: String(value), escape_formulas: false } : String(value),
    },
    quoted_match: /[;\t\r\n]/,
  });
