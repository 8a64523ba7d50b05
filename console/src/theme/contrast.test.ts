import { describe, expect, it } from 'vitest';
import { type ColourName, colours, themeNames } from './tokens.ts';

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const backgrounds: readonly ColourName[] = ['canvas', 'surface', 'raised'];
const textColours: readonly ColourName[] = [
  'text',
  'textQuiet',
  'accent',
  'success',
  'warning',
  'danger',
  'critical',
  'important',
  'moderate',
  'low',
  'unranked',
];
const pairs: readonly (readonly [ColourName, ColourName])[] = [
  ...textColours.flatMap((text) => backgrounds.map((background) => [text, background] as const)),
  ['onAccent', 'accent'],
  ['onAccent', 'accentHover'],
  ['accent', 'selected'],
  ['accent', 'accentTint'],
  ['text', 'hover'],
  ['textQuiet', 'hover'],
  ['textQuiet', 'selected'],
  ['success', 'successTint'],
  ['warning', 'warningTint'],
  ['danger', 'dangerTint'],
  ['unranked', 'unrankedTint'],
];

describe.each(themeNames)('on the %s theme', (theme) => {
  it.each(pairs)('%s on %s reaches 4.5:1', (textColour, background) => {
    expect(contrast(colours[textColour][theme], colours[background][theme])).toBeGreaterThanOrEqual(
      4.5,
    );
  });
});
