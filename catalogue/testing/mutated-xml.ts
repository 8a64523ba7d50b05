/** Changes XML at random. */
import { type Chance, pick } from './chance.ts';
import { mutatedLines } from './mutated-lines.ts';
import type { Mutation } from './mutation.ts';
import { oddTexts } from './odd-values.ts';

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replace(/[\0\uD800]/g, '');

/** Keeps the XML well formed, mostly. */
export function mutatedXml(text: string, chance: Chance): Mutation {
  const pattern = pick(
    [
      /<([\w:.-]+)(?:\s[^<>]*)?>[^<>]*<\/\1>/g,
      /<[\w:.-]+(?:\s[^<>]*)?\/>/g,
      /\s[\w:.-]+="[^"<>]*"/g,
      />[^<>]*[^<>\s][^<>]*</g,
      /<([\w:.-]+)(?:\s[^<>]*)?>[\s\S]{0,3000}?<\/\1>/g,
    ],
    chance,
  );
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return mutatedLines(text, chance);
  const { 0: was, index } = pick(found, chance);
  const odd = escaped(pick(oddTexts, chance));
  const versions = was.startsWith('<')
    ? versionsOfElement(was, odd)
    : was.startsWith('>')
      ? versionsOfText(odd)
      : versionsOfAttribute(was, odd);
  const [done, is] = pick(versions, chance);
  return {
    content: text.slice(0, index) + is + text.slice(index + was.length),
    done: `${done}: ${was.slice(0, 80)} -> ${is.slice(0, 80)}`,
  };
}

type Versions = readonly (readonly [done: string, is: string])[];

function versionsOfElement(was: string, odd: string): Versions {
  return [
    ['gone', ''],
    ['twice', was + was],
    ['odd text', was.replace(/>[^<>]*</, () => `>${odd}<`)],
    ['odd attributes', was.replace(/"[^"]*"/g, () => `"${odd}"`)],
    ['an unknown element around it', `<unknown xmlns="urn:unknown">${was}</unknown>`],
    ['a comment and CDATA', `<!-- -->${was}<![CDATA[]]>`],
    ['renamed', was.replace(/^<[\w:.-]+/, '<unknown').replace(/<\/[\w:.-]+>$/, '</unknown>')],
    ['not well formed', was.slice(0, -1)],
  ];
}

/** Includes the brackets around the text. */
function versionsOfText(odd: string): Versions {
  return [
    ['gone', '><'],
    ['odd text', `>${odd}<`],
    ['not well formed', '>&bogus; <<'],
  ];
}

/** Includes the space before the attribute. */
function versionsOfAttribute(was: string, odd: string): Versions {
  return [
    ['gone', ''],
    ['odd attribute', was.replace(/"[^"]*"/, () => `"${odd}"`)],
    ['renamed', was.replace(/^\s[\w:.-]+/, ' unknown')],
    ['not well formed', was.slice(0, -1)],
  ];
}
