/** What a vendor's folder brings: its lists and feeds by the names they are exported under. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';

export const vendorsFolder = join(import.meta.dirname, '..', '..', 'catalogue', 'vendors');

export interface VendorFolderContents {
  /** The folder's name. */
  readonly vendor: string;
  readonly files: readonly string[];
  readonly lists: readonly (readonly [name: string, list: ListDefinition])[];
  readonly feeds: readonly (readonly [name: string, feed: Feed])[];
}

export function vendorNames(): readonly string[] {
  return readdirSync(vendorsFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

/** Null when there is no such folder. */
export async function vendorFolderContents(vendor: string): Promise<VendorFolderContents | null> {
  if (!/^[\w-]+$/.test(vendor) || !existsSync(join(vendorsFolder, vendor))) return null;
  const files = readdirSync(join(vendorsFolder, vendor));
  return {
    vendor,
    files,
    lists: await exported(vendor, files, '-list.ts', isList),
    feeds: await exported(vendor, files, '-feed.ts', isFeed),
  };
}

const hasMembers = (value: object, names: readonly string[]): boolean =>
  names.every((name) => Reflect.has(value, name));
const isList = (value: unknown): value is ListDefinition =>
  value instanceof Object && hasMembers(value, ['searchPath', 'columns']);
const isFeed = (value: unknown): value is Feed =>
  value instanceof Object && hasMembers(value, ['fills', 'parts']);

async function exported<Kind>(
  vendor: string,
  files: readonly string[],
  ending: string,
  isKind: (value: unknown) => value is Kind,
): Promise<[string, Kind][]> {
  const named = files.filter((file) => file.endsWith(ending));
  const modules = await Promise.all(
    named.map(
      async (file) => (await import(join(vendorsFolder, vendor, file))) as Record<string, unknown>,
    ),
  );
  return modules.flatMap((module) =>
    Object.entries(module).filter((one): one is [string, Kind] => isKind(one[1])),
  );
}
