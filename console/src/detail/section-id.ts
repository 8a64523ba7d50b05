/** Returns the HTML id of a record's table. */
export const buildSectionId = (record: number, table: string): string =>
  `record-${record}-${table}`;
