/** The six digits of an authenticator app: TOTP (RFC 6238) with parameters that every app supports, SHA-1 and 30 seconds. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const stepMs = 30_000;
/** A clock may differ by one step, and typing takes a while. */
const stepsOff = 1;

/** As long as SHA-1's output (RFC 4226, 4). */
export const newTotpSecret = (): Uint8Array => randomBytes(20);

export function totpAtStep(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

export const stepAt = (time: number): number => Math.floor(time / stepMs);

/** Returns the time step of the code; null when it matches none around this time. */
export function findTotpStep(secret: Uint8Array, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  let found: number | null = null;
  for (let step = Math.max(0, stepAt(now) - stepsOff); step <= stepAt(now) + stepsOff; step++)
    if (timingSafeEqual(Buffer.from(totpAtStep(secret, step)), Buffer.from(code))) found = step;
  return found;
}

/** Returns the address for the QR code. Apps show the issuer above the account. */
export function otpauthUri(secret: Uint8Array, account: string): string {
  const issuer = 'Patch Repository';
  const query = `secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`;
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query}`;
}

/** RFC 4648 without padding, as the apps expect. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{1,5}/g) ?? [];
  return letters
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}
