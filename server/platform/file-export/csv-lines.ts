/** CSV as spreadsheets of all locales read it. */
import { stringify } from 'csv-stringify/sync';

/**
 * RFC 4180. What a spreadsheet would run as a formula is escaped with an apostrophe. Cells with a semicolon, a tab or any line break are
 * quoted like those with a comma: spreadsheets of other locales separate cells by them.
 */
export const csvLines = (records: readonly (readonly unknown[])[]): string =>
  stringify([...records] as unknown[][], {
    record_delimiter: 'windows',
    escape_formulas: true,
    quoted_match: /[;\t\r\n]/,
  });
