/**
 * Maps an erratum to an update of updateinfo.xml, as libsolv reads it for dnf and zypper.
 * See https://en.opensuse.org/openSUSE:Standards_Rpm_Metadata_UpdateInfo
 */
import type { ListDefinition } from '../definition/list-definition.ts';
import { isRetracted } from '../machines/judgement/package-record.ts';
import { isModular } from '../machines/judgement/rpm-judgement.ts';
import { rowsIn, type StoredValues, wordIn, wordsIn } from '../machines/judgement/stored-values.ts';
import { parseRpmVersion } from '../schemas/rpm-version.ts';
import { csafVendor } from './csaf-lists.ts';
import { escapeXmlText, xmlElement, xmlTextElement } from './xml-text.ts';

export interface Erratum {
  readonly row: StoredValues;
  readonly detail: StoredValues;
}

export interface UpdateContext {
  readonly list: ListDefinition;
  /** As records write it: `CentOS 7`. */
  readonly release: string;
  /** Epochs by name of the package, of vendors that rebuild the same packages; null for a vendor that states its own. */
  readonly epochs: ReadonlyMap<string, string> | null;
}

export const updatesStart = '<?xml version="1.0" encoding="UTF-8"?>\n<updates>\n';
export const updatesEnd = '</updates>\n';

/** Returns an empty text for an erratum without identifier, and for one that the vendor retracted: dnf ignores the status. */
export function updateXml({ row, detail }: Erratum, context: UpdateContext): string {
  const id = wordIn(row, 'patchName') ?? wordIn(row, 'bulletinId');
  if (id === null || isRetracted(detail)) return '';
  const title = wordIn(row, 'title') ?? id;
  const packages = rowsIn(detail, 'packages').flatMap((values) => toPackage(values, context));
  const issued = row['releaseDate'];
  const updated = detail['updatedDate'];
  const content = [
    xmlTextElement('id', id),
    xmlTextElement('title', title),
    dateElement('issued', issued ?? updated),
    dateElement('updated', updated ?? issued),
    xmlTextElement('severity', toSeverity(row, detail)),
    xmlTextElement('release', context.release),
    xmlTextElement('description', describe(wordIn(detail, 'description'), packages, context)),
    suggestionElements(detail),
    xmlElement('references', {}, references(row, detail, title)),
    xmlElement('pkglist', {}, collections(packages, context)),
  ].join('');
  const attributes = {
    from: csafVendor(context.list),
    status: wordIn(detail, 'status') ?? 'final',
    type: toType(row, detail),
    version: '1',
  };
  return `${xmlElement('update', attributes, content)}\n`;
}

/** Words that dnf or zypper know. A vendor's own word stays, as the machines of that vendor have it from their mirror. */
const knownTypes: readonly string[] = [
  'security',
  'bugfix',
  'enhancement',
  'newpackage',
  'recommended',
  'optional',
  'feature',
];

function toType(row: StoredValues, detail: StoredValues): string {
  const word = wordIn(detail, 'vendorCategory')?.toLowerCase() ?? '';
  return knownTypes.includes(word) ? word : (wordIn(row, 'category') ?? 'other');
}

/** Null for an erratum without a severity, which the catalogue calls Unspecified. */
function toSeverity(row: StoredValues, detail: StoredValues): string | null {
  const severity = wordIn(row, 'severity');
  return wordIn(detail, 'vendorSeverity') ?? (severity === 'Unspecified' ? null : severity);
}

/** Times are in UTC. */
function dateElement(name: string, time: unknown): string {
  if (typeof time !== 'number') return '';
  const date = new Date(time).toISOString().slice(0, 19).replace('T', ' ');
  return xmlElement(name, { date });
}

function references(row: StoredValues, detail: StoredValues, title: string): string {
  const stated = rowsIn(detail, 'references').map((values) => ({
    id: wordIn(values, 'name'),
    type: wordIn(values, 'type'),
    title: wordIn(values, 'title'),
    href: wordIn(values, 'address'),
  }));
  const statedCves = new Set(
    stated.filter(({ type }) => type?.toLowerCase() === 'cve').map(({ id }) => id?.toUpperCase()),
  );
  const cves = wordsIn(detail, 'cve')
    .filter((cve) => !statedCves.has(cve.toUpperCase()))
    .map((cve) => ({ id: cve, type: 'cve', title: cve, href: null }));
  const page = wordIn(detail, 'referenceLink');
  const hasPage =
    page === null || stated.some(({ type, href }) => type === 'self' || href === page);
  const own = hasPage ? [] : [{ id: wordIn(row, 'bulletinId'), type: 'self', title, href: page }];
  return [...own, ...stated, ...cves]
    .map(({ id, type, title: words, href }) =>
      xmlElement('reference', {
        href: href ?? (type?.toLowerCase() === 'cve' && id !== null ? cvePage(id) : ''),
        id: id ?? href,
        title: words ?? id ?? href,
        type: type ?? 'other',
      }),
    )
    .join('');
}

const cvePage = (cve: string) => `https://www.cve.org/CVERecord?id=${cve}`;

interface ListedPackage {
  readonly values: StoredValues;
  readonly name: string;
  readonly epoch: string;
  readonly version: string;
  readonly release: string;
  readonly architecture: string | null;
  /** `name:stream`; null for packages of no module, and where the record states none. */
  readonly stream: string | null;
  /** No record of any vendor states its epoch. */
  readonly isEpochUnknown: boolean;
}

function toPackage(values: StoredValues, { epochs }: UpdateContext): readonly ListedPackage[] {
  const [name, written] = [wordIn(values, 'name'), wordIn(values, 'version')];
  if (name === null || written === null) return [];
  const { epoch: stated, version, release } = parseRpmVersion(written);
  const epoch = stated ?? epochs?.get(name) ?? null;
  return [
    {
      values,
      name,
      epoch: epoch ?? '0',
      version,
      release,
      architecture: wordIn(values, 'architecture'),
      stream: wordIn(values, 'module')?.split(':').slice(0, 2).join(':') ?? null,
      isEpochUnknown: epochs !== null && epoch === null,
    },
  ];
}

/** Packages by module stream, the others in one collection: dnf applies a collection with a module to machines that enabled the stream. */
function collections(packages: readonly ListedPackage[], { release }: UpdateContext): string {
  return [...Map.groupBy(packages, ({ stream }) => stream)]
    .map(([stream, own]) =>
      xmlElement(
        'collection',
        { short: stream ?? release },
        xmlTextElement('name', stream ?? release) +
          moduleElement(stream) +
          own.map(packageElement).join(''),
      ),
    )
    .join('');
}

/**
 * dnf wants all attributes. An empty one fits every build of the stream: a context differs between minor releases, and a mirror need not
 * have that build.
 */
function moduleElement(module: string | null): string {
  if (module === null) return '';
  const [name = '', stream = ''] = module.split(':');
  return xmlElement('module', { name, stream, version: '', context: '', arch: '' });
}

function packageElement(one: ListedPackage): string {
  const { values, name, epoch, version, release, architecture } = one;
  const checksum = wordIn(values, 'checksum');
  return xmlElement(
    'package',
    { name, epoch, version, release, arch: architecture, src: wordIn(values, 'sourcePackage') },
    (architecture === null
      ? ''
      : xmlTextElement('filename', `${name}-${version}-${release}.${architecture}.rpm`)) +
      suggestionElements(values) +
      (checksum === null
        ? ''
        : xmlElement('sum', { type: wordIn(values, 'checksumType') }, escapeXmlText(checksum))),
  );
}

const suggestions = {
  rebootSuggested: 'reboot_suggested',
  restartSuggested: 'restart_suggested',
  reloginSuggested: 'relogin_suggested',
} as const;

const suggestionElements = (values: StoredValues): string =>
  Object.entries(suggestions)
    .map(([field, tag]) => (values[field] === true ? `<${tag}>True</${tag}>` : ''))
    .join('');

/** Adds to the vendor's words what the tools would otherwise conclude wrongly. */
function describe(
  description: string | null,
  packages: readonly ListedPackage[],
  { list }: UpdateContext,
): string | null {
  const unknown = packages.filter(({ isEpochUnknown }) => isEpochUnknown).map(({ name }) => name);
  const modular = packages
    .filter(({ stream, release }) => stream === null && isModular(release))
    .map(({ name }) => name);
  const notes = [
    unknown.length === 0
      ? null
      : `${list.shortLabel} states no epochs. Epoch 0 is assumed of ${listNames(unknown)}: an update with another epoch is not recognised.`,
    modular.length === 0
      ? null
      : `${list.shortLabel} does not state the module stream of ${listNames(modular)}: machines with another stream list the update too.`,
  ].filter((note) => note !== null);
  return [description, ...notes.map((note) => `Note of Patch Repository: ${note}`)]
    .filter((text) => text !== null)
    .join('\n\n');
}

/** Names in a note; some errata have thousands of packages. */
const maxNames = 20;

function listNames(names: readonly string[]): string {
  const distinct = [...new Set(names)].toSorted();
  const others = distinct.length - maxNames;
  const words = distinct.slice(0, maxNames).join(', ');
  return others > 0 ? `${words} and ${others} more` : words;
}
