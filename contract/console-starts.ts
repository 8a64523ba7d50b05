/**
 * Pages of the console with an HTML file of their own. It names the scripts of the page, so that the browser fetches them together with
 * the console's first ones and not after them. Every other page gets index.html, which names those of the lists.
 */
export interface ConsoleStart {
  readonly name: string;
  readonly file: string;
  /** The paths of the page's addresses. */
  readonly path: RegExp;
}

const start = (name: string, path: RegExp): ConsoleStart => ({ name, file: `${name}.html`, path });

export const consoleStarts: readonly ConsoleStart[] = [
  start('login', /^\/login\/?$/),
  start('dashboard', /^\/patch-repository\/dashboard\/?$/),
  start('record', /^\/patch-repository\/([^/]+\/)?record\/[^/]+\/?$/),
];

export const commonStart = 'index.html';

/** The HTML file of the page at a path, which may have a query. */
export function startOf(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  return consoleStarts.find((one) => one.path.test(path))?.file ?? commonStart;
}
