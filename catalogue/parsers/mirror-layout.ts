/**
 * Where a mirror keeps what a vendor publishes under an address: `https://host/path?query` is the mirror's
 * `/host/path?query`; in a folder a query is stored as `path@query`, and a path that ends in `/` as `index.json`.
 */
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

export class UnsafeAddress extends Error {
  override readonly name = 'UnsafeAddress';
}

export function addressInMirror(mirror: string, url: string): string {
  const { host, pathname, search } = new URL(url);
  return `${mirror.replace(/\/+$/, '')}/${host}${pathname}${search}`;
}

/** The file of that address; null when the folder has none. Throws UnsafeAddress for an address that is no plain path. */
export async function fileInMirror(folder: string, url: string): Promise<string | null> {
  const { host, pathname, search } = new URL(url);
  const path = plainPath(`${host}${pathname}`, url) + (pathname.endsWith('/') ? '/index.json' : '');
  if (search.length <= 1) return fileWithin(folder, path);
  const asked = sortedQuery(search.slice(1));
  const start = `${path.slice(path.lastIndexOf('/') + 1)}@`;
  const names = await readdir(join(folder, dirname(path))).catch(() => []);
  const name = names.find(
    (candidate) =>
      candidate.startsWith(start) && sortedQuery(candidate.slice(start.length)) === asked,
  );
  return name === undefined ? null : fileWithin(folder, join(dirname(path), name));
}

/** Where a folder keeps it, relative to the folder. Throws UnsafeAddress for an address that is no plain path. */
export function pathInMirror(url: string): string {
  const { host, pathname, search } = new URL(url);
  const path = plainPath(`${host}${pathname}`, url) + (pathname.endsWith('/') ? '/index.json' : '');
  return search.length <= 1 ? path : `${path}@${search.slice(1).replaceAll('/', '%2F')}`;
}

function plainPath(escaped: string, url: string): string {
  const refused = new UnsafeAddress(`${url} is no address that a mirror can hold`);
  let path: string;
  try {
    path = decodeURIComponent(escaped);
  } catch {
    throw refused;
  }
  const steps = path.split('/').filter((step) => step !== '');
  if (/[\\\0]/.test(path) || steps.some((step) => step === '.' || step === '..')) throw refused;
  return steps.join('/');
}

/** The order and the escaping of a query's parameters do not matter. */
const sortedQuery = (query: string) =>
  [...new URLSearchParams(query)]
    .map((pair) => pair.join('='))
    .sort()
    .join('&');

/** Follows links inside the folder, and none that leads outside. */
async function fileWithin(folder: string, path: string): Promise<string | null> {
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, path));
    return file.startsWith(root + sep) && (await stat(file)).isFile() ? file : null;
  } catch {
    return null;
  }
}
