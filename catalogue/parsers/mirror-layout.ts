/**
 * Maps addresses of vendors to a mirror: `https://host/path?query` becomes the mirror's `/host/path?query`; in a folder a query
 * is stored as `path@query`, and a path that ends in `/` as `index.json`.
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

/** Returns the file of the address; null when the folder has none. Throws UnsafeAddress for an address that is not a plain path. */
export async function fileInMirror(folder: string, url: string): Promise<string | null> {
  const { host, pathname, search } = new URL(url);
  const path = plainPath(`${host}${pathname}`, url) + (pathname.endsWith('/') ? '/index.json' : '');
  if (search.length <= 1) return fileWithin(folder, path);
  const query = sortedQuery(search.slice(1));
  const start = `${path.slice(path.lastIndexOf('/') + 1)}@`;
  const names = await readdir(join(folder, dirname(path))).catch(() => []);
  const name = names.find(
    (candidate) =>
      candidate.startsWith(start) && sortedQuery(candidate.slice(start.length)) === query,
  );
  return name === undefined ? null : fileWithin(folder, join(dirname(path), name));
}

/** Returns the path in the folder, relative to it. Throws UnsafeAddress for an address that is not a plain path. */
export function pathInMirror(url: string): string {
  const { host, pathname, search } = new URL(url);
  const path = plainPath(`${host}${pathname}`, url) + (pathname.endsWith('/') ? '/index.json' : '');
  return search.length <= 1 ? path : `${path}@${search.slice(1).replaceAll('/', '%2F')}`;
}

function plainPath(escaped: string, url: string): string {
  const refused = new UnsafeAddress(`${url} is not an address that a mirror can serve`);
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

/** Normalizes a query, whose order and escaping do not matter. */
const sortedQuery = (query: string) =>
  [...new URLSearchParams(query)]
    .map((pair) => pair.join('='))
    .sort()
    .join('&');

/** Follows links inside the folder, but none that leads outside. */
async function fileWithin(folder: string, path: string): Promise<string | null> {
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, path));
    return file.startsWith(root + sep) && (await stat(file)).isFile() ? file : null;
  } catch {
    return null;
  }
}
