/** Decodes a secret as an authenticator app does, independently of the product's encoder: base32 without padding (RFC 4648). */
export function fromBase32(letters: string): Uint8Array {
  const bits = Array.from(letters, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
