/** Lists the paths in an example that a caller can fill, at any depth, and replaces the value at a path. */

export type Path = readonly (string | number)[];

export interface InputPath {
  readonly path: Path;
  readonly kind: 'text' | 'number' | 'flag' | 'none' | 'list' | 'object';
}

export function listPaths(example: unknown, path: Path = []): readonly InputPath[] {
  const inner = Array.isArray(example)
    ? example.map((item, index) => [index, item] as const)
    : typeof example === 'object' && example !== null
      ? Object.entries(example)
      : [];
  return [
    { path, kind: getKind(example) },
    ...inner.flatMap(([key, value]) => listPaths(value, [...path, key])),
  ];
}

function getKind(value: unknown): InputPath['kind'] {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return 'list';
  const kinds = { string: 'text', number: 'number', boolean: 'flag', object: 'object' } as const;
  return kinds[typeof value as keyof typeof kinds];
}

/** Returns JSON of the example with the unchanged text `raw` at the path. */
export function jsonWith(example: unknown, path: Path, raw: string): string {
  const [first, ...rest] = path;
  if (first === undefined) return raw;
  if (Array.isArray(example))
    return `[${example.map((item: unknown, index) => (index === first ? jsonWith(item, rest, raw) : JSON.stringify(item))).join()}]`;
  const fields = Object.entries(example as object).map(([key, value]: [string, unknown]) => {
    return `${JSON.stringify(key)}:${key === first ? jsonWith(value, rest, raw) : JSON.stringify(value)}`;
  });
  return `{${fields.join()}}`;
}

/** Returns JSON of the example with one more field in the object at the path. `name` is JSON too. */
export function jsonWithName(example: unknown, path: Path, name: string): string {
  const target = path.reduce(
    (value: unknown, key) => (value as Record<string | number, unknown>)[key],
    example,
  );
  const fields = Object.entries(target as object).map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  // Uses the value of another field, so that a map of names accepts it.
  const value = JSON.stringify(Object.values(target as object)[0] ?? 1);
  return jsonWith(example, path, `{${[...fields, `${name}:${value}`].join()}}`);
}
