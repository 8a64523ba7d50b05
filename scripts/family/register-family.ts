/** Adds a list or a feed to a registry: its import where it belongs by name, its entry at the end. */

export interface RegistryEntry {
  /** `import { exampleList } from './vendors/example/example-list.ts';` */
  readonly imported: string;
  /** The line in the registry, indented. */
  readonly entry: string;
  /** The line that closes the registry. */
  readonly before: string;
}

/** The text of the registry with the entry. Throws when the registry does not look as expected. */
export function registered(text: string, { imported, entry, before }: RegistryEntry): string {
  const lines = text.split('\n');
  const end = lines.indexOf(before);
  const from = (line: string) => / from '(.*)';$/.exec(line)?.[1] ?? '';
  const vendors = lines.flatMap((line, place) =>
    line.startsWith('import ') && from(line).startsWith('./vendors/') ? [place] : [],
  );
  const last = vendors.at(-1);
  if (end === -1 || last === undefined)
    throw new Error(`The registry has no line '${before}', or imports no vendor`);
  const next = vendors.find((place) => from(lines[place] ?? '') > from(imported)) ?? last + 1;
  lines.splice(end, 0, entry);
  lines.splice(next, 0, imported);
  return lines.join('\n');
}
