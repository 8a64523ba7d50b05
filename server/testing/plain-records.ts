/**
 * Computes the expected rows of All patches from the lists' records without the product's mapping: the fields of each vendor's record,
 * one merged record for each Windows update, and the highest figures of the CVEs.
 */
import type { ListKey } from '@patch/catalogue/lists.ts';

type Values = Readonly<Record<string, unknown>>;

/** A listed record with its values by field name. */
export interface PlainSource {
  readonly list: ListKey;
  readonly id: number;
  /** The vendor's key of the record in its list. */
  readonly key: string;
  readonly row: Values;
  readonly detail: Values;
}

/** Facts of the risk sources by CVE in lower case. */
export interface PlainRisk {
  readonly epss: ReadonlyMap<string, number>;
  readonly cvss: ReadonlyMap<string, number>;
  /** The severity of each score, on the scale of all lists. */
  readonly rated: ReadonlyMap<string, string>;
  readonly exploited: ReadonlySet<string>;
  readonly ransomware: ReadonlySet<string>;
  /** True if CISA's catalogue was ever read. */
  readonly kevIsRead: boolean;
}

/** A row of All patches without its id. Lists of values have no order. */
export interface PlainRecord {
  readonly list: ListKey;
  readonly recordId: number;
  readonly identifier: string | null;
  readonly title: string | null;
  readonly vendor: string | null;
  readonly release: readonly string[];
  readonly severity: string;
  readonly ratedSeverity: string;
  readonly vendorSeverity: string | null;
  readonly cve: readonly string[];
  readonly packages: readonly string[];
  readonly releaseDate: number | null;
  readonly superseded: boolean | null;
  readonly folded: boolean;
  readonly exploited: boolean | null;
  /** Never false: what is not known is not ruled out. */
  readonly ransomware: true | null;
  readonly epss: number | null;
  readonly cvss: number | null;
}

/** A record before the merge of its update, without risk. */
interface UnmergedRecord
  extends Omit<
    PlainRecord,
    'folded' | 'ratedSeverity' | 'exploited' | 'ransomware' | 'epss' | 'cvss'
  > {
  readonly vendorExploited: boolean | null;
}

const text = (value: unknown): string | null =>
  value === undefined || value === null || value === '' ? null : String(value);

const texts = (value: unknown): string[] => {
  const all = Array.isArray(value) ? value : [value];
  return [...new Set(all.flatMap((one) => text(one) ?? []))];
};

/** A system or an application is told apart from its other releases by the version. */
const withVersion = (name: string | null, row: Values): string | null => {
  const version = text(row['version']) ?? '';
  return name === null || name.includes(version) ? name : `${name} ${version}`;
};

const flag = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);

const time = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const readNames = (table: unknown): string[] =>
  Array.isArray(table) ? texts(table.map((one: Values) => one['name'])) : [];

const cves = (value: unknown): string[] => [
  ...new Set(
    texts(value)
      .filter((word) => /^cve-\d{4}-\d{4,19}$/i.test(word))
      .map((word) => word.toUpperCase()),
  ),
];

/** The severities of all lists, lowest first. */
const scale = ['Unspecified', 'None', 'Low', 'Moderate', 'Important', 'Critical'];

/** Severities by urgency of distributions with Debian packages. */
const urgency: Readonly<Record<string, string>> = {
  critical: 'Critical',
  high: 'Important',
  medium: 'Moderate',
  low: 'Low',
  unimportant: 'Low',
  negligible: 'Low',
};

const toSeverity = (value: unknown): string => urgency[text(value) ?? ''] ?? 'Unspecified';
const toKnownSeverity = (value: unknown): string => {
  const word = text(value) ?? '';
  return scale.includes(word) ? word : 'Unspecified';
};

/** Ubuntu's releases with updates, by code name, as https://releases.ubuntu.com names them. */
const ubuntuNames = new Map([
  ['focal', 'Ubuntu 20.04 LTS'],
  ['jammy', 'Ubuntu 22.04 LTS'],
  ['noble', 'Ubuntu 24.04 LTS'],
  ['resolute', 'Ubuntu 26.04 LTS'],
  ['stonking', 'Ubuntu 26.10'],
]);

/** A suite is a release, or one of its pockets: jammy, jammy-updates. */
const nameUbuntuSuite = (suite: string) =>
  ubuntuNames.get(suite.replace(/-(?:security|updates|backports|proposed)$/, '')) ?? suite;

type MappedRecord = Omit<UnmergedRecord, 'list' | 'recordId'>;
/** Maps what differs from `mapCommonFields`. A record without a title uses the next descriptive text. */
type Rule = (
  row: Values,
  detail: Values,
) => Partial<MappedRecord> & Pick<MappedRecord, 'identifier' | 'vendor'>;

/** Maps what most lists have, and the values of a list without a field. */
const mapCommonFields = (row: Values, detail: Values) => ({
  title: text(row['title']),
  release: [],
  severity: 'Unspecified',
  vendorSeverity: null,
  cve: cves(detail['cve']),
  packages: [],
  releaseDate: time(row['releaseDate']),
  superseded: null,
  vendorExploited: null,
});

const buildErratumRule =
  (vendor: string): Rule =>
  (row, detail) => ({
    identifier: text(row['bulletinId']),
    vendor,
    release: texts(row['osVersion']),
    severity: toKnownSeverity(row['severity']),
    vendorSeverity: text(detail['vendorSeverity']),
    packages: readNames(detail['packages']),
  });

const buildAdvisoryRule =
  (vendor: string): Rule =>
  (row, detail) => ({
    identifier: text(row['bulletinId']) ?? text(row['pkgAndVersion']),
    vendor,
    release: texts(row['osVersion']),
    severity: toSeverity(row['priority']),
    vendorSeverity: text(detail['vendorPriority']),
    packages: readNames(detail['packages']),
  });

const rules: Readonly<Partial<Record<ListKey, Rule>>> = {
  patch_repository: (row) => ({
    identifier: text(row['kbId']),
    title: text(row['name']) ?? text(row['productName']) ?? text(row['impact']),
    vendor: 'Microsoft',
    release: texts(row['productName']),
    severity: toKnownSeverity(row['severity']),
    vendorSeverity: text(row['severity']),
    cve: cves(row['cve']),
    superseded: flag(row['superseded']),
    vendorExploited: flag(row['exploited']),
  }),
  kb_repository: (row, detail) => ({
    identifier: text(row['kbId']) ?? text(row['uuid']),
    vendor: 'Microsoft',
    release: texts(row['productName']),
    severity: toKnownSeverity(row['severity']),
    vendorSeverity: text(detail['vendorSeverity']),
    superseded: flag(row['superseded']),
    vendorExploited: flag(row['exploited']),
  }),
  patch: (row, detail) => ({
    identifier: text(row['kbId']) ?? text(row['uuid']),
    vendor: 'Microsoft',
    severity: toKnownSeverity(row['severity']),
    vendorSeverity: text(detail['vendorSeverity']),
    superseded: flag(row['superseded']),
  }),
  linux_notice: (row, detail) => ({
    identifier: text(row['noticeId']),
    vendor: 'Ubuntu',
    release: texts(row['affectedOs']),
    severity: toSeverity(row['priority']),
    vendorSeverity: text(row['priority']),
    packages: readNames(detail['releasePackages']),
  }),
  linux_patch_repository: (row) => ({
    identifier: text(row['binaryPkgName']) ?? text(row['patchId']),
    vendor: 'Ubuntu',
    release: texts(row['distribution']).map(nameUbuntuSuite),
    severity: toSeverity(row['urgency']),
    vendorSeverity: text(row['urgency']),
    packages: texts(row['binaryPkgName']),
  }),
  thirdparty_patch: (row, detail) => ({
    identifier: text(row['uuid']),
    title: withVersion(text(row['name']) ?? text(row['manufacturer']), row),
    vendor: text(row['manufacturer']),
    cve: [],
    packages: readNames(detail['releasePackages']),
    releaseDate: time(detail['releaseDate']),
  }),
  macos_patch: (row, detail) => ({
    identifier: text(row['productKey']),
    title: withVersion(text(row['title']), row),
    vendor: 'Apple',
    release: texts(row['osVersion']).map((version) => `macOS ${version}`),
    cve: cves(row['cve']),
    packages: readNames(detail['packages']),
    vendorExploited: flag(row['exploited']),
  }),
  centos_patch: buildErratumRule('CentOS'),
  opensuse_patch: buildErratumRule('openSUSE'),
  almalinux_patch: buildErratumRule('AlmaLinux'),
  rockylinux_patch: buildErratumRule('Rocky Linux'),
  oracle_linux_patch: buildErratumRule('Oracle Linux'),
  amazonlinux_patch: buildErratumRule('Amazon Linux'),
  debian_patch: buildAdvisoryRule('Debian'),
  pardus_patch: buildAdvisoryRule('Pardus'),
};

/** Lists that may have records of the same Windows update, in the order in which they provide the representative. */
const windowsLists: readonly ListKey[] = ['patch_repository', 'kb_repository', 'patch'];

export const getUpdate = ({ list, row }: PlainSource): string | null =>
  windowsLists.includes(list) ? (text(row['kbId'])?.toLowerCase() ?? null) : null;

export function plainRecords(
  sources: readonly PlainSource[],
  risk: PlainRisk,
): readonly PlainRecord[] {
  const unmerged = sources.map((source) => {
    const rule = rules[source.list];
    if (rule === undefined) throw new Error(`No plain reading of ${source.list}`);
    const { list, id: recordId, row, detail } = source;
    return { list, recordId, ...mapCommonFields(row, detail), ...rule(row, detail) };
  });
  const updates = new Map<string, (readonly [UnmergedRecord, string])[]>();
  for (const [index, one] of unmerged.entries()) {
    const source = sources[index];
    const update = source === undefined ? null : getUpdate(source);
    if (source !== undefined && update !== null)
      updates.set(update, [...(updates.get(update) ?? []), [one, source.key]]);
  }
  const shown = new Map<UnmergedRecord, UnmergedRecord>();
  const foldedRecords = new Set<UnmergedRecord>();
  for (const members of updates.values()) {
    const sorted = members
      .toSorted(
        ([a, keyA], [b, keyB]) =>
          windowsLists.indexOf(a.list) - windowsLists.indexOf(b.list) ||
          Buffer.compare(Buffer.from(keyA), Buffer.from(keyB)),
      )
      .map(([member]) => member);
    const [first, ...others] = sorted;
    if (first !== undefined && others.length > 0) shown.set(first, mergeUpdate(first, sorted));
    for (const other of others) foldedRecords.add(other);
  }
  return unmerged.map((one) => addRisk(shown.get(one) ?? one, foldedRecords.has(one), risk));
}

/** Returns the representative with the merged values of all records of the update, of which it is the first. */
function mergeUpdate(first: UnmergedRecord, members: readonly UnmergedRecord[]): UnmergedRecord {
  const union = (name: 'release' | 'cve' | 'packages') => [
    ...new Set(members.flatMap((member) => member[name])),
  ];
  const stated = members.flatMap(({ superseded }) => superseded ?? []);
  const exploited = members.flatMap(({ vendorExploited }) => vendorExploited ?? []);
  const rank = Math.max(...members.map(({ severity }) => scale.indexOf(severity)));
  const words = members.filter(({ severity }) => scale.indexOf(severity) === rank);
  return {
    ...first,
    release: union('release'),
    cve: union('cve'),
    packages: union('packages'),
    severity: scale[rank] ?? first.severity,
    vendorSeverity: words.flatMap(({ vendorSeverity }) => vendorSeverity ?? [])[0] ?? null,
    superseded: stated.length === 0 ? null : stated.every((state) => state),
    vendorExploited: exploited.length === 0 ? null : exploited.includes(true),
  };
}

function addRisk(
  { vendorExploited, ...one }: UnmergedRecord,
  folded: boolean,
  { epss, cvss, rated, exploited, ransomware, kevIsRead }: PlainRisk,
): PlainRecord {
  const names = one.cve.map((cve) => cve.toLowerCase());
  const known = names.some((cve) => exploited.has(cve));
  const unlisted = names.length > 0 && kevIsRead ? false : vendorExploited;
  const rank = getHighest(names.flatMap((cve) => scale.indexOf(rated.get(cve) ?? 'Unspecified')));
  return {
    ...one,
    folded,
    ratedSeverity:
      one.severity === 'Unspecified' ? (scale[rank ?? 0] ?? one.severity) : one.severity,
    exploited: known || vendorExploited === true ? true : unlisted,
    ransomware: names.some((cve) => ransomware.has(cve)) || null,
    epss: getHighest(names.map((cve) => epss.get(cve))),
    cvss: getHighest(names.map((cve) => cvss.get(cve))),
  };
}

function getHighest(figures: readonly (number | undefined)[]): number | null {
  const known = figures.filter((figure) => figure !== undefined);
  return known.length === 0 ? null : Math.max(...known);
}
