import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { escapeXmlText, xmlElement } from './xml-text.ts';

/** Reads the text and the attribute `a` of a document with another parser. */
function parse(xml: string) {
  let [text, attribute] = ['', ''];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('text', (piece) => {
    text += piece;
  });
  parser.on('opentag', ({ attributes }) => {
    attribute = String(attributes['a']);
  });
  parser.write(xml).close();
  return { text, attribute };
}

test.each([
  ['a < b & c > d', 'a < b & c > d'],
  ['CDATA ends with ]]>', 'CDATA ends with ]]>'],
  ['"quoted" and \'single\'', '"quoted" and \'single\''],
  ['one\ttwo\nthree\r\nfour', 'one\ttwo\nthree\r\nfour'],
  ['&amp; stays as it is written', '&amp; stays as it is written'],
  ['bell \u0007, escape \u001b, NUL \u0000', 'bell \uFFFD, escape \uFFFD, NUL \uFFFD'],
  ['half \ud83d of a pair, \uFFFE and \uFFFF', 'half \uFFFD of a pair, \uFFFD and \uFFFD'],
  ['pair 🐧', 'pair 🐧'],
])('writes %j so that parsers read %j', (written, expected) => {
  const xml = xmlElement('e', { a: written, none: null }, escapeXmlText(written));
  expect(parse(xml)).toEqual({ text: expected, attribute: expected });
  expect(xml).not.toContain('none');
});
