/** What an entry changed, a line each value: its name, what it was, what it is. */

export interface DifferenceLine {
  /** `servers.0.port`; empty for a value that stands alone. */
  readonly name: string;
  /** Null: there was none. */
  readonly was: string | null;
  readonly is: string | null;
}

/** Only what differs. What stands on one side alone is there whole. */
export function differenceLines(before: unknown, after: unknown): readonly DifferenceLine[] {
  const was = valuesOf(before);
  const is = valuesOf(after);
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names
    .map((name) => ({ name, was: was.get(name) ?? null, is: is.get(name) ?? null }))
    .filter((line) => line.was !== line.is);
}

function valuesOf(value: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (value !== null && value !== undefined) gather('', value);
  return found;

  function gather(name: string, each: unknown): void {
    const inner =
      typeof each === 'object' && each !== null && !isPlainList(each) ? Object.entries(each) : [];
    if (inner.length === 0) found.set(name, wordsOf(each));
    for (const [key, one] of inner) gather(name === '' ? key : `${name}.${key}`, one);
  }
}

const isPlainList = (value: object): value is readonly (string | number)[] =>
  Array.isArray(value) &&
  value.every((each) => typeof each === 'string' || typeof each === 'number');

function wordsOf(value: unknown): string {
  if (value === null || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ');
  return typeof value === 'object' ? 'nothing' : String(value as number);
}
