/** Codes for whoever has no authenticator app at hand, each good once. */
import { createHash, randomInt } from 'node:crypto';
import { backupCodeCount } from '@patch/contract/two-factor-calls.ts';

/** Nothing that is read as something else: no i, l, o, u (Crockford's base 32). Twelve of them are 60 bits. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/** 'k3v9-0xqm-7tzh' */
export function newBackupCodes(): string[] {
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  return Array.from({ length: backupCodeCount }, () => [group(), group(), group()].join('-'));
}

/** As it is kept. Hyphens, spaces and capitals do not matter, nor letters that were read from paper for figures. */
export function backupCodeHash(userId: number, typed: string): string {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return createHash('sha256').update(`${userId} ${code}`).digest('hex');
}
