/** The changes of an audit entry, one line per value. */

export interface DifferenceLine {
  /** The path of the value, such as `servers.0.port`. Empty for a single value. */
  readonly name: string;
  /** Null for an added value. */
  readonly was: string | null;
  readonly is: string | null;
}

/** Returns only the values that differ. A value on one side only is returned completely. */
export function toDifferenceLines(before: unknown, after: unknown): readonly DifferenceLine[] {
  const was = flatten(before);
  const is = flatten(after);
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names
    .map((name) => ({ name, was: was.get(name) ?? null, is: is.get(name) ?? null }))
    .filter((line) => line.was !== line.is);
}

function flatten(value: unknown): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  if (value !== null && value !== undefined) collect('', value);
  return values;

  function collect(name: string, item: unknown): void {
    const children =
      typeof item === 'object' && item !== null && !isPlainList(item) ? Object.entries(item) : [];
    if (children.length === 0) values.set(name, formatValue(item));
    for (const [key, child] of children) collect(name === '' ? key : `${name}.${key}`, child);
  }
}

const isPlainList = (value: object): value is readonly (string | number)[] =>
  Array.isArray(value) &&
  value.every((each) => typeof each === 'string' || typeof each === 'number');

function formatValue(value: unknown): string {
  if (value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ');
  return typeof value === 'object' ? 'nothing' : String(value as number);
}
