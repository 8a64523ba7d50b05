/** Writes text into XML 1.0: https://www.w3.org/TR/xml/#charsets */

/** Characters that no XML document may have, however they are escaped. */
const forbidden =
  // oxlint-disable-next-line no-control-regex -- these are the characters to find
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Parsers change these when they are written as they are: to a line feed, and to a space in attributes.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Escapes the text of an element, in which line feeds and tabs stay. A forbidden character becomes U+FFFD. */
export const escapeXmlText = (text: string): string =>
  text.replace(forbidden, '\uFFFD').replace(/[&<>\r]/g, (letter) => references[letter] ?? letter);

/** Escapes the value of an attribute in double quotes. */
const escapeAttribute = (text: string): string =>
  text
    .replace(forbidden, '\uFFFD')
    .replace(/[&<>"\r\n\t]/g, (letter) => references[letter] ?? letter);

export type XmlAttributes = Readonly<Record<string, string | null>>;

/**
 * Writes an element.
 * @param attributes - Those that are null are omitted.
 * @param content - XML; an empty one makes an empty element.
 */
export function xmlElement(name: string, attributes: XmlAttributes, content = ''): string {
  const start = Object.entries(attributes).reduce(
    (tag, [key, value]) => (value === null ? tag : `${tag} ${key}="${escapeAttribute(value)}"`),
    `<${name}`,
  );
  return content === '' ? `${start}/>` : `${start}>${content}</${name}>`;
}

/** Returns an element with text; the empty text for null. */
export const xmlTextElement = (name: string, text: string | null): string =>
  text === null ? '' : `<${name}>${escapeXmlText(text)}</${name}>`;
