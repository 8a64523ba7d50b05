/** Finds a secret in a text of another server, which may repeat in its message what was sent to it. */

/** A part of a secret as long as this is a trace of it. */
const traceLength = 6;

/** Returns true if the text contains the secret or a part of it, plain or encoded, whatever separates its characters. */
export function hasSecretTrace(text: string, secret: string | null): boolean {
  if (secret === null || secret === '') return false;
  if (text.includes(secret)) return true;
  const traces = spellings(secret).flatMap(windows);
  return readings(text).some((reading) => traces.some((trace) => reading.includes(trace)));
}

/** The secret as letters and digits: plain, in hexadecimal, and in base64 after any number of bytes. */
function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // The first and last characters also depend on the bytes beside the secret.
    return text.slice(before === 0 ? 0 : 4, -4);
  });
  return [secret, bytes.toString('hex'), ...base64].map(onlyLetters).filter(Boolean);
}

const windows = (text: string): readonly string[] =>
  text.length <= traceLength
    ? [text]
    : Array.from({ length: text.length - traceLength + 1 }, (_, start) =>
        text.slice(start, start + traceLength),
      );

/** The text without the codes before its lines, the same decoded, and each of both backwards. */
function readings(text: string): readonly string[] {
  const joined = text.replaceAll(/[\r\n]+\d{3}[ -]/g, '');
  const decoded = joined
    .replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) => toChar(code, 16))
    .replaceAll(/%([\da-f]{2})/gi, (_, code: string) => toChar(code, 16))
    .replaceAll(/&#x([\da-f]{1,6});/gi, (_, code: string) => toChar(code, 16))
    .replaceAll(/&#(\d{1,7});/g, (_, code: string) => toChar(code, 10));
  const forward = [joined, decoded].map(onlyLetters);
  return [...forward, ...forward.map((one) => one.split('').toReversed().join(''))];
}

function toChar(code: string, base: number): string {
  const point = Number.parseInt(code, base);
  return point <= 0x10_ffff ? String.fromCodePoint(point) : '';
}

const onlyLetters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
