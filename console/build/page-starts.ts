/** Writes an HTML file for each common first page: index.html with preload links to the scripts and style sheets of that page. */
import type { Plugin, Rolldown } from 'vite';
import { commonStart, consoleStarts } from '../../contract/console-starts.ts';

type Bundle = Rolldown.OutputBundle;

/** Modules that the route of each page imports. */
export interface StartModules {
  /** Keyed by start name; `index` serves all other pages. */
  readonly [start: string]: readonly string[];
}

/** @param without - Scripts that a page must not fetch, by start name. The build fails when it would. */
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
        const renderStart = (name: string) => {
          const files = collectFiles(bundle, modules[name] ?? []);
          const unwanted = [...files].find((file) => without[name]?.test(file));
          if (unwanted !== undefined) throw new Error(`The page ${name} fetches ${unwanted}`);
          return withPreloads(html, files);
        };
        page.source = renderStart('index');
        for (const { name, file } of consoleStarts)
          this.emitFile({ type: 'asset', fileName: file, source: renderStart(name) });
      },
    },
  };
}

/** Returns the chunks that contain the modules, their static imports and the style sheets of all of these. */
function collectFiles(bundle: Bundle, modules: readonly string[]): ReadonlySet<string> {
  const files = new Set<string>();
  const add = (name: string): void => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || files.has(name)) return;
    files.add(name);
    for (const sheet of chunk.viteMetadata?.importedCss ?? []) files.add(sheet);
    for (const imported of chunk.imports) add(imported);
  };
  for (const module of modules) {
    const containingChunk = Object.values(bundle).find(
      (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(`/${module}`)),
    );
    if (containingChunk === undefined) throw new Error(`The build has no script with ${module}`);
    add(containingChunk.fileName);
  }
  return files;
}

/** The attributes match those of Vite's loader; with others the browser would fetch each file twice. */
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

const textFont = /inter-latin-wght-normal-[\w-]+\.woff2$/;

/** Preloads the text font, so that it is there at the first paint. */
export function preloadedFont(): Plugin {
  return {
    name: 'preloaded-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((name) => textFont.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              href: `/${name}`,
              as: 'font',
              type: 'font/woff2',
              crossorigin: true,
            },
            injectTo: 'head' as const,
          })),
    },
  };
}
