/** Addresses of winget's catalogue: an index that a third party publishes every few hours, and the manifests in their repository. */
import { z } from 'zod';
import type { Document } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { jsonRecords } from '../../parsers/json-records.ts';
import { invalidReason } from '../../values/vendor-words.ts';

export const wingetIndex = 'https://github.com/svrooij/winget-pkgs-index/raw/main/index.v2.json';
const manifests = 'https://raw.githubusercontent.com/microsoft/winget-pkgs/master/manifests/';

export interface WingetIndexEntry {
  readonly id: string;
  readonly name: string | null;
  /** May have been read as a number: where an address is built from it, another one is tried too. */
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
  /** By identifier, those that were asked for. */
  readonly entries: ReadonlyMap<string, WingetIndexEntry>;
  /** Why the entry of a package that was asked for cannot be read. */
  readonly unfit: ReadonlyMap<string, string>;
  /** Entries without an identifier: of which packages they are is not known. */
  readonly unnamed: number;
}

/** Throws BrokenDocument when the index cannot be read to its end, or no entry of it can be read. */
export async function readWingetIndex(
  index: Document,
  ids: ReadonlySet<string>,
): Promise<WingetIndex> {
  const entries = new Map<string, WingetIndexEntry>();
  const unfit = new Map<string, string>();
  let [read, unnamed] = [0, 0];
  for await (const { value } of jsonRecords(index, 'packages')) {
    const form = entryForm.safeParse(value);
    if (!form.success) {
      const named = z.object({ PackageId: z.string() }).safeParse(value).data?.PackageId;
      if (named === undefined) unnamed += 1;
      else if (ids.has(named)) unfit.set(named, invalidReason(form.error));
      continue;
    }
    read += 1;
    if (!ids.has(form.data.PackageId)) continue;
    const { PackageId: id, Name, Version: version, Tags, LastUpdate } = form.data;
    const tags = (Tags ?? []).filter((tag) => typeof tag === 'string');
    entries.set(id, {
      id,
      name: Name ?? null,
      version: version.trim(),
      tags,
      lastUpdate: LastUpdate ?? null,
    });
  }
  if (read === 0) throw new BrokenDocument(index.url, 'there is no package in it');
  return { entries, unfit, unnamed };
}

/** Of a package: its versions are folders in it. */
export function wingetFolder(id: string): string {
  const first = id.charAt(0).toLowerCase();
  return `${manifests}${first}/${id.split('.').map(encodeURIComponent).join('/')}/`;
}

/** `kind` is 'installer', 'locale.en-US', or null for the file that names the version. */
export function wingetManifest(id: string, version: string, kind: string | null): string {
  return `${wingetFolder(id)}${encodeURIComponent(version)}/${encodeURIComponent(id)}${kind === null ? '' : `.${kind}`}.yaml`;
}

/** Whether a version can be a folder, and none that leads out of the package's. */
export function isFolderName(version: string): boolean {
  return !/[/\\\0]/.test(version) && !/^\.*$/.test(version);
}
