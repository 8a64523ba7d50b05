/**
 * What a vendor's fixture generator publishes: `<vendor>/testing/<vendor>-fixtures.ts` exports a function that answers the files of
 * `<vendor>/fixtures/`, laid out like a mirror. `npm run fixtures -- <vendor>` writes them, a test holds the two together.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCleartextMessage } from 'openpgp';

/** By path below the folder: `host/path`. */
export type FixtureFiles = Readonly<Record<string, string | Uint8Array>>;

export type FixtureGenerator = () => FixtureFiles | Promise<FixtureFiles>;

const vendors = fileURLToPath(new URL('../vendors/', import.meta.url));

/** The vendors whose fixtures are generated; other files of theirs may end in `-fixtures.ts` too. */
export function generatedVendors(): readonly string[] {
  return readdirSync(vendors)
    .filter((vendor) => existsSync(generatorOf(vendor)))
    .toSorted();
}

const generatorOf = (vendor: string) => join(vendors, vendor, 'testing', `${vendor}-fixtures.ts`);

/** Throws when the vendor has no generator, or its module exports none. */
export async function generatedFixtures(vendor: string): Promise<FixtureFiles> {
  const file = generatorOf(vendor);
  const module = (await import(file)) as Record<string, unknown>;
  const [, generate] =
    Object.entries(module).find(
      ([name, value]) => name.endsWith('Fixtures') && typeof value === 'function',
    ) ?? [];
  if (generate === undefined)
    throw new Error(`${file} exports no function whose name ends in Fixtures`);
  return (generate as FixtureGenerator)();
}

export interface FixtureDifference {
  readonly folder: string;
  /** Missing, or with another content. */
  readonly stale: FixtureFiles;
  /** Paths that the generator does not write. */
  readonly left: readonly string[];
}

/** Signed files are the same when what was signed is: each signing has a key of its own, unless nothing has changed. */
export async function fixtureDifference(vendor: string): Promise<FixtureDifference> {
  const folder = join(vendors, vendor, 'fixtures');
  const generated = await generatedFixtures(vendor);
  const there = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const same = await Promise.all(
    Object.entries(generated).map(
      async ([path, content]) =>
        there.includes(path) && isSame(path, readFileSync(join(folder, path)), content),
    ),
  );
  const differ = Object.entries(generated).filter((_file, place) => same[place] !== true);
  // A signature and the key that it was made with belong together.
  const stale =
    differ.length > 0
      ? Object.entries(generated).filter(([path]) => isSigned(path) || isKey(path))
      : [];
  return {
    folder,
    stale: Object.fromEntries([...differ, ...stale]),
    left: there.filter((path) => !Object.hasOwn(generated, path)),
  };
}

const isKey = (path: string) => path.startsWith('keys/');
const isSigned = (path: string) => path.endsWith('/InRelease');

async function isSame(
  path: string,
  written: Buffer,
  content: string | Uint8Array,
): Promise<boolean> {
  if (isKey(path)) return true;
  if (!isSigned(path)) return written.equals(Buffer.from(content));
  const [one, other] = await Promise.all(
    [written.toString(), Buffer.from(content).toString()].map((cleartextMessage) =>
      readCleartextMessage({ cleartextMessage }),
    ),
  );
  return one?.getText() === other?.getText();
}
