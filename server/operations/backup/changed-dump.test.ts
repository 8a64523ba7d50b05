/** A dump that was changed on its way: it made an administrator and ran a command on the host of the database. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createUser } from '../../identity/accounts/user-store.ts';
import type { Database } from '../../platform/database/database.ts';
import { NameRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { describeWithDatabase, openEmpty, openMigrated } from '../../testing/databases.ts';
import { dumpSigner, signedText } from './database-dump.ts';
import { restoreDump } from './restore-dump.ts';
import { existingTables } from './restored-tables-store.ts';
import { withSnapshot } from './snapshot.ts';
import { writeDumpFile } from './write-dump-file.ts';

const signer = dumpSigner(Buffer.alloc(32, 1));
const stranger = dumpSigner(Buffer.alloc(32, 2));
const trust = { publicKeys: [signer.publicKey], acceptUnsigned: false };
const accepting = { ...trust, acceptUnsigned: true };

const folder = mkdtempSync(join(tmpdir(), 'changed-dump-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The lines before the signature, with the checksum made right again as anybody can. */
function withoutSignature(text: string): string {
  const lines = text.slice(0, text.lastIndexOf('-- crc32 '));
  return `${lines}-- crc32 ${crc32(lines).toString(16).padStart(8, '0')}\n`;
}

function fileOf(text: string): string {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.sql.gz`);
  writeFileSync(path, gzipSync(text));
  return path;
}

describeWithDatabase('a dump that was changed', (open) => {
  let database: Database;
  let original: string;
  const ran = join(folder, 'a-command-ran');

  beforeAll(async () => {
    const source = await open();
    const jane = {
      name: 'Jane',
      email: 'jane@example.org',
      passwordHash: 'hash',
      mustChangePassword: false,
      createdTime: 5,
    };
    await createUser(source, { ...jane, userType: 'Standard' });
    const path = join(folder, 'original.sql');
    await withSnapshot(source, (session) =>
      writeDumpFile(session, path, 1_700_000_000_000, signer),
    );
    original = readFileSync(path, 'utf8');
  });
  beforeEach(async () => {
    database = await open();
    await database.script('drop schema public cascade; create schema public');
  });

  const isEmpty = async () => (await existingTables(database)).names.length === 0;
  const administrators = async () =>
    await queryRows(database, NameRow, "select name from users where user_type = 'Admin'");
  const makesAdministrator = (text: string) =>
    withoutSignature(text.replace('\tStandard\t', '\tAdmin\t'));
  const statements: [string, string][] = [
    ['a statement', "\nupdate users set user_type = 'Admin';\n"],
    ['a command of the database host', `\ncopy (select 1) to program 'touch ${ran}';\n`],
    ['a command of psql', `\n\\! touch ${ran}\n`],
    [
      'a trigger',
      "\ncreate function f() returns trigger language plpgsql as $$ begin new.user_type := 'Admin'; return new; end $$;\ncreate trigger t before insert on users for each row execute function f();\n",
    ],
  ];
  const withStatement = (statement: string) =>
    withoutSignature(original.replace('\nbegin;\n', `\nbegin;\n${statement}`));

  test('is refused when its signature no longer fits', async () => {
    expect(original).toContain('\tStandard\t');
    const changed = original.replace('\tStandard\t', '\tAdmin\t');
    for (const options of [trust, accepting]) {
      await expect(
        restoreDump({ database, path: fileOf(changed), trust: options, replace: true }),
      ).rejects.toThrow('was changed after it was signed');
      expect(await isEmpty()).toBe(true);
    }
  });

  test('is refused without a signature, and with that of a stranger', async () => {
    const unsigned = makesAdministrator(original);
    await expect(
      restoreDump({ database, path: fileOf(unsigned), trust, replace: true }),
    ).rejects.toThrow('The dump is not signed');
    const other = `${unsigned}-- signed ${stranger.fingerprint} ${stranger.sign(signedText('0'))}\n`;
    await expect(
      restoreDump({ database, path: fileOf(other), trust, replace: true }),
    ).rejects.toThrow(`signed with the key ${stranger.fingerprint}`);
    // The fingerprint alone is no signature.
    const named = `${unsigned}-- signed ${signer.fingerprint} ${stranger.sign(signedText('0'))}\n`;
    await expect(
      restoreDump({ database, path: fileOf(named), trust: accepting, replace: true }),
    ).rejects.toThrow('was changed after it was signed');
    expect(await isEmpty()).toBe(true);
  });

  test.each(statements)(
    'with %s runs nothing, even when it is accepted unsigned',
    async (_name, statement) => {
      const path = fileOf(withStatement(statement));
      await expect(restoreDump({ database, path, trust, replace: true })).rejects.toThrow(
        'The dump is not signed',
      );
      await restoreDump({ database, path, trust: accepting, replace: true });
      expect(await administrators()).toEqual([]);
      expect(existsSync(ran)).toBe(false);
      const { rows } = await database.query("select proname from pg_proc where proname = 'f'");
      expect(rows).toEqual([]);
    },
  );

  test.each([
    [
      'rows of a table that no migration makes',
      (text: string) => text.replace('copy "users"', 'copy "pg_authid"'),
      'which is not a table of this schema',
    ],
    [
      'rows of a table that every database has its own of',
      (text: string) => text.replace('copy "users"', 'copy "change_epoch"'),
      'which is not a table of this schema',
    ],
    [
      'a column that no migration makes',
      (text: string) => text.replace('copy "users" ("id"', 'copy "users" ("ident"'),
      'has a column ident',
    ],
    [
      'a sequence of another table',
      (text: string) => text.replace(`'"users"', 'id'`, `'"users"', 'name'`),
      'has a sequence of users.name',
    ],
    [
      'migrations of its own',
      (text: string) => text.replace('copy "users"', 'copy "migration"'),
      'which is not a table of this schema',
    ],
    [
      'rows behind its end',
      (text: string) => `${text}copy "users" ("id") from stdin;\n9\n\\.\n`,
      'Something follows the end',
    ],
  ])('with %s is refused, even when it is accepted unsigned', async (_name, change, words) => {
    const changed = change(withoutSignature(original));
    expect(changed).not.toBe(withoutSignature(original));
    const path = fileOf(
      changed.includes('-- crc32') && !changed.endsWith('\\.\n')
        ? withoutSignature(changed)
        : changed,
    );
    await expect(restoreDump({ database, path, trust: accepting, replace: true })).rejects.toThrow(
      words,
    );
    expect(await isEmpty()).toBe(true);
  });
});

describe('without the key of the installation', () => {
  test('its public key verifies what it wrote', async () => {
    const source = await openMigrated();
    const path = join(folder, 'of-a-lost-host.sql.gz');
    await withSnapshot(source, (session) => writeDumpFile(session, path, 1, stranger));
    await source.close();
    const copy = await openEmpty();
    await expect(
      restoreDump({
        database: copy,
        path,
        trust: { publicKeys: [], acceptUnsigned: false },
        replace: false,
      }),
    ).rejects.toThrow('no key is known here');
    await restoreDump({
      database: copy,
      path,
      trust: { publicKeys: [signer.publicKey, stranger.publicKey], acceptUnsigned: false },
      replace: false,
    });
    await copy.close();
  });
});
