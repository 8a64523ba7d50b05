/** One erratum of CEFS: an element whose name is its id, CESA-2016--0176 for CESA-2016:0176. */
import type { XmlElement } from '../../parsers/xml-element.ts';
import {
  enterpriseLinuxRelease,
  type RpmFileName,
  rpmFileName,
} from '../../schemas/rpm-file-name.ts';
import { vendorDate } from '../../values/vendor-dates.ts';
import { distinctWords, wordOf } from '../../values/vendor-words.ts';

export interface Erratum {
  readonly id: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly type: string | null;
  readonly severity: string | null;
  readonly issued: number | null;
  /** As written, so that a date which cannot be read can be told from one that is missing. */
  readonly issueDate: string | null;
  readonly keywords: readonly string[];
  readonly references: readonly string[];
  readonly releases: readonly string[];
  readonly packages: readonly RpmFileName[];
  /** Names of files that are no names of packages. */
  readonly unread: readonly string[];
}

/** An erratum as it is for one of its releases. */
export interface ReleaseErratum extends Omit<Erratum, 'releases'> {
  readonly release: string;
}

/** CESA-2013:X007 is of Xen4CentOS, CEBA-2014:C001 of CentOS alone; some end in the number of a part: CESA-2005:501-01. */
const idInName = /^(CE[A-Z]A-\d{4})--([A-Z]?\d[\w-]*)$/i;

/** The id an element is named by; null for what is no erratum. */
export function erratumId({ name }: Pick<XmlElement, 'name'>): string | null {
  const [, kind, number] = idInName.exec(name) ?? [];
  return kind !== undefined && number !== undefined ? `${kind}:${number}`.toUpperCase() : null;
}

export function readErratum(id: string, element: XmlElement): Erratum {
  const { attributes } = element;
  const files = listed(element, 'packages');
  const packages = files.flatMap((file) => rpmFileName(file) ?? []);
  const releases = listed(element, 'os_release').flatMap(
    (release) => /^\d+/.exec(release)?.[0] ?? [],
  );
  return {
    id,
    title: said(attributes.synopsis),
    description: said(attributes.description),
    type: said(attributes.type),
    severity: said(attributes.severity),
    issued: vendorDate(attributes.issue_date),
    issueDate: wordOf(attributes.issue_date),
    keywords: listed(element, 'keywords'),
    references: listed(element, 'references'),
    releases: sorted(
      releases.length > 0
        ? releases
        : packages.flatMap(({ release }) => enterpriseLinuxRelease(release) ?? []),
    ),
    packages,
    unread: files.filter((file) => rpmFileName(file) === null),
  };
}

/** What was issued last counts; packages and references are those of both. */
export function merged(one: ReleaseErratum, other: ReleaseErratum): ReleaseErratum {
  const [newer, older] = (other.issued ?? 0) >= (one.issued ?? 0) ? [other, one] : [one, other];
  return {
    ...newer,
    keywords: distinctWords([...newer.keywords, ...older.keywords]),
    references: distinctWords([...newer.references, ...older.references]),
    packages: [...newer.packages, ...older.packages],
  };
}

/** With the packages built for each release, and those of which the name does not say for which. */
export function releaseErrata({ releases, ...erratum }: Erratum): ReleaseErratum[] {
  return releases.map((release) => ({
    ...erratum,
    release,
    packages: erratum.packages.filter((file) => {
      const builtFor = enterpriseLinuxRelease(file.release);
      return builtFor === null || builtFor === release;
    }),
  }));
}

/** An element for each value, or all of them in one attribute: a network that minifies XML moves a single one there. */
function listed(element: XmlElement, name: string): string[] {
  const texts = element.children.filter((child) => child.name === name).map(({ text }) => text);
  return distinctWords(
    [element.attributes[name] ?? '', ...texts].flatMap((text) => text.split(/[\s,]+/)),
  );
}

function said(text: string | undefined): string | null {
  const word = wordOf(text);
  return word === null || /^not available$/i.test(word) ? null : word;
}

function sorted(releases: readonly string[]): string[] {
  return distinctWords(releases).toSorted((a, b) => Number(a) - Number(b));
}
