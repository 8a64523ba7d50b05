import type { AuditRecord, AuditVerification } from '@patch/contract/operations/audit-endpoints.ts';
import { beforeEach, expect, test } from 'vitest';
import { day, describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { buildEmailConfig, buildUser, password } from '../../testing/factories.ts';
import { auditKey } from './audit-hash.ts';
import { addEntries, type NewEntry } from './audit-store.ts';
import { removeOldEntries, serviceEntry } from './service-entry.ts';

const mail = buildEmailConfig({ server: 'smtp.example.org', password: 'hunter2' });

describeApp('the audit log', (service) => {
  const { operator, stan } = service;
  const add = (...added: NewEntry[]) => addEntries(service.database, auditKey(service.box), added);
  const removeOld = (now = service.now) =>
    removeOldEntries(service.database, auditKey(service.box), 400, now);

  /** Acts as an attacker with access to the database. */
  const tamper = (statement: string) =>
    service.database.script(
      `alter table audit_entry disable trigger audit_entry_stays; ${statement}; alter table audit_entry enable trigger audit_entry_stays;`,
    );

  beforeEach(async () => {
    await empty();
    await operator.token();
  });

  async function entries(query = ''): Promise<AuditRecord[]> {
    const { status, json } = await operator.get(`/audit?${query}`);
    expect(status, JSON.stringify(json)).toBe(200);
    return json['objList'] as AuditRecord[];
  }
  const verify = async () =>
    (await operator.post('/audit/verify', {}).json) as unknown as AuditVerification;
  const empty = () =>
    tamper(
      `delete from audit_entry; update audit_chain set last_id = 0, last_hash = '', removed_id = 0, removed_hash = ''`,
    );
  const plain = (subject: string, more: Partial<NewEntry> = {}): NewEntry => ({
    ...serviceEntry({ time: service.now, action: 'made_up', subject }),
    userId: 1,
    userName: 'Operator',
    address: '192.0.2.1',
    requestId: 'r',
    ...more,
  });

  test('records an action with actor, subject, before, after, address, time and request id, and masks secrets', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' };
    const first = await operator.post('/emailconfig', mail, from);
    const second = await operator.post('/emailconfig', { ...mail, port: 587 }, from);
    expect([first.status, second.status]).toEqual([200, 200]);
    const [changed, made] = await entries('action=save_email_config');
    expect(made).toMatchObject({
      before: null,
      after: { server: 'smtp.example.org', port: 25, password: '•••' },
    });
    expect(changed).toMatchObject({
      userName: 'Operator',
      keyName: null,
      clientName: null,
      action: 'save_email_config',
      summary: 'Set the email configuration',
      subject: 'email configuration',
      before: { port: 25, passwordSet: true },
      after: { port: 587, password: '•••' },
      parameters: null,
      address: '198.51.100.7',
      requestId: second.headers['x-request-id'],
      time: service.now,
      outcome: 'done',
      code: '',
    });
    expect(JSON.stringify(await entries())).not.toContain('hunter2');
  });

  test('records refused actions with the reason and the request', async () => {
    expect(await operator.post('/emailconfig', { ...mail, password: 4711 }).status).toBe(422);
    expect(await entries('outcome=refused')).toMatchObject([
      { parameters: { body: { password: '•••' } } },
    ]);
    await empty();
    expect(await operator.post('/emailconfig', { ...mail, port: 0 }).status).toBe(422);
    expect(await entries('outcome=refused')).toMatchObject([
      {
        action: 'save_email_config',
        outcome: 'refused',
        code: 'invalid_input',
        subject: '',
        parameters: { body: { port: 0, password: '•••' } },
      },
    ]);
    await operator.post('/windows/patchsync/cancel?service=wsus');
    // The sync of these tests fails.
    expect((await entries('action=cancel_sync'))[0]).toMatchObject({
      subject: 'service wsus',
      outcome: 'failed',
      code: 'internal_error',
      parameters: { in: { prefix: 'windows', service: 'wsus' } },
    });
  });

  test('records sign-ins, failures, lockouts and sign-outs, never what was typed', async () => {
    await stan.token();
    await service.signIn('Stan', 'not his password');
    await service.signIn('my secret password', 'x');
    for (let n = 0; n < 6; n++) await service.signIn('Stan', 'guess', { from: '203.0.113.9' });
    await stan.post('/signout');
    const recorded = (await entries('size=100')).toReversed().slice(1);
    expect(
      recorded.map(({ userName, action, subject, code }) => [userName, action, subject, code]),
    ).toEqual([
      ['Stan', 'authenticate', 'user Stan', ''],
      [null, 'authenticate', 'user Stan', 'wrong_credentials'],
      [null, 'authenticate', 'an unknown user', 'wrong_credentials'],
      ...Array.from({ length: 5 }, () => [null, 'authenticate', 'user Stan', 'wrong_credentials']),
      [null, 'authenticate', 'user Stan', 'locked_out'],
      ['Stan', 'sign_out', 'user Stan', ''],
    ]);
    expect(JSON.stringify(recorded)).not.toMatch(/my secret|guess|not his/);
  });

  test('records a password change and a refused attempt', async () => {
    for (const oldPassword of ['wrong', password])
      await stan.post('/user/changepassword', { oldPassword, newPassword: 'New-Horse-99' });
    const about = { userName: 'Stan', subject: 'password of user Stan' };
    expect(await entries('action=change_password')).toMatchObject([
      { ...about, outcome: 'done' },
      { ...about, outcome: 'refused', code: 'wrong_password' },
    ]);
    expect(JSON.stringify(await entries())).not.toContain('New-Horse');
  });

  test('records neither reads nor changes to personal preferences', async () => {
    const before = (await entries()).length;
    await operator.get('/emailconfig');
    await operator.post('/linux/almalinux/search', {});
    expect(await entries()).toHaveLength(before);
  });

  test('lists the newest entries first, in pages, and applies every filter', async () => {
    for (let n = 0; n < 25; n++)
      await add(
        plain(`Source Ünï ${n}`, {
          time: n * 1000,
          requestId: `r${n}`,
          keyName: n % 2 === 0 ? 'CI Key' : null,
          clientName: n === 3 ? 'ACME' : null,
        }),
      );
    const seen: number[] = [];
    let next: unknown = '';
    do {
      const from = next === '' ? '' : `&olderThan=${String(next)}`;
      const { json } = await operator.get(`/audit?size=10&action=made_up${from}`);
      seen.push(...(json['objList'] as AuditRecord[]).map(({ time }) => time / 1000));
      next = json['next'];
    } while (next !== null);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => 24 - n));
    const times = async (query: string) => (await entries(query)).map(({ time }) => time / 1000);
    expect(await times('from=5000&to=8000')).toEqual([7, 6, 5]);
    expect(await times('user=acm')).toEqual([3]);
    expect(await times('user=ci%20key&size=3')).toEqual([24, 22, 20]);
    expect(await times('subject=%C3%BCN%C3%8F%2012')).toEqual([12]);
    expect(await times('requestId=r4')).toEqual([4]);
    expect(await times('subject=100%25')).toEqual([]);
    expect(await operator.get('/audit/actions').list).toEqual([
      { action: 'authenticate', summary: expect.any(String) },
      { action: 'made_up', summary: 'made_up' },
    ]);
    expect(await operator.get('/audit?who=me').status).toBe(422);
  });

  test.each(['user', 'subject', 'action', 'requestId'])(
    'rejects a filter by %s that no text can match, with a message',
    async (name) => {
      const words = `${name} must be one line without control or invisible characters.`;
      const refusal = [422, expect.stringContaining(words)];
      expect(await operator.get(`/audit?${name}=a%00b`).refusal).toEqual(refusal);
      for (const text of ['a\0b', 'a\ud800b']) {
        const body = { format: 'csv', filter: { [name]: text } };
        expect(await operator.post('/audit/export', body).refusal).toEqual(refusal);
      }
    },
  );

  test('refuses to change or remove an entry, even for the database owner', async () => {
    for (const statement of [
      "update audit_entry set subject = 'x'",
      'delete from audit_entry',
      'truncate audit_entry',
      'delete from audit_entry where id = 1',
    ])
      await expect(service.database.query(statement), statement).rejects.toThrow(
        'neither changed nor removed',
      );
    await expect(
      service.database.query('select * from audit_remove_before($1)', [Date.now()]),
    ).rejects.toThrow('last day');
    expect(await entries()).toHaveLength(1);
  });

  test('keeps entries written at the same time by two processes in one chain', async () => {
    const other = await service.start();
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        n % 3 === 0
          ? add(plain(`a ${n}`), plain(`b ${n}`))
          : operator.at(n % 2 === 0 ? other : service.app).post('/audit/verify', {}),
      ),
    );
    await other.close();
    const found = await verify();
    expect(found).toMatchObject({
      intact: true,
      firstBroken: null,
      firstId: 1,
      checked: 41,
      lastId: 41,
    });
    expect(found.lastHash).toMatch(/^[\da-f]{64}$/);
    expect((await entries('size=100')).map(({ id }) => id)).toEqual(
      Array.from({ length: 42 }, (_, n) => 42 - n),
    );
  });

  test.each([
    [
      "update audit_entry set subject = 'another' where id = 4",
      { id: 4, reason: 'It was changed after it was written.' },
    ],
    [
      "update audit_entry set subject_folded = 'hidden' where id = 4",
      { id: 4, reason: 'Its searchable text was changed.' },
    ],
    [
      "update audit_entry set hash = repeat('0', 64) where id = 4",
      { id: 4, reason: 'It was changed after it was written.' },
    ],
    ['delete from audit_entry where id = 4', { id: 4, reason: 'Entry 4 is missing.' }],
    [
      'delete from audit_entry where id in (1, 2)',
      { id: 1, reason: 'The entries 1 to 2 are missing.' },
    ],
    ['delete from audit_entry where id > 7', { id: 8, reason: 'The entries 8 to 9 are missing.' }],
    ['delete from audit_entry', { id: 1, reason: 'The entries 1 to 9 are missing.' }],
    [
      "update audit_chain set last_hash = repeat('0', 64)",
      { id: 9, reason: 'It was rewritten: the chain has a different end.' },
    ],
  ])('detects "%s" by an attacker with database access', async (statement, firstBroken) => {
    for (let n = 0; n < 8; n++) await add(plain(`entry ${n}`));
    expect(await verify()).toMatchObject({ intact: true, checked: 9 });
    await tamper(`delete from audit_entry where id > 9`);
    await service.database.query(
      'update audit_chain set last_id = 9, last_hash = (select hash from audit_entry where id = 9)',
    );
    await tamper(statement);
    expect(await verify()).toMatchObject({ intact: false, firstBroken });
    expect((await entries('action=verify_audit'))[0]).toMatchObject({
      after: { intact: false, firstBroken },
    });
  });

  test('removes entries after the retention time, records that, and keeps the chain valid', async () => {
    const now = service.now;
    for (const age of [500, 401, 400, 399, 1])
      await add(plain(`${age} days`, { time: now - age * day }));
    expect(await removeOld()).toBe(0);
    // The first entry was written when Operator signed in, after the older ones.
    await tamper(`update audit_entry set time = ${now - 600 * day} where id = 1`);
    expect(await removeOld()).toBe(3);
    expect(await removeOld(now + day / 2)).toBe(0);
    const left = await entries('action=made_up');
    expect(left.map(({ subject }) => subject)).toEqual(['1 days', '399 days', '400 days']);
    expect((await entries('action=audit_retention'))[0]).toMatchObject({
      userName: null,
      summary: 'Entries whose time is over are removed',
      subject: '3 entries up to 3',
      parameters: { keptDays: 400 },
      address: '',
    });
    expect(await verify()).toMatchObject({ intact: true, firstId: 4, lastId: 7, checked: 4 });
    // All of them may be removed: the next one follows from the last removed entry.
    await empty();
    await add(plain('old', { time: 0 }), plain('old too', { time: 1 }));
    expect(await removeOld()).toBe(2);
    expect(await verify()).toMatchObject({ intact: true, firstId: 3, checked: 1 });
  });

  test('exports entries as a file with a single-use ticket', async () => {
    await add(plain('=HYPERLINK("x")', { after: '{"port":25}' }), plain('other'));
    for (let n = 0; n < 3; n++)
      await add(...Array.from({ length: 400 }, (_, m) => plain(`many ${n} ${m}`)));
    const fetched = async (body: object) => {
      const { status, json } = await operator.post('/audit/export', body);
      expect(status).toBe(201);
      const { headers, bytes } = await service.anyone.get(String(json['path']));
      expect(await service.anyone.get(String(json['path'])).status).toBe(404);
      expect(headers['content-disposition']).toContain(String(json['fileName']));
      return bytes.toString();
    };
    const csv = await fetched({ format: 'csv', filter: { subject: 'hyperlink' } });
    expect(csv).toMatch(/^\uFEFFEntry,Time,User,/);
    expect(csv).toContain(`"'=HYPERLINK(""x"")"`);
    expect(csv).toContain('"{""port"":25}"');
    const all = JSON.parse(
      await fetched({ format: 'json', filter: { action: 'made_up' } }),
    ) as (AuditRecord & { previousHash: string })[];
    expect(all).toHaveLength(1202);
    expect(all.at(-1)).toMatchObject({
      subject: '=HYPERLINK("x")',
      after: { port: 25 },
      hash: all.at(-2)?.previousHash,
    });
    expect((await entries('action=export_audit'))[0]).toMatchObject({
      after: { format: 'json', filter: { action: 'made_up' } },
    });
    const unknown = { format: 'csv', filter: { who: 1 } };
    expect(await operator.post('/audit/export', unknown).status).toBe(422);
  });

  test.each(["update users set user_type = 'Approver'", 'delete from users'])(
    'exports nothing to a user after "%s"',
    async (change) => {
      await buildUser(service.database, { name: 'Deputy', userType: 'Admin' });
      const deputy = service.as(await service.createToken('Deputy'));
      const body = { format: 'csv', filter: {} };
      const getPath = async () => String((await deputy.post('/audit/export', body).json)['path']);
      expect(await service.anyone.get(await getPath()).status).toBe(200);
      const path = await getPath();
      await service.database.script(`${change} where name = 'Deputy'`);
      expect(await service.anyone.get(path).outcome).toBe('404 no_such_export');
    },
  );

  test('returns 503 for a completed action that cannot be recorded, and logs the entry', async () => {
    const { database } = service;
    const forgetful = await service.start({
      database: {
        ...database,
        transaction: (work) =>
          database.transaction((session) =>
            work({
              ...session,
              query: (text, values) =>
                text.includes('audit_chain')
                  ? Promise.reject(new Error('The disk is full'))
                  : session.query(text, values),
            }),
          ),
      },
    });
    service.lines.length = 0;
    const save = (port: number) =>
      operator.at(forgetful).post('/emailconfig', { ...mail, port }).outcome;
    expect(await save(2525)).toBe('503 audit_unwritten');
    expect(await save(0)).toBe('422 invalid_input');
    const logged = service.lines.filter((line) =>
      line.includes('the audit log could not be written'),
    );
    expect(logged).toHaveLength(2);
    expect(logged[0]).toContain('save_email_config');
    expect(logged.join('')).not.toContain('hunter2');
    // The action itself was completed.
    expect(await operator.get('/emailconfig').json).toMatchObject({ port: 2525 });
    await forgetful.close();
  });
});
