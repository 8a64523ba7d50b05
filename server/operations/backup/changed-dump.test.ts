/** A dump changed on its way, for example to create an administrator or to run a command on the database's host. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenDatabase } from '../../platform/database/schema/open-database.ts';
import { describeWithDatabase, openEmpty } from '../../testing/databases.ts';
import { buildUser } from '../../testing/factories.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { dumpSigner, signedText, writeDumpFile } from './database-dump.ts';
import type { DumpTrust } from './dump-signature.ts';
import { withSnapshot } from './dumped-tables-store.ts';
import { restoreDump } from './restore-dump.ts';
import { readExistingTables } from './restored-tables-store.ts';

const signer = dumpSigner(Buffer.alloc(32, 1));
const stranger = dumpSigner(Buffer.alloc(32, 2));
const trust = { publicKeys: [signer.publicKey], acceptUnsigned: false };
const accepting = { ...trust, acceptUnsigned: true };

const folder = temporaryFolder();

/** Returns the lines before the signature with a corrected checksum, which anybody can compute. */
function withoutSignature(text: string): string {
  const lines = text.slice(0, text.lastIndexOf('-- crc32 '));
  return `${lines}-- crc32 ${crc32(lines).toString(16).padStart(8, '0')}\n`;
}

function writeDump(text: string): string {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.sql.gz`);
  writeFileSync(path, gzipSync(text));
  return path;
}

describeWithDatabase('changed dump', (open) => {
  /** A refused dump leaves it empty for the next test; an accepted one stays until the end. */
  let database: OpenDatabase;
  let original: string;
  const ran = join(folder, 'a-command-ran');
  const ofLostHost = join(folder, 'of-a-lost-host.sql.gz');

  beforeAll(async () => {
    const source = await open();
    await buildUser(source, { name: 'Jane' });
    const path = join(folder, 'original.sql');
    await withSnapshot(source, (session) =>
      writeDumpFile(session, path, 1_700_000_000_000, signer),
    );
    await withSnapshot(source, (session) => writeDumpFile(session, ofLostHost, 1, stranger));
    original = readFileSync(path, 'utf8');
    database = await openEmpty();
  });
  afterAll(() => database.close());

  const restore = (text: string, options: DumpTrust = trust) =>
    restoreDump({ database, path: writeDump(text), trust: options, replace: true });
  const expectEmpty = async () => expect((await readExistingTables(database)).names).toEqual([]);
  const makesAdministrator = (text: string) =>
    withoutSignature(text.replace('\tStandard\t', '\tAdmin\t'));
  test('is refused when its signature does not match', async () => {
    expect(original).toContain('\tStandard\t');
    const changed = original.replace('\tStandard\t', '\tAdmin\t');
    for (const options of [trust, accepting]) {
      await expect(restore(changed, options)).rejects.toThrow('was changed after it was signed');
      await expectEmpty();
    }
  });

  test("is refused without a signature, and with a stranger's", async () => {
    const unsigned = makesAdministrator(original);
    await expect(restore(unsigned)).rejects.toThrow('The dump is not signed');
    const signature = stranger.sign(signedText('0'));
    const signedAs = (name: string) => `${unsigned}-- signed ${name} ${signature}\n`;
    await expect(restore(signedAs(stranger.fingerprint))).rejects.toThrow(
      `signed with the key ${stranger.fingerprint}`,
    );
    // The fingerprint alone is not a signature.
    await expect(restore(signedAs(signer.fingerprint), accepting)).rejects.toThrow(
      'was changed after it was signed',
    );
    await expectEmpty();
  });

  const noTable = 'which is not a table of this schema';
  test.each<[string, (text: string) => string, string]>([
    [
      'rows of a table that no migration makes',
      (text) => text.replace('copy "users"', 'copy "pg_authid"'),
      noTable,
    ],
    [
      'rows of a table that every database has its own of',
      (text) => text.replace('copy "users"', 'copy "change_epoch"'),
      noTable,
    ],
    [
      'a column that no migration makes',
      (text) => text.replace('copy "users" ("id"', 'copy "users" ("ident"'),
      'has a column ident',
    ],
    [
      'a sequence of another table',
      (text) => text.replace(`'"users"', 'id'`, `'"users"', 'name'`),
      'has a sequence of users.name',
    ],
    ['migrations of its own', (text) => text.replace('copy "users"', 'copy "migration"'), noTable],
  ])('is refused with %s, even when unsigned dumps are accepted', async (_name, change, words) => {
    const changed = withoutSignature(change(original));
    expect(changed).not.toBe(withoutSignature(original));
    await expect(restore(changed, accepting)).rejects.toThrow(words);
    await expectEmpty();
  });

  test('runs none of its statements and commands, even when unsigned dumps are accepted', async () => {
    const statements = [
      "update users set user_type = 'Admin';",
      `copy (select 1) to program 'touch ${ran}';`,
      `\\! touch ${ran}`,
      "create function f() returns trigger language plpgsql as $$ begin new.user_type := 'Admin'; return new; end $$;\ncreate trigger t before insert on users for each row execute function f();",
    ];
    // A function as the replacement leaves $$ unchanged.
    const text = withoutSignature(
      original.replace('\nbegin;\n', () => `\nbegin;\n\n${statements.join('\n\n')}\n`),
    );
    expect(text).toContain(statements.at(-1));
    await expect(restore(text)).rejects.toThrow('The dump is not signed');
    await expectEmpty();
    await restore(text, accepting);
    const made = `select name from users where user_type = 'Admin' union select proname from pg_proc where proname = 'f'`;
    expect((await database.query(made)).rows).toEqual([]);
    expect(existsSync(ran)).toBe(false);
  });

  test('is verified by the public key of a lost installation', async () => {
    const restoreLost = (publicKeys: readonly string[]) =>
      restoreDump({
        database,
        path: ofLostHost,
        trust: { publicKeys, acceptUnsigned: false },
        replace: true,
      });
    await expect(restoreLost([])).rejects.toThrow('no key is known here');
    await restoreLost([signer.publicKey, stranger.publicKey]);
    expect((await database.query('select name from users')).rows).toEqual([{ name: 'Jane' }]);
  });
});
