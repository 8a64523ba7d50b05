/** Missing records that an administrator accepts for a machine or a client for a time. */
import { expect, test } from 'vitest';
import { day } from '../../identity/sign-in/testing/sign-in-app.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { old, withMachinesOfClients } from '../testing/machines-of-clients.ts';

describeWithDatabase('accepted records', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator, stan } = service;

  test('count separately until their date, or until the exception is removed', async () => {
    const [one, other] = [await fleet.add('a'), await fleet.add('b')];
    await fleet.judge();
    expect((await fleet.accept(one, { until: service.now })).status).toBe(422);
    const { status, json } = await fleet.accept(one);
    expect([status, json['by']]).toEqual([201, 'Operator']);
    await fleet.judge();
    const counts = async () =>
      (await fleet.search()).objList
        .toSorted((a, b) => Number(a['id']) - Number(b['id']))
        .map((row) => [row['missing'], row['missingCritical'], row['accepted']]);
    const [unaccepted, accepted] = [
      [3, 1, 0],
      [2, 0, 1],
    ];
    expect(await counts()).toEqual([accepted, unaccepted]);
    const exception = {
      kind: 'accepted',
      reason: 'Behind a firewall',
      by: 'Operator',
      owner: { name: 'Operator' },
      scope: 'machine',
    };
    const panel = await fleet.missing(one);
    expect(panel.objList.at(-1)).toMatchObject({
      identifier: 'ALSA-2024:2',
      accepted: exception,
    });
    // Nothing is installed for the sake of an accepted record, nor does one close another.
    expect(panel).toMatchObject({
      install: [{ identifier: 'ALSA-2024:1' }, { identifier: 'ALSA-2024:3' }],
      bands: [{ band: 'serious', missing: 1 }, { band: 'others' }],
    });
    expect((await fleet.machinesMissing('ALSA-2024:2')).objList).toMatchObject([
      { id: one, accepted: true },
      { id: other, accepted: false },
    ]);
    // For all machines of the client, and then expired.
    await fleet.accept(one, { scope: 'client' });
    await fleet.judge();
    const exceptions = () => stan.get(`/machines/exceptions?client=${fleet.northId}`).list;
    const stated = { identifier: 'ALSA-2024:2', reason: 'Behind a firewall', by: 'Operator' };
    expect(await exceptions()).toMatchObject([
      { ...stated, machineId: one },
      { ...stated, machineId: null, scope: 'client', name: 'North' },
    ]);
    expect(await fleet.missing(one)).toMatchObject({ totalCount: 3, acceptedCount: 1 });
    expect(await counts()).toEqual([accepted, accepted]);
    service.now += 2 * day;
    await fleet.judge();
    expect(await exceptions()).toEqual([]);
    expect(await counts()).toEqual([unaccepted, unaccepted]);
    const again = (await fleet.accept(one)).json['exceptionId'];
    await fleet.judge();
    expect(await counts()).toEqual([accepted, unaccepted]);
    expect(await operator.delete(`/machines/exceptions/${Number(again)}`).status).toBe(200);
    await fleet.judge();
    expect(await counts()).toEqual([unaccepted, unaccepted]);
  });

  test('marks and audits clones that alternate with one key once, and shares no exception between them', async () => {
    const report = async (name: string) =>
      (await fleet.outcomes(fleet.north, { key: 'clone', name, text: old }))[0];
    const id = (await report('web-1'))?.id ?? 0;
    await fleet.judge();
    await fleet.accept(id);
    const standing = async () => {
      await fleet.judge();
      const [row] = (await fleet.search()).objList;
      const machines = (await fleet.machinesMissing('ALSA-2024:2')).objList;
      const { acceptedCount } = await fleet.missing(id);
      return [row?.['name'], row?.['sharedKey'], row?.['accepted'], acceptedCount].concat(
        machines.map(({ accepted }) => accepted),
      );
    };
    expect(await standing()).toEqual(['web-1', false, 1, 1, true]);
    expect(await report('web-2')).not.toHaveProperty('namesOfKey');
    expect(await standing()).toEqual(['web-2', false, 0, 0, false]);
    expect(await report('web-1')).toMatchObject({ id, namesOfKey: ['web-1', 'web-2'] });
    expect(await standing()).toEqual(['web-1', true, 1, 1, true]);
    expect(await report('web-2')).not.toHaveProperty('namesOfKey');
    expect(await standing()).toEqual(['web-2', true, 0, 0, false]);
    const entries = await service.rows(
      `select action, client_name, after_json from audit_entry where subject = 'several machines report the key clone'`,
    );
    expect(entries).toEqual([
      {
        action: 'report_machines',
        client_name: 'North',
        after_json: '{"names":["web-1","web-2"]}',
      },
    ]);
    // From now on one machine alone reports the key.
    await fleet.maintain(90, service.now + 31 * day);
    expect((await fleet.search()).objList).toMatchObject([{ sharedKey: false }]);
  });
});
