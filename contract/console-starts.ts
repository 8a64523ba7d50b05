/**
 * Pages of the console with their own HTML file. The file references the page's scripts, so that the browser fetches them
 * together with the console's first scripts. Every other page uses index.html, which references the scripts of the lists.
 */
export interface ConsoleStart {
  readonly name: string;
  readonly file: string;
  /** Matches the paths of the page. */
  readonly path: RegExp;
}

const start = (name: string, path: RegExp): ConsoleStart => ({ name, file: `${name}.html`, path });

export const consoleStarts: readonly ConsoleStart[] = [
  start('login', /^\/login\/?$/),
  start('dashboard', /^\/patch-repository\/dashboard\/?$/),
  start('record', /^\/patch-repository\/([^/]+\/)?record\/[^/]+\/?$/),
];

export const commonStart = 'index.html';

/** Returns the HTML file for a path, which may have a query. */
export function findStartFile(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  return consoleStarts.find((one) => one.path.test(path))?.file ?? commonStart;
}
