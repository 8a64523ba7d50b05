/** Reads a raw email as its recipient's program would: subject, plain text and HTML. */
export interface ReadMessage {
  readonly headers: string;
  readonly subject: string;
  readonly text: string;
  /** Empty when the email has no HTML part. */
  readonly html: string;
}

export function readMessage(raw: string): ReadMessage {
  const { headers, content } = cutAtBlankLine(raw);
  const boundary = /boundary="?([^";\r\n]+)/i.exec(headers)?.[1];
  const parts =
    boundary === undefined
      ? [{ headers, content }]
      : content.split(`--${boundary}`).map((part) => cutAtBlankLine(part.trimStart()));
  const findPart = (type: string) =>
    parts.find((part) => new RegExp(`^content-type: ${type}`, 'im').test(part.headers));
  return {
    headers,
    subject: readSubject(headers),
    text: decoded(findPart('text/plain')),
    html: decoded(findPart('text/html')),
  };
}

interface Part {
  readonly headers: string;
  readonly content: string;
}

function cutAtBlankLine(text: string): Part {
  const [headers = '', ...rest] = text.split(/\r?\n\r?\n/);
  return { headers, content: rest.join('\n\n') };
}

function readSubject(headers: string): string {
  const unfolded = headers.replaceAll(/\r?\n[ \t]+/g, ' ');
  const subject = /^subject: (.*)$/im.exec(unfolded)?.[1]?.trim() ?? '';
  return subject
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?q\?(.*?)\?=/gi, (_, word: string) => unquoted(word.replaceAll('_', ' ')))
    .replaceAll(/=\?utf-8\?b\?(.*?)\?=/gi, (_, word: string) =>
      Buffer.from(word, 'base64').toString(),
    );
}

function decoded(part: Part | undefined): string {
  if (part === undefined) return '';
  const encoding = /^content-transfer-encoding: (\S+)/im.exec(part.headers)?.[1]?.toLowerCase();
  const text =
    encoding === 'base64'
      ? Buffer.from(part.content, 'base64').toString()
      : encoding === 'quoted-printable'
        ? unquoted(part.content.replaceAll(/=\r?\n/g, ''))
        : part.content;
  return text.replaceAll('\r\n', '\n').trimEnd();
}

function unquoted(text: string): string {
  const bytes = text.replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}
