/** Records as the lists store them, and readers of their single values. */

export type StoredValues = Readonly<Record<string, unknown>>;

export interface StoredRecord {
  readonly key: string;
  readonly row: StoredValues;
  readonly detail: StoredValues;
}

export function rowsIn(values: StoredValues, table: string): readonly StoredValues[] {
  const rows = values[table];
  return Array.isArray(rows) ? (rows as readonly StoredValues[]) : [];
}

export function wordIn(values: StoredValues, name: string): string | null {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

export function wordsIn(values: StoredValues, name: string): readonly string[] {
  const value: unknown = values[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
