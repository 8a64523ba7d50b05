/** Decodes UTF-8, cut only between characters; a byte order mark is dropped. Throws on a byte that is not UTF-8. */
export async function* strictText(bytes: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let read = 0;
  const decode = (piece?: Uint8Array) => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch {
      throw new NotUtf8(read, piece?.length ?? 0);
    }
  };
  for await (const piece of bytes) {
    const text = decode(piece);
    read += piece.length;
    if (text !== '') yield text;
  }
  const rest = decode();
  if (rest !== '') yield rest;
}

export class NotUtf8 extends Error {
  override readonly name = 'NotUtf8';
  constructor(from: number, length: number) {
    super(
      `the text is not UTF-8 ${length === 0 ? 'at its end' : `between byte ${from} and byte ${from + length}`}`,
    );
  }
}
