/** The names of a new family: all of them follow from one word and a label, and none may be in use. */

import { catalogueLists } from '@patch/catalogue/lists.ts';
import { sourceKeys, sourceLabels } from '@patch/catalogue/sources.ts';
import { vendorNames } from './vendor-folder-contents.ts';

export interface FamilyNames {
  /** The folder, and what its files begin with: amazonlinux. */
  readonly name: string;
  /** As people know it: Amazon Linux. */
  readonly label: string;
  /** As the wire reports it: amazonLinux. */
  readonly source: string;
  /** The list, its table and its preferences: amazonlinux_patch. */
  readonly key: string;
  /** Where the vendor publishes; https, a slash at its end. */
  readonly address: string;
}

/** What was asked for cannot be done; the message says what can. */
export class FamilyError extends Error {
  override readonly name = 'FamilyError';
}

export interface RequestedNames {
  readonly name: string | undefined;
  readonly label?: string | undefined;
  readonly address?: string | undefined;
}

/** PostgreSQL keeps 63 letters of a name, and an index is called after list and column. */
const maxNameLength = 24;
/** Words that stand beside the sources on the wire, and members that every object has. */
const reserved = new Set([
  'all',
  'id',
  ...Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase()),
]);

/** Throws FamilyError. */
export function familyNames({ name, label, address }: RequestedNames): FamilyNames {
  if (
    name === undefined ||
    !/^[a-z][a-z0-9]*$/.test(name) ||
    name.length > maxNameLength ||
    reserved.has(name)
  ) {
    throw new FamilyError(
      `'${name ?? ''}' is no name for a family: up to ${maxNameLength} small letters and digits, beginning with a letter, such as amazonlinux; ` +
        `not ${[...reserved].slice(0, 2).join(' or ')}.`,
    );
  }
  const words = label ?? name[0]?.toUpperCase() + name.slice(1);
  const letters = words.replace(/[^A-Za-z0-9]/g, '');
  const source = `${letters[0]?.toLowerCase() ?? ''}${letters.slice(1)}`;
  if (
    !/^[A-Za-z][A-Za-z0-9 .-]{0,39}$/.test(words) ||
    words.trim() !== words ||
    reserved.has(source.toLowerCase())
  ) {
    throw new FamilyError(
      `'${words}' is no label: up to 40 letters, digits, spaces, dots and hyphens, such as "Amazon Linux".`,
    );
  }
  const names = {
    name,
    label: words,
    source,
    key: `${name}_patch`,
    address: publicationAddress(name, address),
  };
  const taken = takenBy(names);
  if (taken !== undefined) throw new FamilyError(`${taken}: choose another name or label.`);
  return names;
}

function publicationAddress(name: string, address = `https://${name}.example/`): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  const plain =
    url !== null &&
    url.protocol === 'https:' &&
    url.username === '' &&
    url.search === '' &&
    url.hash === '';
  if (!plain || !url.pathname.endsWith('/') || /['\\]/.test(url.href)) {
    throw new FamilyError(
      `'${address}' is no address of a publication: https, a slash at its end, and no password or query, such as https://repo.fedora.example/.`,
    );
  }
  return url.href;
}

function takenBy({ name, label, source, key }: FamilyNames): string | undefined {
  if (vendorNames().includes(name)) return `There is a family '${name}' already`;
  const sameSource = sourceKeys.find((other) => other.toLowerCase() === source.toLowerCase());
  if (sameSource !== undefined) return `There is a source '${sameSource}' already`;
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const sameLabel = Object.values(sourceLabels).find((other) => same(other, label));
  if (sameLabel !== undefined) return `There is a source called '${sameLabel}' already`;
  const { route, searchPath } = pathsOf({ name });
  const list = catalogueLists.find(
    (other) =>
      other.key === key ||
      other.route === route ||
      other.searchPath === searchPath ||
      same(other.shortLabel, label) ||
      same(other.label, `${label} patches`),
  );
  return list === undefined
    ? undefined
    : `The list ${list.key} (${list.label}) has such a name already`;
}

export function pathsOf({ name }: Pick<FamilyNames, 'name'>) {
  const letters = name.replace(/\d/g, (digit) => digitWords[Number(digit)] ?? '');
  return {
    route: `${letters}-patch`,
    searchPath: `/linux/${letters}/search`,
    detailPath: `/linux/${letters}/{id}`,
  };
}

/** Addresses of lists have letters and hyphens alone. */
const digitWords = [
  '-zero',
  '-one',
  '-two',
  '-three',
  '-four',
  '-five',
  '-six',
  '-seven',
  '-eight',
  '-nine',
];
