/** By which id a table of a record is found on the page. */
export const sectionId = (record: number, table: string): string => `record-${record}-${table}`;
