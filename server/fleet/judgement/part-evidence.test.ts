/** The evidence of a part that a plan reads is that of its judgement, however little of it is stored. */
import type { FixEvidence } from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { readEvidenceOfParts, replaceFindingsOfParts } from './part-missing-store.ts';

const evidence: readonly FixEvidence[] = [
  {
    name: 'libssl3',
    architecture: 'amd64',
    installed: '3.0.1-1',
    fixed: '3.0.2-1',
    source: { installed: '3.0.1', fixed: '3.0.2' },
    install: { name: 'libssl3', version: '3.0.2-1' },
  },
  {
    name: 'openssl',
    architecture: null,
    installed: '3.0.1-1',
    fixed: '3.0.2',
    install: { name: 'openssl', version: null },
  },
  {
    name: 'KB5000001',
    architecture: null,
    installed: '',
    fixed: '',
    install: { name: 'other', version: '1' },
  },
];

describeWithDatabase('evidence of parts', (open) => {
  test('is read as it was judged', async () => {
    const database = await open();
    const { rows } = await database.query(
      `insert into inventory_part (hash, kind, scope, names, machine) values ('a', 'packages', 'Debian 12', '{openssl}', '{}') returning id`,
    );
    const id = Number(rows[0]?.['id']);
    const part = { id, judgedBefore: false } as never;
    const finding = { partId: id, list: 'debian_patch', recordId: 7, state: 'missing' } as const;
    await database.transaction((tx) =>
      replaceFindingsOfParts(tx, [part], [{ ...finding, evidence }]),
    );
    expect(await readEvidenceOfParts(database, [id])).toEqual([
      {
        partId: id,
        missingId: expect.any(Number),
        list: 'debian_patch',
        recordId: 7,
        kind: 'packages',
        scope: 'Debian 12',
        evidence,
      },
    ]);
  });
});
