/** In which form a vendor publishes, told by what the files of its folder import: what a new family can be made like. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FamilyError } from './family-names.ts';
import { vendorNames, vendorsFolder } from './vendor-folder-contents.ts';

export const familyKinds = ['rpm', 'apt', 'json'] as const;
/** `rpm`: repositories with an updateinfo. `apt`: signed suites of packages. `json`: a JSON document of errata. */
export type FamilyKind = (typeof familyKinds)[number];

/** The first that fits; one vendor reads several forms at times, its own before those of others. */
const signs: readonly { readonly kind: FamilyKind; readonly imports: readonly RegExp[] }[] = [
  { kind: 'apt', imports: [/\/(parsers\/apt-suite|schemas\/dpkg-advisory-shape)\.ts'/] },
  {
    kind: 'json',
    imports: [/\/parsers\/json-(records|members)\.ts'/, /\/schemas\/rpm-errata-shape\.ts'/],
  },
  { kind: 'rpm', imports: [/\/schemas\/updateinfo-repositories\.ts'/] },
];

/** Null for a form of its own, which cannot be copied. */
export function kindOfVendor(vendor: string): FamilyKind | null {
  const folder = join(vendorsFolder, vendor);
  const code = readdirSync(folder).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const text = code.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  return signs.find(({ imports }) => imports.every((sign) => sign.test(text)))?.kind ?? null;
}

/** Throws FamilyError, which names the vendors that can be copied. */
export function kindLike(vendor: string | undefined): FamilyKind {
  const known = vendorNames();
  const kind = vendor !== undefined && known.includes(vendor) ? kindOfVendor(vendor) : null;
  if (kind !== null) return kind;
  const some = familyKinds.map(
    (one) => `${known.filter((name) => kindOfVendor(name) === one).join(', ')} (${words[one]})`,
  );
  const problem =
    vendor === undefined
      ? 'Say which vendor it publishes like, with --like'
      : known.includes(vendor)
        ? `'${vendor}' publishes in a form of its own, which no other vendor shares`
        : `There is no vendor '${vendor}'`;
  throw new FamilyError(`${problem}. A new family can be made like ${some.join('; ')}.`);
}

const words: Readonly<Record<FamilyKind, string>> = {
  rpm: 'repositories with an updateinfo',
  apt: 'signed suites of packages',
  json: 'a JSON document of errata',
};
