/** A dump includes the audit log; the restored chain is the same. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dumpSigner } from '../../operations/backup/database-dump.ts';
import { restoreDump } from '../../operations/backup/restore-dump.ts';
import { withSnapshot } from '../../operations/backup/snapshot.ts';
import { writeDumpFile } from '../../operations/backup/write-dump-file.ts';
import { describeWithDatabase, openEmpty } from '../../testing/databases.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { secretBox } from '../secrets/secret-box.ts';
import { auditKey } from './audit-key.ts';
import { removeOldEntries } from './audit-retention.ts';
import { addEntries, type NewEntry } from './audit-store.ts';
import { serviceEntry } from './service-entry.ts';
import { verifyChain } from './verify-chain.ts';

const key = auditKey(secretBox(Buffer.alloc(32, 5)));
const day = 24 * 3_600_000;

describeWithDatabase('a dump of the audit log', (open) => {
  test('is restored with its chain, and stays closed to changes', async () => {
    const entry = (subject: string, time: number): NewEntry => ({
      ...serviceEntry({ time, action: 'made_up', subject, after: '{"text":"line\\nfeed \\\\N"}' }),
      userId: 1,
      userName: 'Ünï\tcode',
      address: '::1',
      requestId: 'r',
    });
    const now = Date.now();
    const database = await open();
    for (const age of [500, 450, 3, 2, 1])
      await addEntries(database, key, [entry(`${age} days ago \\.`, now - age * day)]);
    expect(await removeOldEntries(database, key, 400, now)).toBe(2);
    const before = await verifyChain(database, key, []);
    expect(before).toMatchObject({ intact: true, firstId: 3, lastId: 6 });

    const signer = dumpSigner(Buffer.alloc(32, 1));
    const trust = { publicKeys: [signer.publicKey], acceptUnsigned: false };
    const path = join(temporaryFolder(onTestFinished), 'dump.sql.gz');
    await withSnapshot(database, (session) => writeDumpFile(session, path, now, signer));
    const copy = await openEmpty();
    onTestFinished(() => copy.close());
    await restoreDump({ database: copy, path, trust, replace: false });
    expect(await verifyChain(copy, key, [])).toEqual(before);
    await expect(copy.query('delete from audit_entry')).rejects.toThrow(
      'neither changed nor removed',
    );
    // With `replace`, a database that has a log already accepts the dump.
    await restoreDump({ database: copy, path, trust, replace: true });
    await addEntries(copy, key, [entry('next', now)]);
    expect(await verifyChain(copy, key, [])).toMatchObject({ intact: true, lastId: 7 });
  });
});
