/** Addresses of winget's catalogue: an index that a third party publishes every few hours, and the manifests in the repository. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Document } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { jsonRecords } from '../../parsers/json-records.ts';
import { vendorDate } from '../../values/vendor-dates.ts';
import { invalidReason } from '../../values/vendor-words.ts';
import { compareVersions } from './version-numbers.ts';

export const wingetIndex = 'https://github.com/svrooij/winget-pkgs-index/raw/main/index.v2.json';
const manifests = 'https://raw.githubusercontent.com/microsoft/winget-pkgs/master/manifests/';

export interface WingetIndexEntry {
  readonly id: string;
  readonly name: string | null;
  /** May have lost zeros when the index read it as a number, so other spellings are tried for addresses too. */
  readonly version: string;
  readonly tags: readonly string[];
  readonly lastUpdate: string | null;
}

const entryForm = z.object({
  PackageId: z.string(),
  Name: z.string().nullish(),
  Version: z.string().min(1),
  Tags: z.array(z.unknown()).nullish(),
  LastUpdate: z.string().nullish(),
});

export interface WingetIndex {
  /** The requested entries by identifier. */
  readonly entries: ReadonlyMap<string, WingetIndexEntry>;
  /** Reasons why requested entries cannot be read, by identifier. */
  readonly unfit: ReadonlyMap<string, string>;
  /** Identifiers of requested entries that the index has twice with different contents. */
  readonly repeated: ReadonlySet<string>;
  /** Number of entries without an identifier, whose packages are unknown. */
  readonly unnamed: number;
}

/**
 * Reads the entries of the given packages by identifier.
 * @throws BrokenDocument when the index cannot be read to its end or contains no readable entry
 */
export async function readWingetIndex(
  index: Document,
  ids: ReadonlySet<string>,
): Promise<WingetIndex> {
  const entries = new Map<string, WingetIndexEntry>();
  const unfit = new Map<string, string>();
  const repeated = new Set<string>();
  let [read, unnamed] = [0, 0];
  for await (const { value } of jsonRecords(index, 'packages')) {
    const form = entryForm.safeParse(value);
    if (!form.success) {
      const id = z.object({ PackageId: z.string() }).safeParse(value).data?.PackageId;
      if (id === undefined) unnamed += 1;
      else if (ids.has(id)) unfit.set(id, invalidReason(form.error));
      continue;
    }
    read += 1;
    if (!ids.has(form.data.PackageId)) continue;
    const { PackageId: id, Name, Version: version, Tags, LastUpdate } = form.data;
    const tags = (Tags ?? []).filter((tag) => typeof tag === 'string');
    const entry = {
      id,
      name: Name ?? null,
      version: version.trim(),
      tags,
      lastUpdate: LastUpdate ?? null,
    };
    const before = entries.get(id);
    if (before !== undefined && !isDeepStrictEqual(before, entry)) repeated.add(id);
    if (before === undefined || isNewer(entry, before)) entries.set(id, entry);
  }
  if (read === 0) throw new BrokenDocument(index.url, 'it contains no package');
  return { entries, unfit, repeated, unnamed };
}

function isNewer(a: WingetIndexEntry, b: WingetIndexEntry): boolean {
  const later = (vendorDate(a.lastUpdate) ?? 0) - (vendorDate(b.lastUpdate) ?? 0);
  return (later || compareVersions(a.version, b.version)) > 0;
}

/** Folder of a package, which contains a folder for each version. */
export function toWingetFolder(id: string): string {
  const first = id.charAt(0).toLowerCase();
  return `${manifests}${first}/${id.split('.').map(encodeURIComponent).join('/')}/`;
}

/** @param kind 'installer', 'locale.en-US', or null for the file that names the version */
export function toWingetManifest(id: string, version: string, kind: string | null): string {
  return `${toWingetFolder(id)}${encodeURIComponent(version)}/${encodeURIComponent(id)}${kind === null ? '' : `.${kind}`}.yaml`;
}

/** Refuses versions that cannot be a folder or lead out of the package's folder. */
export function isFolderName(version: string): boolean {
  return !/[/\\\0]/.test(version) && !/^\.*$/.test(version);
}
