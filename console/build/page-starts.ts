/** Writes an HTML file for each page that is often opened first. It is index.html with the scripts and style sheets of that page named ahead. */

import type { Plugin, Rolldown } from 'vite';
import { commonStart, consoleStarts } from '../../contract/console-starts.ts';

type Bundle = Rolldown.OutputBundle;

/** What a page is made of, by the files that its route imports. */
export interface StartModules {
  /** By the name of the start; `index` is what every other page gets. */
  readonly [start: string]: readonly string[];
}

/** `without`: scripts that a page must not fetch; a build in which it would fails. */
export function pageStarts(
  modules: StartModules,
  without: Readonly<Record<string, RegExp>> = {},
): Plugin {
  return {
    name: 'page-starts',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle[commonStart];
        if (page?.type !== 'asset') throw new Error(`The build has no ${commonStart}`);
        const html = String(page.source);
        const started = (name: string) => {
          const files = filesOf(bundle, modules[name] ?? []);
          const unwanted = [...files].find((file) => without[name]?.test(file));
          if (unwanted !== undefined) throw new Error(`The page ${name} fetches ${unwanted}`);
          return withPreloads(html, files);
        };
        page.source = started('index');
        for (const { name, file } of consoleStarts)
          this.emitFile({ type: 'asset', fileName: file, source: started(name) });
      },
    },
  };
}

/** The scripts that hold the modules, what those import, and the style sheets of all. */
function filesOf(bundle: Bundle, modules: readonly string[]): ReadonlySet<string> {
  const files = new Set<string>();
  const add = (name: string): void => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || files.has(name)) return;
    files.add(name);
    for (const sheet of chunk.viteMetadata?.importedCss ?? []) files.add(sheet);
    for (const imported of chunk.imports) add(imported);
  };
  for (const module of modules) {
    const holder = Object.values(bundle).find(
      (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(`/${module}`)),
    );
    if (holder === undefined) throw new Error(`The build has no script with ${module}`);
    add(holder.fileName);
  }
  return files;
}

/** As the build's own loader asks for them: with other attributes they would be fetched twice. */
function withPreloads(html: string, files: ReadonlySet<string>): string {
  const links = [...files]
    .filter((file) => !html.includes(`/${file}"`))
    .map((file) =>
      file.endsWith('.js')
        ? `    <link rel="modulepreload" href="/${file}" crossorigin>\n`
        : `    <link rel="preload" as="style" href="/${file}" crossorigin>\n`,
    );
  return html.replace('  </head>', `${links.join('')}  </head>`);
}
