/** The inventories beside this repository: a folder for each machine, with the outputs of its tools. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that name the system and the running kernel. */
const facts = ['os-release', 'uname-r.txt', 'ver.txt', 'sw_vers.txt'];
/** Complete lists of packages, the one that says most first. */
const packageLists = [
  'rpm-qa-qf.txt',
  'dpkg-query-source.txt',
  'rpm-qa.txt',
  'dpkg-l.txt',
  'dpkg-query-W.txt',
];
/** Windows prints its updates in several, of which none has all. */
const updateLists = ['systeminfo.txt', 'get-hotfix.txt', 'wmic-qfe.txt'];
/** Each a whole machine of its own. */
const documents = ['cyclonedx-1.6.json', 'spdx-2.3.json'];

export interface InventoryPaste {
  /** Its name in the table: the list that it has beside the facts. */
  readonly format: string;
  readonly bytes: Buffer;
}

export interface InventoryFolder {
  readonly name: string;
  readonly path: string;
  /** The one that says most first, then the same machine in other formats. */
  readonly pastes: readonly InventoryPaste[];
}

export function inventoryFolders(root: string): readonly InventoryFolder[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => folderAt(join(root, name), name));
}

function folderAt(path: string, name: string): InventoryFolder {
  const present = new Set(readdirSync(path));
  const read = (files: readonly string[]) =>
    Buffer.concat(
      files
        .filter((file) => present.has(file))
        .flatMap((file) => [readFileSync(join(path, file)), Buffer.from('\n')]),
    );
  const lists = packageLists.filter((file) => present.has(file));
  const updates = updateLists.filter((file) => present.has(file));
  const withLists = lists.map((file) => ({ format: file, bytes: read([...facts, file]) }));
  const format = [...facts, ...updates].filter((file) => present.has(file)).join(' + ');
  return {
    name,
    path,
    pastes: [
      ...(lists.length === 0 ? [{ format, bytes: read([...facts, ...updates]) }] : withLists),
      ...documents
        .filter((file) => present.has(file))
        .map((file) => ({ format: file, bytes: read([file]) })),
    ],
  };
}
