/** Groups of machines, their owners, and the tags of machines in the complete service. */
import { expect, test } from 'vitest';
import { hour } from '../../identity/sign-in/testing/sign-in-app.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { old, patched, withMachinesOfClients } from '../testing/machines-of-clients.ts';

describeWithDatabase('groups and tags of machines', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator, stan } = service;

  const keys = async (filter: string) =>
    (await fleet.search({ filter })).objList.map((row) => String(row['machineKey'])).toSorted();
  const tagsOf = async (key: string) =>
    (await fleet.search({ filter: `machineKey = '${key}'` })).objList[0]?.['tags'] ?? null;
  const newGroup = async (name: string, criteria: string, owner: object | null = null) =>
    (await operator.post('/machines/groups', { name, criteria, owner }).json) as { id: number };
  const tag = (change: object) => operator.post('/machines/tags', change);

  test('finds the machines that meet the criteria of a group now', async () => {
    await fleet.add('a');
    await fleet.add('b', patched, fleet.south);
    await newGroup('Southern', 'client.equal.South');
    expect(await keys("group = 'southern'")).toEqual(['b']);
    expect(await keys("group != 'Southern'")).toEqual(['a']);
    await fleet.add('c', old, fleet.south);
    expect(await keys("group = 'Southern'")).toEqual(['b', 'c']);
    expect(await stan.get('/machines/groups').list).toMatchObject([
      { name: 'Southern', machines: 2, problem: null, owner: null },
    ]);
  });

  test('finds the records that are missing in a group, and the machines of a group that miss one', async () => {
    await fleet.add('a');
    await fleet.add('b', patched, fleet.south);
    await fleet.judge();
    const { id } = await newGroup('Of South', 'client.equal.South');
    const found = await stan.post('/records/search', { filter: `missingIn = '#${id}'` }).json;
    expect(found['objList']).toMatchObject([{ identifier: 'ALSA-2024:3' }]);
    const expose = (group: string) =>
      stan.get(`/machines/exposure?misses=ALSA-2024:2&group=${encodeURIComponent(group)}`).json;
    expect(await expose('of south')).toMatchObject({ machines: 1, missing: 0, notMissing: 1 });
    expect(await stan.get('/machines/exposure?misses=ALSA-2024:2').json).toMatchObject({
      machines: 2,
      missing: 1,
    });
    expect(await stan.get('/machines/exposure?misses=x&group=nobody').outcome).toBe(
      '404 no_such_group',
    );
  });

  test('sums up the machines of a group alone', async () => {
    await fleet.add('a');
    await fleet.add('b', patched, fleet.south);
    await fleet.judge();
    await newGroup('Summed', 'client.equal.South');
    const { records, ...sums } = await stan.get('/dashboard/machines?group=summed').json;
    expect(sums).toMatchObject({ machines: 1, machinesMissing: 1, missing: 1, missingCritical: 0 });
    expect(records).toMatchObject([{ identifier: 'ALSA-2024:3', machines: 1 }]);
    const all = await stan.get('/dashboard/machines').json;
    expect(all).toMatchObject({ machines: 2, missing: 4, missingCritical: 1 });
  });

  test('has criteria on what is missing', async () => {
    await fleet.add('a');
    await fleet.add('b', patched);
    await fleet.judge();
    await newGroup('Behind', 'misses.in.ALSA-2024:2');
    expect(await keys("group = 'Behind'")).toEqual(['a']);
  });

  test('refuses criteria on groups and criteria that no machine has', async () => {
    const create = (criteria: string) =>
      operator.post('/machines/groups', { name: 'Refused', criteria, owner: null }).outcome;
    expect(await create('group.in.Southern')).toBe('422 unaskable_criteria');
    expect(await create('colour.equal.red')).toBe('422 unaskable_criteria');
    expect(await create('overdue.is_not_null')).toBe('422 unaskable_criteria');
  });

  test('says until when records are due by its policy, and how many of its machines are overdue', async () => {
    const a = await fleet.add('a');
    await fleet.add('b', patched, fleet.south);
    await fleet.judge();
    const duePolicy = { cisa: true, exploited: 730, serious: 730, others: 730 };
    const { id } = await newGroup('Patient', 'client.equal.South');
    const read = async () =>
      (await stan.get('/machines/groups').list).find((one) => one['id'] === id);
    expect(await read()).toMatchObject({ duePolicy: null, machines: 1, overdue: 1 });
    const path = `/machines/groups/${id}`;
    const changed = await operator.put(path, { duePolicy: { ...duePolicy, others: 365 } }).json;
    expect(changed).toMatchObject({ duePolicy: { ...duePolicy, others: 365 }, overdue: 1 });
    const [entry] = await operator.get('/audit?size=1&action=change_machine_group').list;
    expect(entry).toMatchObject({
      before: { duePolicy: null },
      after: { duePolicy: { others: 365 } },
    });
    await operator.put(path, { criteria: '', owner: null }).json;
    expect(await read()).toMatchObject({ duePolicy: { others: 365 }, overdue: 2 });
    const said = async () =>
      (await fleet.missing(a)).objList.map(({ due }) => (due as { evidence: string }).evidence);
    expect(new Set(await said())).toEqual(
      new Set([
        'released 2024-04-01 + 30 days = due 2024-05-01 (by default: another group has no policy)',
        'released 2024-04-01 + 90 days = due 2024-06-30 (by default: another group has no policy)',
      ]),
    );
    for (const group of await stan.get('/machines/groups').list)
      if (group['id'] !== id) await operator.delete(`/machines/groups/${String(group['id'])}`).json;
    expect(await said()).toEqual([
      'released 2024-04-01 + 730 days = due 2026-04-01 (group Patient)',
      'released 2024-04-01 + 730 days = due 2026-04-01 (group Patient)',
      'released 2024-04-01 + 365 days = due 2025-04-01 (group Patient)',
    ]);
    for (const days of [0, 731, 1.5])
      expect(await operator.put(path, { duePolicy: { ...duePolicy, serious: days } }).outcome).toBe(
        '422 invalid_input',
      );
    expect((await operator.put(path, { duePolicy: null }).json)['duePolicy']).toBeNull();
  });

  test('keeps due dates when the criteria of another group are no longer valid', async () => {
    const a = await fleet.add('a');
    await fleet.judge();
    const duePolicy = { cisa: true, exploited: 1, serious: 1, others: 1 };
    const body = { name: 'Invalid', criteria: '', owner: null, duePolicy };
    const { id } = await operator.post('/machines/groups', body).json;
    await service.rows("update machine_group set criteria = 'colour.equal.red' where id = $1", [
      id,
    ]);
    const [{ due } = {}] = (await fleet.missing(a)).objList;
    expect((due as { evidence: string }).evidence).toBe(
      'released 2024-04-01 + 30 days = due 2024-05-01',
    );
    const groups = await stan.get('/machines/groups').list;
    expect(groups.find((one) => one['id'] === id)).toMatchObject({ machines: null, overdue: null });
  });

  test('treats the machines that report with a key of a group as its machines', async () => {
    const body = { name: 'Web', scopes: ['report'], expiresAt: service.now + hour, group: 'Web' };
    const { json } = await operator.post('/me/apikeys', body);
    await service
      .as(String(json['key']))
      .post('/machines/report?key=w&name=web-1&tags=production,dmz', { text: old }).json;
    expect(await keys("group = 'Web'")).toEqual(['w']);
    expect(await tagsOf('w')).toEqual(['dmz', 'production']);
    const group = (await stan.get('/machines/groups').list).find((one) => one['name'] === 'Web');
    expect(group).toMatchObject({ criteria: null, machines: 1 });
    const path = `/machines/groups/${Number(group?.['id'])}`;
    expect(await operator.put(path, { criteria: '' }).outcome).toBe('409 group_reports');
    expect(await operator.delete(path).outcome).toBe('409 group_in_use');
    expect(await operator.put(path, { name: 'Web servers' }).json).toMatchObject({ machines: 1 });
    expect((await fleet.search()).objList).toMatchObject([{ client: 'Web servers' }]);
  });

  test('refuses an enrolment key for a group with criteria', async () => {
    await newGroup('By criteria', '');
    const expiresAt = service.now + hour;
    const body = { name: 'K', scopes: ['report'], expiresAt, group: 'by criteria' };
    expect(await operator.post('/me/apikeys', body).outcome).toBe('409 group_has_criteria');
  });

  test('has a user or an address as its owner, and none after the user is removed', async () => {
    const { id } = await newGroup('Owned', '', { address: 'ops@example.org' });
    const read = async () =>
      (await stan.get('/machines/groups').list).find((one) => one['id'] === id)?.['owner'];
    expect(await read()).toEqual({
      userId: null,
      name: 'ops@example.org',
      address: 'ops@example.org',
    });
    const path = `/machines/groups/${id}`;
    expect(await operator.put(path, { owner: { userId: 999_999 } }).outcome).toBe(
      '404 no_such_user',
    );
    const [user] = await service.rows('select id, name from users order by id');
    await operator.put(path, { owner: { userId: Number(user?.['id']) } }).json;
    expect(await read()).toEqual({
      userId: Number(user?.['id']),
      name: user?.['name'],
      address: null,
    });
    await operator.put(path, { owner: null }).json;
    expect(await read()).toBeNull();
  });

  test('takes the address of the list as criteria, decoded once, and none that is decoded already', async () => {
    await fleet.outcomes(fleet.north, { key: 'a', name: 'a', text: old, tags: ['100%25 sure'] });
    const address = `https://patch.example.com/patch-repository/machines?criteria=tags.in.100%2525%20sure&sort=name`;
    const { id } = await newGroup('Pasted', address);
    const stored = async () =>
      (await stan.get('/machines/groups').list).find((one) => one['id'] === id);
    const expected = { criteria: 'tags.in.100%25 sure', machines: 1, problem: null };
    expect(await stored()).toMatchObject(expected);
    await operator.put(`/machines/groups/${id}`, { name: 'Renamed' }).json;
    expect(await stored()).toMatchObject(expected);
    const refused = operator.put(`/machines/groups/${id}`, { criteria: expected.criteria });
    expect(await refused.refusal).toEqual([422, expect.stringContaining('such as %25: paste')]);
    expect(await tag({ criteria: address, add: ['x'] }).json).toEqual({ machines: 1, changed: 1 });
    const plan = { name: 'P', criteria: address, choice: 'all' };
    expect(await operator.post('/machines/plans', plan).json).toMatchObject({
      criteria: expected.criteria,
      machines: 1,
    });
  });

  test('says why the criteria of a group are no longer valid', async () => {
    const { id } = await newGroup('Outdated', '');
    await service.rows("update machine_group set criteria = 'colour.equal.red' where id = $1", [
      id,
    ]);
    const group = (await stan.get('/machines/groups').list).find((one) => one['id'] === id);
    expect(group?.['machines']).toBeNull();
    expect(group?.['problem']).toContain("'colour'");
  });

  test('adds and removes tags by number or by criteria, and keeps those that a machine reports', async () => {
    const a = await fleet.add('a');
    await fleet.outcomes(fleet.north, { key: 'b', name: 'b', text: old, tags: ['Reported'] });
    expect(await tag({ machines: [a], add: ['production', 'Ankara'] }).json).toEqual({
      machines: 1,
      changed: 1,
    });
    expect(await tagsOf('a')).toEqual(['Ankara', 'production']);
    expect(
      await tag({ criteria: '', add: ['PRODUCTION'], remove: ['ankara', 'reported'] }).json,
    ).toEqual({ machines: 2, changed: 2 });
    expect(await tagsOf('a')).toEqual(['production']);
    expect(await tagsOf('b')).toEqual(['PRODUCTION', 'Reported']);
    expect(await keys("tags = 'production'")).toEqual(['a', 'b']);
    await newGroup('Production', 'tags.in.production');
    expect(await keys("group = 'Production'")).toEqual(['a', 'b']);
  });

  test('says in the audit log which machines were chosen for a tag', async () => {
    const a = await fleet.add('a');
    await tag({ machines: [a], add: ['audited'] }).json;
    const [entry] = await operator.get('/audit?size=1&action=tag_machines').list;
    expect(entry).toMatchObject({
      subject: 'tags of 1 machine',
      after: { machines: [a], add: ['audited'], remove: [] },
    });
  });

  test('refuses the same tag to add and to remove, and criteria with an empty value', async () => {
    const a = await fleet.add('a');
    await tag({ machines: [a], add: ['kept'] }).json;
    const both = { machines: [a], add: ['Ankara', 'KEPT'], remove: ['kept', 'other'] };
    expect(await tag(both).refusal).toEqual([
      422,
      expect.stringContaining('must not add and remove the same tag'),
    ]);
    for (const criteria of ['misses.in.', 'misses.not_in.', 'tags.in.kept*.'])
      expect(await tag({ criteria, add: ['x'] }).outcome).toBe('422 unaskable_criteria');
    expect(await tagsOf('a')).toEqual(['kept']);
  });

  test('keeps the tags of people when the machine reports again', async () => {
    const a = await fleet.add('a');
    await tag({ machines: [a], add: ['kept'] }).json;
    await fleet.outcomes(fleet.north, { key: 'a', name: 'a', text: patched, tags: ['now'] });
    expect(await tagsOf('a')).toEqual(['kept', 'now']);
    await fleet.outcomes(fleet.north, { key: 'a', name: 'a', text: patched });
    expect(await tagsOf('a')).toEqual(['kept']);
  });

  test('changes no machine when one would have too many tags', async () => {
    const [a, b] = [await fleet.add('a'), await fleet.add('b')];
    const many = Array.from({ length: 20 }, (_, at) => `t${at}`);
    await tag({ machines: [b], add: many }).json;
    expect(await tag({ machines: [a, b], add: ['one more'] }).outcome).toBe('422 too_many_tags');
    expect(await tagsOf('a')).toBeNull();
  });
});
