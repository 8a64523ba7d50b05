/** Parser of one CEFS erratum: an element named by its id, CESA-2016--0176 for CESA-2016:0176. */
import type { XmlElement } from '../../parsers/xml-element.ts';
import {
  parseEnterpriseLinuxRelease,
  parseRpmFileName,
  type RpmFileName,
} from '../../schemas/rpm-file-name.ts';
import { vendorDate } from '../../values/vendor-dates.ts';
import { distinctWords, toWord } from '../../values/vendor-words.ts';

export interface Erratum {
  readonly id: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly type: string | null;
  readonly severity: string | null;
  readonly issued: number | null;
  /** As written, to distinguish an unreadable date from a missing one. */
  readonly issueDate: string | null;
  readonly keywords: readonly string[];
  readonly references: readonly string[];
  readonly releases: readonly string[];
  readonly packages: readonly RpmFileName[];
  /** File names that are not package names. */
  readonly unread: readonly string[];
}

/** An erratum reduced to one of its releases. */
export interface ReleaseErratum extends Omit<Erratum, 'releases'> {
  readonly release: string;
}

/** CESA-2013:X007 is of Xen4CentOS, CEBA-2014:C001 of CentOS itself; some ids end in a part number: CESA-2005:501-01. */
const idInName = /^(CE[A-Z]A-\d{4})--([A-Z]?\d[\w-]*)$/i;

/** Returns the id in the element's name; null when the element is not an erratum. */
export function parseErratumId({ name }: Pick<XmlElement, 'name'>): string | null {
  const [, kind, number] = idInName.exec(name) ?? [];
  return kind !== undefined && number !== undefined ? `${kind}:${number}`.toUpperCase() : null;
}

export function readErratum(id: string, element: XmlElement): Erratum {
  const { attributes } = element;
  const files = listValues(element, 'packages');
  const packages = files.flatMap((file) => parseRpmFileName(file) ?? []);
  const releases = listValues(element, 'os_release').flatMap(
    (release) => /^\d+/.exec(release)?.[0] ?? [],
  );
  return {
    id,
    title: readWord(attributes.synopsis),
    description: readWord(attributes.description),
    type: readWord(attributes.type),
    severity: readWord(attributes.severity),
    issued: vendorDate(attributes.issue_date),
    issueDate: toWord(attributes.issue_date),
    keywords: listValues(element, 'keywords'),
    references: listValues(element, 'references'),
    releases: sortReleases(
      releases.length > 0
        ? releases
        : packages.flatMap(({ release }) => parseEnterpriseLinuxRelease(release) ?? []),
    ),
    packages,
    unread: files.filter((file) => parseRpmFileName(file) === null),
  };
}

/** Takes the words of the erratum issued last, and the packages and references of both. */
export function mergeErrata(a: ReleaseErratum, b: ReleaseErratum): ReleaseErratum {
  const [newer, older] = (b.issued ?? 0) >= (a.issued ?? 0) ? [b, a] : [a, b];
  return {
    ...newer,
    keywords: distinctWords([...newer.keywords, ...older.keywords]),
    references: distinctWords([...newer.references, ...older.references]),
    packages: [...newer.packages, ...older.packages],
  };
}

/** Splits an erratum by release, each with the packages built for it and those whose name states no release. */
export function splitByRelease({ releases, ...erratum }: Erratum): ReleaseErratum[] {
  return releases.map((release) => ({
    ...erratum,
    release,
    packages: erratum.packages.filter((file) => {
      const builtFor = parseEnterpriseLinuxRelease(file.release);
      return builtFor === null || builtFor === release;
    }),
  }));
}

/** Values stand in one element each, or all in one attribute: networks that minify XML move a single value there. */
function listValues(element: XmlElement, name: string): string[] {
  const texts = element.children.filter((child) => child.name === name).map(({ text }) => text);
  return distinctWords(
    [element.attributes[name] ?? '', ...texts].flatMap((text) => text.split(/[\s,]+/)),
  );
}

function readWord(text: string | undefined): string | null {
  const word = toWord(text);
  return word === null || /^not available$/i.test(word) ? null : word;
}

function sortReleases(releases: readonly string[]): string[] {
  return distinctWords(releases).toSorted((a, b) => Number(a) - Number(b));
}
