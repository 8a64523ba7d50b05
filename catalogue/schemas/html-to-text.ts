/**
 * A vendor's HTML as plain text: paragraphs, lines and list items kept, everything else of the markup gone. The result is text and
 * must be shown as text; what was written as `&lt;script&gt;` reads `<script>` in it.
 */

/** Their content is nothing to read. */
const unread = new Set([
  'script',
  'style',
  'head',
  'title',
  'noscript',
  'template',
  'iframe',
  'object',
]);
const paragraphs = new Set([
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
const lines = new Set(['br', 'tr', 'li', 'hr', 'dt', 'dd']);
const cells = new Set(['td', 'th']);

const tagStart = /<(\/?)([a-zA-Z][\w:-]*)/y;

/** The time it takes grows with the length of the text alone, whatever is left open in it. */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  const markup = new Markup(html);
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const end = open === -1 ? html.length : open;
    parts.push(textOf(html.slice(at, end)));
    if (open === -1) break;
    at = afterMarkup(html, open, parts, markup);
  }
  return parts
    .join('')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Where the text goes on behind the markup at `open`; a `<` that begins none is text. */
function afterMarkup(html: string, open: number, parts: string[], markup: Markup): number {
  if (html.startsWith('<!--', open)) return after(html, '-->', open + 4);
  if (/^<[!?]/.test(html.slice(open, open + 2))) return after(html, '>', open + 2);
  tagStart.lastIndex = open;
  const found = tagStart.exec(html);
  const behind = found === null ? -1 : markup.endOfTag(open + found[0].length);
  if (found === null || behind === -1) {
    parts.push('<');
    return open + 1;
  }
  const [, closing, written = ''] = found;
  const name = written.toLowerCase();
  if (paragraphs.has(name)) parts.push('\n\n');
  else if (name === 'li') parts.push(closing === '' ? '\n- ' : '');
  else if (closing === '' && lines.has(name)) parts.push('\n');
  else if (cells.has(name)) parts.push(' ');
  if (closing !== '' || !unread.has(name) || html[behind - 2] === '/') return behind;
  return markup.endOfElement(name, behind) ?? behind;
}

/** Finds where tags and elements end, and remembers what was looked at: no stretch is searched for the same thing twice. */
class Markup {
  readonly #html: string;
  readonly #lastEnd: number;
  /** Places between quoted values that a search for the end of a tag came by. A second one that comes there would find no more than the first. */
  readonly #passed: Uint8Array;
  readonly #neverClosed = new Set<string>();

  constructor(html: string) {
    this.#html = html;
    this.#lastEnd = html.lastIndexOf('>');
    this.#passed = new Uint8Array(this.#lastEnd + 1);
  }

  /** Behind the `>` that ends the tag, quoted values passed over; -1 when there is none, or a quote stays open. */
  endOfTag(from: number): number {
    for (let at = from; at <= this.#lastEnd; at++) {
      if (this.#passed[at] === 1) return -1;
      this.#passed[at] = 1;
      const character = this.#html[at];
      if (character === '>') return at + 1;
      if (character !== '"' && character !== "'") continue;
      const end = this.#html.indexOf(character, at + 1);
      if (end === -1) return -1;
      at = end;
    }
    return -1;
  }

  /** Behind the end tag of that name; null when there is none. */
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

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
}

/** Line breaks of the source are spaces. */
function textOf(source: string): string {
  return source
    .replaceAll(/\s+/g, ' ')
    .replaceAll(
      /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][\da-zA-Z]*));/g,
      (written, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined)
          return (Object.hasOwn(entities, name) ? entities[name] : undefined) ?? written;
        return (
          characterOf(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)) ??
          written
        );
      },
    );
}

/** None for what is no character, or one that no text may hold. */
function characterOf(code: number): string | null {
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
