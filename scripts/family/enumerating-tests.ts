/** Which test files read the registries, and which make tests for each vendor, list or source: found by what they say, so that no list of them has to be kept. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFiles } from '../source-files.ts';

const root = join(import.meta.dirname, '..', '..');

const registries = String.raw`\b(?:feeds|vendorFeeds|catalogueLists|sourceKeys|vendorSourceKeys)\b`;
/** `describe.each(Object.entries(feeds) …`, `test.for(catalogueLists.map(…`. */
const forEach = new RegExp(
  String.raw`\.(?:each|for)(?:<[^>(]*>)?\(\s*[^'"\x60)]{0,60}?${registries}`,
);
/** A table of a name of its own, `const sources = Object.entries(feeds)…`, of which `.each(sources)` makes tests. */
const table = new RegExp(
  String.raw`^const (\w+)(?:: [^=\n]+)? = (?:Object\.(?:entries|keys|values)\()?${registries}`,
  'gm',
);

/** These sync what the feed mirror has of a source, which takes minutes for some. */
const syncsTheMirror = /\bvendorFolder\(/;

/** Tests with a case for each entry of a registry, relative to the root; `onFixtures`: those alone that need no feed mirror. */
export function testsOfEach({ onFixtures = false } = {}): readonly string[] {
  return sourceFiles().filter((file) => {
    if (!/\.test\.tsx?$/.test(file)) return false;
    const text = readFileSync(join(root, file), 'utf8');
    return (forEach.test(text) || hasTable(text)) && !(onFixtures && syncsTheMirror.test(text));
  });
}

const importsRegistry =
  /import \{[^}]*\b(?:feeds|vendorFeeds|catalogueLists|sourceKeys|vendorSourceKeys|sourceLabels|specifiedEntries|addedEntries|generatedVendors|kindLike|vendorNames)\b[^}]*\} from/;
/** Copies of the repository, processes of their own and the feed mirror's documents take minutes. */
const takesMinutes = /\bRepositoryCopy\b|\bnode:child_process\b|\bdescribeWithMirror\b/;

/** Tests that read a registry, or the folders of the vendors, and make no test for each entry: they must still pass with one more family. */
export function testsOfRegistries(): readonly string[] {
  const ofEach = new Set(testsOfEach());
  return sourceFiles().filter((file) => {
    if (!/\.test\.tsx?$/.test(file) || ofEach.has(file)) return false;
    const text = readFileSync(join(root, file), 'utf8');
    return importsRegistry.test(text) && !takesMinutes.test(text);
  });
}

function hasTable(text: string): boolean {
  return [...text.matchAll(table)].some(([, name]) =>
    new RegExp(String.raw`\.(?:each|for)(?:<[^>(]*>)?\(${name}\b`).test(text),
  );
}
