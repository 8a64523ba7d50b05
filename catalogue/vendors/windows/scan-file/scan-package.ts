/** Relations between the updates of the offline scan file: package.xml, without the updates' own facts. */
import { detachText } from '../../../parsers/detach-text.ts';
import type { WsusScanFile } from '../../../parsers/wsus-scan-file.ts';
import { child, children, type XmlElement } from '../../../parsers/xml-element.ts';
import { findUnreadableDate, vendorDate } from '../../../values/vendor-dates.ts';
import { parseNumber } from './scan-facts.ts';

/** One revision of an update, a category or a rule; the file contains the newest revision only. */
export interface ScanUpdate {
  readonly uuid: string;
  readonly revision: number;
  readonly revisionNumber: number;
  readonly created: number | null;
  /** The date as written, when it cannot be read. */
  readonly unreadableDate: string | null;
  readonly isBundle: boolean;
  /** The language of its words. */
  readonly language: string;
  /** Languages that it is for; empty when it is for all. */
  readonly forLanguages: readonly string[];
  /** Ids of categories. */
  readonly classifications: readonly string[];
  readonly products: readonly string[];
  /** Revisions. */
  readonly supersededBy: readonly number[];
  readonly bundledBy: readonly number[];
  /** SHA-1 of its files in base64. */
  readonly payload: readonly string[];
}

export class ScanPackage {
  readonly updates = new Map<number, ScanUpdate>();
  /** Address of a file by its SHA-1 in base64. */
  readonly addresses = new Map<string, string>();
  readonly #byUuid = new Map<string, ScanUpdate>();
  readonly #parts = new Map<number, ScanUpdate[]>();

  static async read(scan: WsusScanFile): Promise<ScanPackage> {
    const found = new ScanPackage();
    const root = 'OfflineSyncPackage';
    for await (const element of scan.packageRecords([
      `${root}/Updates/Update`,
      `${root}/FileLocations/FileLocation`,
    ])) {
      if (element.name === 'Update') found.#add(element);
      else found.#addAddress(element);
    }
    for (const update of found.updates.values()) {
      for (const bundle of update.bundledBy)
        found.#parts.set(bundle, [...(found.#parts.get(bundle) ?? []), update]);
    }
    return found;
  }

  #add(element: XmlElement): void {
    const update = detachText(parseUpdate(element));
    if (update === null) return;
    const before = this.#byUuid.get(update.uuid);
    if (before !== undefined && before.revisionNumber >= update.revisionNumber) return;
    if (before !== undefined) this.updates.delete(before.revision);
    this.updates.set(update.revision, update);
    this.#byUuid.set(update.uuid, update);
  }

  #addAddress({ attributes }: XmlElement): void {
    const { id, url } = detachText({ id: attributes['Id'] ?? '', url: attributes['Url'] ?? '' });
    this.addresses.set(id, url);
  }

  byUuid(uuid: string): ScanUpdate | undefined {
    return this.#byUuid.get(uuid);
  }

  /** Yields updates as administrators see them: bundles and single updates, but no parts of bundles, categories or rules. */
  *listOffered(): Generator<ScanUpdate> {
    for (const update of this.updates.values()) {
      if (update.bundledBy.length === 0 && (update.isBundle || update.classifications.length > 0))
        yield update;
    }
  }

  /** Returns the update itself, then all updates bundled in it by revision, which contain its files. */
  listParts(update: ScanUpdate): ScanUpdate[] {
    const parts = new Set([update]);
    for (const part of parts)
      for (const inner of this.#parts.get(part.revision) ?? []) parts.add(inner);
    return [update, ...[...parts].slice(1).toSorted((a, b) => a.revision - b.revision)];
  }
}

/** Returns null without an id or a revision: such an update can neither be described nor referenced. */
function parseUpdate(element: XmlElement): ScanUpdate | null {
  const { UpdateId, RevisionId, RevisionNumber, CreationDate, IsBundle, DefaultLanguage } =
    element.attributes;
  const uuid = parseUuid(UpdateId);
  const revision = parseNumber(RevisionId);
  if (uuid === null || revision === null) return null;
  const categories = children(child(element, 'Categories'), 'Category');
  const listCategories = (type: string) =>
    categories.flatMap(({ attributes }) =>
      attributes['Type'] === type ? (parseUuid(attributes['Id']) ?? []) : [],
    );
  return {
    uuid,
    revision,
    revisionNumber: Number(RevisionNumber ?? 0) || 0,
    created: vendorDate(CreationDate),
    // The first instant of .NET stands for no date.
    unreadableDate: CreationDate?.startsWith('0001-01-01')
      ? null
      : findUnreadableDate(CreationDate),
    isBundle: IsBundle?.toLowerCase() === 'true',
    language: DefaultLanguage?.toLowerCase() ?? 'en',
    forLanguages: children(child(element, 'Languages'), 'Language').flatMap(
      ({ attributes }) => attributes['Name']?.toLowerCase() ?? [],
    ),
    classifications: listCategories('UpdateClassification'),
    products: listCategories('Product'),
    supersededBy: listRevisions(element, 'SupersededBy'),
    bundledBy: listRevisions(element, 'BundledBy'),
    payload: children(child(element, 'PayloadFiles'), 'File').flatMap(
      ({ attributes }) => attributes['Id'] ?? [],
    ),
  };
}

function listRevisions(element: XmlElement, name: string): number[] {
  return children(child(element, name), 'Revision').flatMap(
    ({ attributes }) => parseNumber(attributes['Id']) ?? [],
  );
}

function parseUuid(text: string | undefined): string | null {
  return text !== undefined && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
    ? text.toLowerCase()
    : null;
}
