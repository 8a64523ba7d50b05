/** Maps an advisory of updateinfo.xml to a row and detail of the RPM distributions' lists. */
import type { UnknownWord } from '../definition/feed.ts';
import type { NewDetail, NewRow } from '../definition/list-definition.ts';
import type {
  UpdateinfoAdvisory,
  UpdateinfoModule,
  UpdateinfoPackage,
  UpdateinfoReference,
} from '../parsers/updateinfo.ts';
import { anySuggestions, type Suggestions } from '../values/errata-suggestions.ts';
import { findCveIds, findUnknownCves, toWebAddress } from '../values/vendor-words.ts';
import {
  findRedHatAdvisories,
  findUnknownErrataWords,
  formatRpmVersion,
  listBinaryPackageNames,
  removeDuplicates,
  toChecksumType,
  toErrataCategory,
  toVendorWordFacts,
} from './errata-values.ts';
import type { rpmErrataShape } from './rpm-errata-shape.ts';
import { toSeverity } from './severities.ts';

export interface UpdateinfoEntry {
  readonly row: NewRow<typeof rpmErrataShape.fields>;
  readonly detail: NewDetail<
    typeof rpmErrataShape.detail.facts,
    typeof rpmErrataShape.detail.tables
  >;
  readonly unknownWords: readonly UnknownWord[];
}

/**
 * The link is the advisory's reference of type `self`.
 * @param bulletinId given when it differs from the advisory's id
 */
export function toUpdateinfoEntry(
  advisory: UpdateinfoAdvisory,
  osVersion: string,
  bulletinId: string = advisory.id,
): UpdateinfoEntry {
  const packages = removeDuplicates(advisory.packages.map(toPackageRow));
  const { title, references } = advisory;
  return {
    row: {
      title,
      releaseDate: advisory.issued ?? advisory.updated,
      bulletinId,
      severity: toSeverity(advisory.severity),
      binaryPkgName: listBinaryPackageNames(
        title,
        packages.filter(({ architecture }) => !isSource(architecture)),
      ),
      category: toErrataCategory(advisory.type, advisory.id),
      osVersion: [osVersion],
    },
    detail: {
      updatedDate: advisory.updated,
      description: advisory.description ?? advisory.summary,
      ...anySuggestions([advisory, ...packages]),
      ...toVendorWordFacts(advisory),
      referenceLink: toWebAddress(
        references.find(({ type }) => equalsIgnoringCase(type, 'self'))?.href,
      ),
      ...findMentions(references),
      packages,
      modules: toModuleRows(advisory.modules),
      references: toReferenceRows(references),
    },
    unknownWords: [...findUnknownErrataWords(advisory), ...findUnknownMentions(references)],
  };
}

export function findMentions(references: readonly UpdateinfoReference[]) {
  return {
    cve: findCveIds(listCveTexts(references)),
    upstreamAdvisories: findRedHatAdvisories(references.flatMap(({ id, href }) => [id, href])),
  };
}

export function findUnknownMentions(references: readonly UpdateinfoReference[]): UnknownWord[] {
  return findUnknownCves(listCveTexts(references), true);
}

function listCveTexts(references: readonly UpdateinfoReference[]) {
  return references.flatMap(({ type, id }) => (equalsIgnoringCase(type, 'cve') ? [id] : []));
}

export function toReferenceRows(references: readonly UpdateinfoReference[]) {
  return removeDuplicates(
    references.map(({ id, type, title, href }) => ({
      name: id,
      type,
      title,
      address: toWebAddress(href),
    })),
  );
}

export function toModuleRows(modules: readonly UpdateinfoModule[]) {
  return removeDuplicates(
    modules.map(({ name, stream, version, context, arch }) => ({
      name,
      stream,
      version,
      context,
      architecture: arch,
    })),
  );
}

/** Retracted advisories must not be installed: they are not listed, and existing rows are withdrawn. */
export function isRetracted({ status }: UpdateinfoAdvisory): boolean {
  return equalsIgnoringCase(status, 'retracted');
}

function toPackageRow(updatePackage: UpdateinfoPackage) {
  return {
    name: updatePackage.name,
    version: formatRpmVersion(updatePackage.epoch, updatePackage.version, updatePackage.release),
    architecture: updatePackage.arch,
    sourcePackage: toSourcePackage(updatePackage.src),
    module: updatePackage.module === null ? null : formatModuleName(updatePackage.module),
    ...pickSuggestions(updatePackage),
    checksum: updatePackage.checksum,
    checksumType: toChecksumType(updatePackage.checksumType, updatePackage.checksum),
  };
}

/** Returns the file name of a source package; SUSE states the location of the binary package instead, others an address. */
function toSourcePackage(src: string | null): string | null {
  const file = src?.slice(src.lastIndexOf('/') + 1) ?? '';
  return /.\.(?:no)?src\.rpm$/.test(file) ? file : null;
}

/** Source packages are not installed. */
function isSource(architecture: string | null): boolean {
  return equalsIgnoringCase(architecture, 'src') || equalsIgnoringCase(architecture, 'nosrc');
}

/** Returns name:stream:version:context:arch without missing parts at the end. */
function formatModuleName({ name, stream, version, context, arch }: UpdateinfoModule): string {
  const parts = [name, stream, version, context, arch].map((part) => part ?? '');
  return parts.slice(0, parts.findLastIndex((part) => part !== '') + 1).join(':');
}

function pickSuggestions({
  rebootSuggested,
  restartSuggested,
  reloginSuggested,
}: Suggestions): Suggestions {
  return { rebootSuggested, restartSuggested, reloginSuggested };
}

function equalsIgnoringCase(word: string | null, expected: string): boolean {
  return word?.toLowerCase() === expected;
}
