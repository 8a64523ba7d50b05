/** What the lists of the RPM distributions show of an advisory from updateinfo.xml. */
import type { UnknownWord } from '../definition/feed.ts';
import type { NewDetail, NewRow } from '../definition/list-definition.ts';
import type {
  UpdateinfoAdvisory,
  UpdateinfoModule,
  UpdateinfoPackage,
} from '../parsers/updateinfo.ts';
import { anySuggestions, type Suggestions } from '../values/errata-suggestions.ts';
import { cveIdOf, distinctWords, webAddressOf } from '../values/vendor-words.ts';
import {
  binaryPackageNames,
  checksumTypeOf,
  errataCategoryOf,
  rpmVersion,
} from './errata-values.ts';
import { unknownErrataWords, vendorWordFacts } from './errata-words.ts';
import { redHatAdvisories } from './red-hat-advisories.ts';
import type { rpmErrataShape } from './rpm-errata-shape.ts';
import { severityOf } from './severities.ts';

export interface UpdateinfoEntry {
  readonly row: NewRow<typeof rpmErrataShape.fields>;
  readonly detail: NewDetail<
    typeof rpmErrataShape.detail.facts,
    typeof rpmErrataShape.detail.tables
  >;
  readonly unknownWords: readonly UnknownWord[];
}

/** `bulletinId` where it is another than the advisory's id. The vendor's page is the reference to itself, else none. */
export function updateinfoEntry(
  advisory: UpdateinfoAdvisory,
  osVersion: string,
  bulletinId: string = advisory.id,
): UpdateinfoEntry {
  const packages = distinctRows(advisory.packages.map(packageRow));
  const { title, references } = advisory;
  return {
    row: {
      title,
      releaseDate: advisory.issued ?? advisory.updated,
      bulletinId,
      severity: severityOf(advisory.severity),
      binaryPkgName: binaryPackageNames(
        title,
        packages.filter(({ architecture }) => !isSource(architecture)),
      ),
      category: errataCategoryOf(advisory.type, advisory.id),
      osVersion: [osVersion],
    },
    detail: {
      updatedDate: advisory.updated,
      description: advisory.description ?? advisory.summary,
      ...anySuggestions([advisory, ...packages]),
      ...vendorWordFacts(advisory),
      referenceLink: webAddressOf(references.find(({ type }) => is(type, 'self'))?.href),
      cve: distinctWords(references.map(({ type, id }) => (is(type, 'cve') ? cveIdOf(id) : null))),
      upstreamAdvisories: redHatAdvisories(references.flatMap(({ id, href }) => [id, href])),
      packages,
      modules: distinctRows(
        advisory.modules.map(({ name, stream, version, context, arch }) => ({
          name,
          stream,
          version,
          context,
          architecture: arch,
        })),
      ),
      references: distinctRows(
        references.map(({ id, type, title: words, href }) => ({
          name: id,
          type,
          title: words,
          address: webAddressOf(href),
        })),
      ),
    },
    unknownWords: unknownErrataWords(advisory),
  };
}

/** The vendor has taken it back: it is not to be installed, so it is not listed; a row that it has is withdrawn. */
export function isRetracted({ status }: UpdateinfoAdvisory): boolean {
  return is(status, 'retracted');
}

function packageRow(of: UpdateinfoPackage) {
  return {
    name: of.name,
    version: rpmVersion(of.epoch, of.version, of.release),
    architecture: of.arch,
    sourcePackage: sourcePackageOf(of.src),
    module: of.module === null ? null : moduleName(of.module),
    ...suggestionsIn(of),
    checksum: of.checksum,
    checksumType: checksumTypeOf(of.checksumType, of.checksum),
  };
}

/** SUSE writes where the package itself lies, others an address of their own: only the file name of a source package is one. */
function sourcePackageOf(src: string | null): string | null {
  const file = src?.slice(src.lastIndexOf('/') + 1) ?? '';
  return /.\.(?:no)?src\.rpm$/.test(file) ? file : null;
}

/** A package of that architecture is what the others are built from, nothing to install. */
function isSource(architecture: string | null): boolean {
  return is(architecture, 'src') || is(architecture, 'nosrc');
}

/** name:stream:version:context:arch, without what is missing at its end. */
function moduleName({ name, stream, version, context, arch }: UpdateinfoModule): string {
  const parts = [name, stream, version, context, arch].map((part) => part ?? '');
  return parts.slice(0, parts.findLastIndex((part) => part !== '') + 1).join(':');
}

function suggestionsIn({
  rebootSuggested,
  restartSuggested,
  reloginSuggested,
}: Suggestions): Suggestions {
  return { rebootSuggested, restartSuggested, reloginSuggested };
}

function is(word: string | null, expected: string): boolean {
  return word?.toLowerCase() === expected;
}

/** A package is in several repositories, a reference in the records of each. */
function distinctRows<Row extends object>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [JSON.stringify(Object.values(row)), row])).values()];
}
