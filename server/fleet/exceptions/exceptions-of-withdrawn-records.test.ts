/** Exceptions whose record the vendor lists no more. */
import { expect, test } from 'vitest';
import { day } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { storedEvents } from '../../testing/stored-events.ts';
import { withMachinesOfClients } from '../testing/machines-of-clients.ts';

describeWithDatabase('exceptions of withdrawn records', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;

  test('are not valid while the record is withdrawn, keep its name, and end without a word', async () => {
    const { database } = service;
    const record = erratum('ALSA-2024:9', 'Important', [['bash', '4.4.20-9.el8']]);
    await writeRecords(database, 'almalinux_patch', [record]);
    const id = await fleet.add('a');
    await fleet.judge();
    const recordId = await fleet.recordId('ALSA-2024:9');
    const until = service.now + 5 * day;
    await fleet.accept(id, { recordId, until });
    const page = async (query = '') => {
      const { json } = await service.stan.get(`/machines/exceptions${query}`);
      return json as unknown as { objList: Record<string, unknown>[]; counts: object };
    };
    const listed = { identifier: 'ALSA-2024:9', holds: true, withdrawnTime: null };
    expect(await page()).toMatchObject({ objList: [listed], counts: { accepted: 1, endSoon: 1 } });

    await withdrawRecords(database, 'almalinux_patch', [recordId], service.now);
    await fleet.judge();
    expect(await page()).toMatchObject({ objList: [], counts: { accepted: 0, endSoon: 0 } });
    expect((await page('?endedWithin=1')).objList).toMatchObject([
      { identifier: 'ALSA-2024:9', holds: false, withdrawnTime: service.now },
    ]);

    await writeRecords(database, 'almalinux_patch', [record], service.now + 1);
    expect((await page()).objList).toMatchObject([listed]);

    await withdrawRecords(database, 'almalinux_patch', [recordId], service.now + 2);
    await database.script('delete from event');
    service.now = until;
    await fleet.judge();
    const types = (await storedEvents(database)).map(([type]) => type);
    expect(types.filter((type) => String(type).startsWith('exception'))).toEqual([]);
  });
});
