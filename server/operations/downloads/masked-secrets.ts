/** Takes secrets out of text that leaves the house: those that are known, and passwords in addresses. */

export const mask = '•••';

/** Shorter ones would blot out words that only look like them. */
const shortest = 4;

export type Masking = (text: string) => string;

export function maskingOf(secrets: readonly (string | null)[]): Masking {
  const written = secrets.flatMap((secret) =>
    secret === null || secret.length < shortest ? [] : spellings(secret),
  );
  // The longest first: one may stand inside another.
  const known = [...new Set(written)].toSorted((a, b) => b.length - a.length);
  return (text) => {
    let masked = text;
    for (const secret of known) masked = masked.replaceAll(secret, mask);
    return masked.replace(/(:\/\/)[^/\s"'@]+@/g, `$1${mask}@`);
  };
}

/** As it is, in an address, and inside JSON. */
function spellings(secret: string): string[] {
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
}

/** The password of an address, wherever a database's may stand in it; null when it has none. */
export function passwordIn(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null;
  const { password, searchParams } = new URL(address);
  if (password === '') return searchParams.get('password');
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
