/** The files of a new family that all forms share: its list and its place among the registries' names. */
import { type FamilyNames, pathsOf } from './family-names.ts';

/** Text by path below the vendor's folder. */
export type FamilyFiles = Readonly<Record<string, string>>;

/** `fields`: what stands in the definition beside its names, and `imports` what that needs. */
export function listFile(names: FamilyNames, imports: string, fields: string): string {
  const { route, searchPath, detailPath } = pathsOf(names);
  return `import { defineList } from '../../definition/list-definition.ts';
${imports}

export const ${names.name}List = defineList({
  key: '${names.key}',
  label: '${names.label} patches',
  shortLabel: '${names.label}',
  source: '${names.source}',
  route: '${route}',
  searchPath: '${searchPath}',
  detailPath: '${detailPath}',
${fields}
});
`;
}

/** Of a feed's definition; `second` is the newest release that its fixtures have. */
export function feedHead({ name, address }: FamilyNames, partOf: string): string {
  return `export const ${name}Feed: Feed = {
  fills: [${name}List],
  homepage: '${address}',
  schedule: '${minuteOf(name)} */4 * * *',
  version: 1,
  parts: ['1', '2'].map(${partOf}),
  otherParts: {
    words: 'a release after 2, such as 3',
    partOf: (key) => (/^([3-9]|[1-9]\\d)$/.test(key) ? ${partOf}(key) : null),
  },
};
`;
}

/** Sources are not all synced in the same minute. */
function minuteOf(name: string): number {
  return Array.from(name).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 60, 0);
}

/** The last paragraph of each readme, until the real publication was read. */
export const notVerified =
  'Not verified against the live publication yet: address, form and fixtures were drafted. Remove this line once a sync has read it.';
