/** Reads the binary packages of an archive's index (Packages), with the fields that a catalogue of patches needs. */
import { createRejection, type Rejection } from '../definition/feed.ts';
import { toWord } from '../values/vendor-words.ts';
import type { PackageIndex } from './apt-suite.ts';
import { stanzaBatches } from './deb822.ts';

export interface BinaryPackage {
  readonly kind: 'package';
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** The source package that it was built from, whose version may differ from its own. */
  readonly source: string;
  readonly sourceVersion: string;
  readonly priority: string | null;
  readonly section: string | null;
  /** One line. */
  readonly synopsis: string | null;
  /** The lines behind the synopsis; most indexes store them elsewhere. */
  readonly description: string | null;
  /** Path below the archive. */
  readonly filename: string | null;
  readonly size: number | null;
  readonly sha256: string | null;
  /** The percentage of machines that are currently offered the update; null when it is not phased. */
  readonly phased: number | null;
}

const fields = [
  'Package',
  'Version',
  'Architecture',
  'Source',
  'Priority',
  'Section',
  'Description',
  'Filename',
  'Size',
  'SHA256',
  'Phased-Update-Percentage',
] as const;

type PackageStanza = { readonly [Name in (typeof fields)[number]]?: string };

/** Yields a batch for each piece of the index. Rejects records whose name, version or architecture is not one word. */
export async function* binaryPackages({
  document,
}: PackageIndex): AsyncGenerator<(BinaryPackage | Rejection)[]> {
  let index = 0;
  for await (const stanzas of stanzaBatches(document, fields)) {
    yield stanzas.map((stanza) => {
      index += 1;
      return toPackage(stanza) ?? toRejection(stanza, index, document.url);
    });
  }
}

function toPackage(stanza: PackageStanza): BinaryPackage | null {
  const { Package: name, Version: version, Architecture: architecture } = stanza;
  if (!isWord(name) || !isWord(version) || !isWord(architecture)) return null;
  const [, source, sourceVersion = version] =
    /^(\S+)(?:\s+\(([^)\s]+)\))?$/.exec(stanza.Source || name) ?? [];
  if (source === undefined) return null;
  const [synopsis, description] = splitDescription(stanza.Description ?? '');
  return {
    kind: 'package',
    name,
    version,
    architecture,
    source,
    sourceVersion,
    priority: isWord(stanza.Priority) ? stanza.Priority.toLowerCase() : null,
    section: isWord(stanza.Section) ? stanza.Section : null,
    synopsis: synopsis || null,
    description: description || null,
    filename: isWord(stanza.Filename) ? stanza.Filename : null,
    size: /^\d+$/.test(stanza.Size ?? '') ? Number(stanza.Size) : null,
    sha256: /^[\da-f]{64}$/i.test(stanza.SHA256 ?? '') ? (stanza.SHA256 ?? '').toLowerCase() : null,
    phased: percentage(stanza['Phased-Update-Percentage']),
  };
}

function percentage(written: string | undefined): number | null {
  const number = /^\d{1,3}$/.test(written ?? '') ? Number(written) : 101;
  return number <= 100 ? number : null;
}

function isWord(value: string | undefined): value is string {
  return value !== undefined && /^\S+$/.test(value);
}

function splitDescription(text: string): [string, string] {
  const end = text.indexOf('\n');
  return end === -1 ? [text, ''] : [text.slice(0, end).trim(), text.slice(end + 1)];
}

function toRejection(stanza: PackageStanza, index: number, url: string): Rejection {
  const rejected = toWord(stanza.Package) ?? `record ${index}`;
  const missing = (['Package', 'Version', 'Architecture'] as const).filter(
    (field) => !stanza[field],
  );
  if (missing.length > 0)
    return createRejection(rejected, `it has no ${missing.join(', no ')}`, url);
  const odd = (['Package', 'Version', 'Architecture', 'Source'] as const).filter(
    (field) => stanza[field] && !isWord(stanza[field]),
  );
  return createRejection(rejected, `its ${odd.join(' and its ')} cannot be understood`, url);
}
