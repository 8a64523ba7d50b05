/**
 * Converts a vendor's HTML to plain text with paragraphs, lines and list items. The result may contain `<script>` (written as
 * `&lt;script&gt;`) and must be shown as text.
 */

/** Elements whose content is not text for readers. */
const ignoredElements = new Set([
  'script',
  'style',
  'head',
  'title',
  'noscript',
  'template',
  'iframe',
  'object',
]);
const paragraphElements = new Set([
  'p',
  'div',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'table',
  'blockquote',
  'pre',
  'section',
  'dl',
]);
const lineElements = new Set(['br', 'tr', 'li', 'hr', 'dt', 'dd']);
const cellElements = new Set(['td', 'th']);

const tagStart = /<(\/?)([a-zA-Z][\w:-]*)/y;

/** Takes time linear in the length of `html`, even with unclosed markup. */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  const markup = new Markup(html);
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const end = open === -1 ? html.length : open;
    parts.push(decodeText(html.slice(at, end)));
    if (open === -1) break;
    at = skipMarkup(html, open, parts, markup);
  }
  return removeSpareSpace(parts.join(''));
}

/** Leaves one space between words, none at line ends, and at most one empty line in a row. */
export function removeSpareSpace(text: string): string {
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Skips the markup at `open` and returns the index after it; a `<` that starts no markup is text. */
function skipMarkup(html: string, open: number, parts: string[], markup: Markup): number {
  if (html.startsWith('<!--', open)) return indexAfter(html, '-->', open + 4);
  if (/^<[!?]/.test(html.slice(open, open + 2))) return indexAfter(html, '>', open + 2);
  tagStart.lastIndex = open;
  const found = tagStart.exec(html);
  const tagEnd = found === null ? -1 : markup.endOfTag(open + found[0].length);
  if (found === null || tagEnd === -1) {
    parts.push('<');
    return open + 1;
  }
  const [, closing, written = ''] = found;
  const name = written.toLowerCase();
  if (paragraphElements.has(name)) parts.push('\n\n');
  else if (name === 'li') parts.push(closing === '' ? '\n- ' : '');
  else if (closing === '' && lineElements.has(name)) parts.push('\n');
  else if (cellElements.has(name)) parts.push(' ');
  if (closing !== '' || !ignoredElements.has(name) || html[tagEnd - 2] === '/') return tagEnd;
  return markup.endOfElement(name, tagEnd) ?? tagEnd;
}

/** Finds the ends of tags and elements, and remembers searched ranges so that no range is searched twice for the same thing. */
class Markup {
  readonly #html: string;
  readonly #lastTagEnd: number;
  /** Positions outside quoted values that a search for a tag's end visited; a second search from there would find nothing new. */
  readonly #visited: Uint8Array;
  readonly #neverClosed = new Set<string>();

  constructor(html: string) {
    this.#html = html;
    this.#lastTagEnd = html.lastIndexOf('>');
    this.#visited = new Uint8Array(this.#lastTagEnd + 1);
  }

  /** Returns the index after the `>` that ends the tag, skipping quoted values; -1 without one, or when a quote is not closed. */
  endOfTag(from: number): number {
    for (let at = from; at <= this.#lastTagEnd; at++) {
      if (this.#visited[at] === 1) return -1;
      this.#visited[at] = 1;
      const character = this.#html[at];
      if (character === '>') return at + 1;
      if (character !== '"' && character !== "'") continue;
      const end = this.#html.indexOf(character, at + 1);
      if (end === -1) return -1;
      at = end;
    }
    return -1;
  }

  /** Returns the index after the end tag of `name`; null without one. */
  endOfElement(name: string, from: number): number | null {
    if (this.#neverClosed.has(name)) return null;
    const close = new RegExp(`</${name}\\s*>`, 'gi');
    close.lastIndex = from;
    const closed = close.exec(this.#html);
    if (closed !== null) return closed.index + closed[0].length;
    this.#neverClosed.add(name);
    return null;
  }
}

function indexAfter(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
}

/** Decodes character references; line breaks become spaces. */
function decodeText(source: string): string {
  return source
    .replaceAll(/\s+/g, ' ')
    .replaceAll(
      /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][\da-zA-Z]*));/g,
      (written, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined)
          return (Object.hasOwn(entities, name) ? entities[name] : undefined) ?? written;
        return (
          toCharacter(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) ??
          written
        );
      },
    );
}

/** Returns null when `code` is not a character that text may contain. */
function toCharacter(code: number): string | null {
  const isText =
    code === 9 ||
    code === 10 ||
    (code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff));
  return isText ? String.fromCodePoint(code) : null;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  middot: '·',
  deg: '°',
  times: '×',
  laquo: '«',
  raquo: '»',
  eacute: 'é',
};
