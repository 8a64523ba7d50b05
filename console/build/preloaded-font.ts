/** Preloads the text font, so that it is there at the first paint. */
import type { Plugin } from 'vite';

const textFont = /inter-latin-wght-normal-[\w-]+\.woff2$/;

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
