/** Masks secrets in text that leaves the installation: known ones, and passwords in addresses. */

export const mask = '•••';

/** Masking shorter secrets would hide unrelated words. */
const shortest = 4;

export type Masking = (text: string) => string;

export function createMasking(secrets: readonly (string | null)[]): Masking {
  const written = secrets.flatMap((secret) =>
    secret === null || secret.length < shortest ? [] : spellings(secret),
  );
  // The longest first: one may contain another.
  const known = [...new Set(written)].toSorted((a, b) => b.length - a.length);
  return (text) => {
    let masked = text;
    for (const secret of known) masked = masked.replaceAll(secret, mask);
    return masked.replace(/(:\/\/)[^/\s"'@]+@/g, `$1${mask}@`);
  };
}

/** Returns the secret as it is, in an address, and inside JSON. */
function spellings(secret: string): string[] {
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
}

/** Returns the password of an address, also from a query parameter as databases use; null when it has none. */
export function readPassword(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null;
  const { password, searchParams } = new URL(address);
  if (password === '') return searchParams.get('password');
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
