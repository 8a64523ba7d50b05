/** Single-use codes for users without their authenticator app. */

import { randomInt } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { backupCodeCount } from '@patch/contract/accounts/two-factor-endpoints.ts';

/** No easily confused characters: no i, l, o, u (Crockford's base 32). Twelve characters are 60 bits. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns codes such as 'k3v9-0xqm-7tzh'. */
export function newBackupCodes(): string[] {
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  return Array.from({ length: backupCodeCount }, () => [group(), group(), group()].join('-'));
}

/** Returns the stored form. Ignores hyphens, spaces and case, and accepts letters that look like digits. */
export function backupCodeHash(userId: number, typed: string): string {
  const code = typed
    .toLowerCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');
  return sha256Hex(`${userId} ${code}`);
}
