/** Passwords as argon2id in PHC string format; hashing runs on the thread pool, so that nobody else waits for it. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createConcurrencyLimiter } from '../../platform/http/concurrency-limiter.ts';

const derive = promisify(argon2);

/** OWASP's least for argon2id: memory in KiB, passes, lanes. */
const strength = { memory: 19_456, passes: 2, parallelism: 1 };

/** Two of the pool's four threads; the files and compression that others wait for have the rest. */
const inTurn = createConcurrencyLimiter({
  maxAtOnce: 2,
  maxWaiting: 200,
  busy: 'Too many people sign in at once.',
});

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const key = await inTurn(() =>
    derive('argon2id', { ...strength, message: message(password), nonce, tagLength: 32 }),
  );
  return `$argon2id$v=19$m=${strength.memory},t=${strength.passes},p=${strength.parallelism}$${base64(nonce)}$${base64(key)}`;
}

/** With null, for an account that does not exist, it takes as long and is never true. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(
    hash ?? nobodysHash,
  );
  if (parts === null)
    throw new Error('A password hash is not in the form in which this server writes it');
  const [, memory, passes, parallelism, nonce = '', kept = ''] = parts;
  const expected = Buffer.from(kept, 'base64');
  const key = await inTurn(() =>
    derive('argon2id', {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      message: message(password),
      nonce: Buffer.from(nonce, 'base64'),
      tagLength: expected.length,
    }),
  );
  return timingSafeEqual(key, expected) && hash !== null;
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

const nobodysHash = `$argon2id$v=19$m=${strength.memory},t=${strength.passes},p=${strength.parallelism}$${base64(randomBytes(16))}$${base64(randomBytes(32))}`;

/** One keyboard writes ü as one character, another as two. */
const message = (password: string) => password.normalize('NFC');
