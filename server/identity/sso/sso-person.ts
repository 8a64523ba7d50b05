/** Maps an identity provider's user to a local one: the user linked before, the one with their address, or a new one. */
import { randomBytes } from 'node:crypto';
import type { KnownSsoConfig, SsoFailure } from '@patch/contract/accounts/sso-endpoints.ts';
import { isEmail } from '@patch/contract/form-rules/text-rules.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { hashPassword } from '../accounts/password-hash.ts';
import { createUser, findUserByLogin, lockUsers, setPassword } from '../accounts/user-store.ts';
import type { Claims } from './identity-provider.ts';
import { addIdentity, findIdentityUser } from './sso-store.ts';

/** Thrown when the sign-in is refused; the login page has the text of each failure. */
export class SsoRefused extends Error {
  override readonly name = 'SsoRefused';
  readonly failure: SsoFailure;
  constructor(failure: SsoFailure) {
    super(`The sign-in was refused: ${failure}`);
    this.failure = failure;
  }
}

type Rules = Pick<KnownSsoConfig, 'allowedDomains' | 'linkByEmail' | 'createUsers' | 'nameClaim'>;

interface Person {
  readonly userId: number;
  /** The change to the user in this sign-in; null when the link existed. */
  readonly made: 'linked' | 'created' | null;
}

/** @throws SsoRefused */
export async function resolvePerson(
  database: Database,
  claims: Claims,
  rules: Rules,
  now: number,
): Promise<Person> {
  const email = verifiedEmail(claims);
  refuseOtherDomains(email, rules.allowedDomains);
  const known = await findIdentityUser(database, claims);
  if (known !== null) return { userId: known, made: null };
  // A random password that no one knows, hashed before the users are locked.
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'));
  return database.transaction(async (tx) => {
    await lockUsers(tx);
    const meanwhile = await findIdentityUser(tx, claims);
    if (meanwhile !== null) return { userId: meanwhile, made: null };
    const { userId, made } = await linkOrCreate(tx, { claims, email, rules, passwordHash, now });
    await addIdentity(tx, claims, userId, now);
    return { userId, made };
  });
}

interface FirstTime {
  readonly claims: Claims;
  readonly email: string | null;
  readonly rules: Rules;
  readonly passwordHash: string;
  readonly now: number;
}

async function linkOrCreate(
  tx: Queryable,
  { claims, email, rules, passwordHash, now }: FirstTime,
): Promise<Person> {
  const claimedEmail = claims['email'];
  const owner =
    typeof claimedEmail === 'string' && isEmail(claimedEmail)
      ? await findUserByLogin(tx, claimedEmail)
      : null;
  if (owner !== null) {
    // An unverified address would let in anyone who claims it.
    if (!rules.linkByEmail) throw new SsoRefused('taken');
    if (email === null) throw new SsoRefused('email');
    // Invited users would have to change a password that they never had, so it is replaced.
    if (owner.user.mustChangePassword)
      await setPassword(tx, owner.user.id, owner.passwordHash, passwordHash);
    return { userId: owner.user.id, made: 'linked' };
  }
  if (!rules.createUsers) throw new SsoRefused('unknown');
  const name = await freeName(tx, chooseName(claims, rules.nameClaim));
  const user = {
    name,
    email: email ?? '',
    userType: 'Standard',
    passwordHash,
    mustChangePassword: false,
    createdTime: now,
  } as const;
  return { userId: await createUser(tx, user), made: 'created' };
}

/** Returns null unless the identity provider has verified the address. */
function verifiedEmail({ email, email_verified: verified }: Claims): string | null {
  // Some providers send it as text.
  return typeof email === 'string' && isEmail(email) && (verified === true || verified === 'true')
    ? email
    : null;
}

function refuseOtherDomains(email: string | null, allowed: readonly string[]): void {
  if (allowed.length === 0) return;
  if (email === null) throw new SsoRefused('email');
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (!allowed.includes(domain)) throw new SsoRefused('domain');
}

const maxNameLength = 90;

/** Returns a name without an @, so that it is never mistaken for an address. */
function chooseName(claims: Claims, nameClaim: string): string {
  const candidates = [
    claims[nameClaim],
    claims['preferred_username'],
    claims['name'],
    claims['email'],
  ];
  const names = candidates.map((name) =>
    typeof name === 'string'
      ? (
          name
            .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
            .replaceAll(/[\p{Cf}\p{Cs}]/gu, '')
            .trim()
            .split('@', 1)[0] ?? ''
        )
          .trim()
          .slice(0, maxNameLength)
      : '',
  );
  return names.find((name) => name !== '') ?? 'user';
}

async function freeName(tx: Queryable, wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if ((await findUserByLogin(tx, name)) === null) return name;
  }
}
