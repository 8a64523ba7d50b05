/** An email written once and rendered twice: as plain text and as simple HTML with escaped content. */

export type MailBlock =
  | { readonly kind: 'heading'; readonly words: string }
  | { readonly kind: 'words'; readonly words: string }
  /** Null: no address is known. */
  | { readonly kind: 'link'; readonly words: string; readonly url: string | null }
  | { readonly kind: 'entries'; readonly entries: readonly MailEntry[] };

export interface MailEntry {
  readonly name: string;
  readonly url: string | null;
  readonly lines: readonly string[];
}

export interface MailDocument {
  readonly body: string;
  readonly html: string;
}

export function mailDocument(blocks: readonly MailBlock[]): MailDocument {
  const html = blocks.map(blockHtml).join('\n');
  return {
    body: `${blocks.map(blockText).join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<body style="font:14px/1.5 sans-serif">\n${html}\n</body>\n</html>\n`,
  };
}

function blockText(block: MailBlock): string {
  switch (block.kind) {
    case 'heading':
      return `${oneLine(block.words)}\n${'-'.repeat(Math.min(72, block.words.length))}`;
    case 'words':
      return oneLine(block.words);
    case 'link':
      return block.url === null ? oneLine(block.words) : `${oneLine(block.words)}:\n${block.url}`;
    case 'entries':
      return block.entries.map(entryText).join('\n');
  }
}

function entryText({ name, url, lines }: MailEntry): string {
  const below = [...lines.map(oneLine), ...(url === null ? [] : [url])].filter(
    (line) => line !== '',
  );
  return [`* ${oneLine(name)}`, ...below.map((line) => `  ${line}`)].join('\n');
}

function blockHtml(block: MailBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h3>${escaped(block.words)}</h3>`;
    case 'words':
      return `<p>${escaped(block.words)}</p>`;
    case 'link':
      return `<p>${linked(block.words, block.url)}</p>`;
    case 'entries':
      return `<ul>\n${block.entries.map(entryHtml).join('\n')}\n</ul>`;
  }
}

function entryHtml({ name, url, lines }: MailEntry): string {
  return `<li>${[linked(name, url), ...lines.filter((line) => line !== '').map(escaped)].join('<br>')}</li>`;
}

const linked = (words: string, url: string | null) =>
  url === null ? escaped(words) : `<a href="${escaped(url)}">${escaped(words)}</a>`;

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => oneLine(text).replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? '');

/** Removes line breaks: in a subject they would begin another header. */
export const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
