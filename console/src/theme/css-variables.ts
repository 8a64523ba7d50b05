/** Writes the design tokens into the page as CSS variables, for the console's own style sheets. */
import type {} from 'react';
import {
  colours,
  durations,
  fontMono,
  fontSizes,
  fontText,
  kebab,
  markChroma,
  markGround,
  markLightness,
  radius,
  rowHeights,
  rowLineHeight,
  sizes,
  space,
  type ThemeName,
} from './tokens.ts';

const lines = (variables: Iterable<readonly [string, string]>) =>
  Array.from(variables, ([name, value]) => `--${name}:${value};`).join('');

const themed = (theme: ThemeName) =>
  lines([
    ...Object.entries(colours).map(
      ([name, value]) => [`colour-${kebab(name)}`, value[theme]] as const,
    ),
    ['mark-lightness', markLightness[theme]],
    ['mark-chroma', markChroma[theme]],
    ['mark-ground', markGround[theme]],
  ]);

const constant = lines([
  ...Array.from(
    { length: 12 },
    (_, step) => [`space-${step + 1}`, `${(step + 1) * space}px`] as const,
  ),
  ...Object.entries(fontSizes).map(([name, size]) => [`font-size-${name}`, `${size}px`] as const),
  ['font-text', fontText],
  ['font-mono', fontMono],
  ['radius', `${radius}px`],
  ['row-line-height', `${rowLineHeight}px`],
  ...Object.entries(rowHeights).map(([name, height]) => [`row-${name}`, `${height}px`] as const),
  ['quick', `${durations.quick}ms`],
  ['motion', `${durations.motion}ms`],
  ['header-height', `${sizes.header}px`],
  ['sidebar-collapsed', `${sizes.sidebarCollapsed}px`],
  ['sidebar-expanded', `${sizes.sidebarExpanded}px`],
  ['wait-shows', `${durations.waitShows}ms`],
  ['facets-width', `${sizes.facets}px`],
  ['histogram-height', `${sizes.histogram}px`],
  ['read-more-height', `${sizes.readMore}px`],
]);

const reducedMotion = '@media (prefers-reduced-motion: reduce){:root{--quick:0ms;--motion:0ms;}}';

export const variablesSheet = [
  `:root{${constant}}`,
  `:root{color-scheme:light;${themed('light')}}`,
  // Paper is light whatever the screen is.
  `@media screen{:root[data-theme='dark']{color-scheme:dark;${themed('dark')}}}`,
  reducedMotion,
].join('\n');

export function writeVariables(): void {
  const style = document.createElement('style');
  style.textContent = variablesSheet;
  document.head.prepend(style);
}

/** Lets a style attribute set CSS variables: style={{ '--hue': 140 }}. */
declare module 'react' {
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined;
  }
}
