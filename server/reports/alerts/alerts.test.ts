import { listOfKey } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { addRun, endRun, takeRun } from '../../ingest/sync/run-store.ts';
import { nothingNew } from '../../ingest/sync/testing/nothing-new.ts';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { day, hour, minute, withAlertService } from './testing/alert-service.ts';

const critical = (title: string, more: object = {}) => ({ title, severity: 'Critical', ...more });
const namesIn = (text: string) => [...text.matchAll(/^\* (.*)$/gm)].map(([, name]) => name);

describeWithDatabase('alerts of saved views', (open) => {
  const service = withAlertService(open);
  const tokenOf = (name: string) => service.app.tokenOf(name);

  test('sends a digest of new records with links at its hour, and never reports older records', async () => {
    const token = await tokenOf('stan');
    await service.write([critical('old')]);
    await service.setAlert(token, await service.view(token));
    expect(await service.mails()).toEqual([]);
    service.app.now += hour;
    await service.write([
      critical('new 1', { releaseDate: Date.UTC(2026, 10, 20) }),
      { title: 'low', severity: 'Low' },
    ]);
    service.toHour(7);
    expect(await service.mails()).toEqual([]);
    service.toHour(8);
    const [mail, ...others] = await service.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      to: 'Stan@example.org',
      subject: "Patch Repository: 1 new record in 'Critical'",
    });
    const rows = await queryRows(
      service.app.database,
      IdRow,
      "select id from almalinux_patch where title = 'new 1'",
    );
    const url = `https://patch.example.org/patch-repository/almalinux-patch/record/${rows[0]?.id}`;
    expect(mail?.text).toContain(
      `* new 1\n  Release date: Nov 20, 2026 · Severity: Critical\n  ${url}`,
    );
    expect(mail?.html).toContain(
      `<a href="${url}">new 1</a><br>Release date: Nov 20, 2026 · Severity: Critical`,
    );
    expect(namesIn(mail?.text ?? '')).toEqual(['new 1']);
    expect(mail?.text).toContain(
      '/patch-repository/almalinux-patch?criteria=severity.in.Critical&sort=title&view=',
    );
    // Nothing is new on the next day: no email.
    service.toHour(8);
    expect(await service.mails()).toEqual([]);
  });

  test('sends an immediate alert after the sync has ended, not while it runs', async () => {
    const token = await tokenOf('stan');
    await service.setAlert(token, await service.view(token), { mode: 'at_once' });
    const { database } = service.app;
    const run = await addRun(database, 'almaLinux', 'schedule', service.now);
    await takeRun(database, run?.id ?? 0, service.now);
    await service.write([critical('a')]);
    expect(await service.mails()).toEqual([]);
    await service.write([critical('b')]);
    const counts = { added: 2, changed: 0, withdrawn: 0, unchanged: 0, rejected: 0 };
    await endRun(
      database,
      run?.id ?? 0,
      { state: 'succeeded', message: nothingNew, warnings: [], ...counts },
      service.now,
    );
    expect((await service.mails()).map(({ text }) => namesIn(text))).toEqual([['a', 'b']]);
    expect(await service.mails()).toEqual([]);
    // A run that changed the list but matched nothing in the view sends nothing.
    await service.write([{ title: 'c', severity: 'Low' }]);
    expect(await service.mails()).toEqual([]);
  });

  test('what was there before and meets the criteria only since it was changed is not new', async () => {
    const token = await tokenOf('stan');
    await service.write([{ title: 'raised', severity: 'Low' }]);
    await service.setAlert(token, await service.view(token), { mode: 'at_once' });
    await service.write([critical('raised'), critical('lowered')]);
    await service.write([{ title: 'lowered', severity: 'Low' }, critical('stays')]);
    expect((await service.mails()).map(({ text }) => namesIn(text))).toEqual([['stays']]);
  });

  test("relative times are read at the look, in the owner's zone", async () => {
    const token = await tokenOf('stan');
    // 21 November, 00:00 in UTC is the evening of the 20th in New York.
    await service.app.database.query(
      "update users set timezone = 'America/New_York' where name = 'Stan'",
    );
    await service.setAlert(
      token,
      await service.view(token, { criteria: 'releaseDate.equal.today' }),
      { hour: 22, timeZone: 'Asia/Tokyo' },
    );
    const evening = Date.UTC(2026, 10, 21, 3);
    await service.write([
      { title: 'the 19th', releaseDate: Date.UTC(2026, 10, 19, 12) },
      { title: 'the 20th', releaseDate: Date.UTC(2026, 10, 20, 12) },
      { title: 'the 21st', releaseDate: Date.UTC(2026, 10, 21, 12) },
    ]);
    service.app.now = evening - minute;
    expect(await service.mails()).toEqual([]);
    service.app.now = evening;
    expect((await service.mails()).map(({ text }) => namesIn(text))).toEqual([['the 20th']]);
  });

  test('lists fifty rows in an email and says how many more there are', async () => {
    const token = await tokenOf('stan');
    await service.setAlert(token, await service.view(token));
    await service.write(
      Array.from({ length: 53 }, (_, n) => critical(`r${String(n).padStart(2, '0')}`)),
    );
    service.toHour(8);
    const [mail] = await service.mails();
    expect(mail?.subject).toBe("Patch Repository: 53 new records in 'Critical'");
    expect(namesIn(mail?.text ?? '')).toHaveLength(50);
    expect(mail?.text).toContain('\nAnd 3 more.\n');
    expect(mail?.html).toContain('<p>And 3 more.</p>');
  });

  test('reports a KB once, with its number of new records', async () => {
    const kbs = listOfKey('kb_repository');
    const kb = (kbId: string | null, title: string, severity = 'Critical') => ({
      kbId,
      title,
      severity,
    });
    await service.write([kb('KB0', 'before')], kbs);
    const token = await tokenOf('stan');
    await service.setAlert(token, await service.view(token, { list: kbs.key }));
    await service.write(
      [
        kb('KB1', 'a'),
        kb('KB2', 'b'),
        kb('kb1', 'c'),
        kb('KB1', 'd'),
        kb('KB3', 'e', 'Low'),
        kb('KB0', 'f'),
        kb(null, 'g'),
      ],
      kbs,
    );
    service.toHour(8);
    const [mail, ...others] = await service.mails();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("Patch Repository: 4 updates in 6 new records in 'Critical'");
    const text = mail?.text.replaceAll(/\n +/g, '\n') ?? '';
    expect(text).toContain("The view 'Critical' of KB base shows 4 updates in 6 new records.");
    expect(text).toContain('* KB1\nTitle: a · Severity: Critical · and 2 more records\n');
    expect(text).toContain('* KB2\nTitle: b · Severity: Critical\n');
    expect(text.match(/^\* .*$/gm)).toEqual(['* KB1', '* KB2', '* KB0', '* g']);
  });

  test('counts updates, not records, for what does not fit in an email', async () => {
    const kbs = listOfKey('kb_repository');
    const token = await tokenOf('stan');
    await service.setAlert(token, await service.view(token, { list: kbs.key }));
    const twice = Array.from({ length: 55 }, (_, n) => `KB${100 + n}`).flatMap((kbId) => [
      { kbId, title: `${kbId} x64`, severity: 'Critical' },
      { kbId, title: `${kbId} x86`, severity: 'Critical' },
    ]);
    await service.write(twice, kbs);
    service.toHour(8);
    const [mail] = await service.mails();
    expect(mail?.subject).toContain('55 updates in 110 new records');
    expect(mail?.text.match(/^\* /gm)).toHaveLength(50);
    expect(mail?.text).toContain('And 5 more.');
  });

  test('reports each record once when several processes check at the same time and one restarts', async () => {
    const token = await tokenOf('stan');
    await service.setAlert(token, await service.view(token), { mode: 'at_once' });
    const told: (string | undefined)[] = [];
    for (let round = 0; round < 4; round++) {
      await service.write([critical(`a${round}`), critical(`b${round}`)]);
      await Promise.all([
        service.alerts.runDue(),
        service.another().runDue(),
        service.another().runDue(),
      ]);
      told.push(...(await service.mails()).flatMap(({ text }) => namesIn(text)));
    }
    expect(told).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
  });

  test('reports records written during a check once they are committed, in commit order', async () => {
    const token = await tokenOf('stan');
    await service.setAlert(token, await service.view(token), { mode: 'at_once' });
    const told: (string | undefined)[] = [];
    const writing = (async () => {
      for (let n = 0; n < 20; n++)
        await Promise.all([service.write([critical(`x${n}`)]), service.write([critical(`y${n}`)])]);
    })();
    for (let look = 0; look < 10; look++)
      told.push(...(await service.mails()).flatMap(({ text }) => namesIn(text)));
    await writing;
    told.push(...(await service.mails()).flatMap(({ text }) => namesIn(text)));
    const all = Array.from({ length: 20 }, (_, n) => [`x${n}`, `y${n}`]).flat();
    expect(told).toHaveLength(40);
    expect(new Set(told)).toEqual(new Set(all));
  });

  test('repeats the records of an unsent email in the next one, only for the recipients it did not reach', async () => {
    const token = await tokenOf('operator');
    const view = await service.view(token);
    await service.setAlert(token, view, {
      furtherAddresses: ['gone@example.org', 'OPERATOR@example.org'],
    });
    await service.write([critical('first')]);
    service.toHour(8);
    expect((await service.mails()).map(({ to, text }) => [to, namesIn(text)])).toEqual([
      ['OPERATOR@example.org', ['first']],
    ]);
    for (const wait of [1, 5, 15, 60, 360]) {
      service.app.now += wait * minute;
      expect(await service.mails()).toEqual([]);
    }
    await service.alerts.runDue();
    const { json } = await service.app.ask('GET', '/alerts', { token: await tokenOf('operator') });
    expect(json).toMatchObject({
      mailConfigured: true,
      objList: [
        {
          view: { id: view.id },
          problem: expect.stringMatching(
            /^The mail to gone@example.org could not be sent: .*No such mailbox/,
          ),
        },
      ],
    });
    // The mailbox exists again.
    await service.app.database.query(
      `update view_alert set further_addresses = '["gone@example.org", "back@example.org"]'`,
    );
    await service.write([critical('second')]);
    service.toHour(8);
    await service.alerts.runDue();
    await service.app.database.query(
      "update mail_outbox set recipient = 'again@example.org' where recipient = 'gone@example.org' and state = 'queued'",
    );
    await service.sender.sendDue();
    expect(service.arrived().map(({ to, text }) => [to, namesIn(text)])).toEqual([
      ['Operator@example.org', ['second']],
      ['back@example.org', ['second']],
      ['again@example.org', ['first', 'second']],
    ]);
    await service.alerts.runDue();
    expect((await service.app.database.query('select 1 from alert_mail')).rows).toEqual([]);
    service.toHour(8);
    expect(await service.mails()).toEqual([]);
  });

  test('does not repeat the records of an email that waits for an unavailable mail server', async () => {
    const token = await tokenOf('stan');
    await service.setAlert(token, await service.view(token), { mode: 'at_once' });
    service.mailServer.refuseNext(1);
    await service.write([critical('a')]);
    expect(await service.mails()).toEqual([]);
    await service.write([critical('b')]);
    expect((await service.mails()).map(({ text }) => namesIn(text))).toEqual([['b']]);
    service.app.now += minute;
    expect((await service.mails()).map(({ text }) => namesIn(text))).toEqual([['a']]);
  });

  test('escapes user and vendor text in headers and markup', async () => {
    const token = await tokenOf('operator');
    const view = await service.view(token);
    // As an earlier version allowed it to be saved.
    await service.app.database.query(`update saved_view set name = $1`, [
      'Evil\r\nBcc: all@example.org <script>',
    ]);
    await service.setAlert(token, view, { mode: 'at_once' });
    await service.write([critical('<img src=x onerror="alert(1)">\r\n\r\nBcc: you & me')]);
    const [mail] = await service.mails();
    expect(mail?.subject).toBe(
      "Patch Repository: 1 new record in 'Evil Bcc: all@example.org <script>'",
    );
    expect(mail?.headers).not.toMatch(/^bcc:/im);
    expect(mail?.html).toContain(
      '&lt;img src=x onerror=&quot;alert(1)&quot;&gt; Bcc: you &amp; me',
    );
    expect(mail?.html).not.toMatch(/<img|<script/);
    expect(namesIn(mail?.text ?? '')).toEqual(['<img src=x onerror="alert(1)"> Bcc: you & me']);
  });

  test.each([
    'nobody',
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org,b@example.org',
    '"a b"@example.org>',
  ])('%j is no address', async (address) => {
    const token = await tokenOf('operator');
    const { status, json } = await service.setAlert(token, await service.view(token), {
      furtherAddresses: [address],
    });
    expect([status, json['userMessage']]).toEqual([422, expect.stringContaining('valid emails')]);
  });

  test('allows further addresses for administrators only, and requires an address', async () => {
    const token = await tokenOf('stan');
    const view = await service.view(token);
    expect(
      await service.setAlert(token, view, { furtherAddresses: ['x@example.org'] }),
    ).toMatchObject({ status: 403 });
    expect(await service.setAlert(token, view, { ownAddress: false })).toMatchObject({
      status: 422,
      json: { code: 'no_recipient' },
    });
    expect(await service.setAlert(token, view, { hour: 24 })).toMatchObject({ status: 422 });
    expect(await service.setAlert(token, view, { timeZone: 'Mars/Base' })).toMatchObject({
      status: 422,
    });
    await service.app.database.query(
      "update users set email = '', email_folded = '' where name = 'Stan'",
    );
    expect(await service.setAlert(await tokenOf('stan'), view)).toMatchObject({
      status: 422,
      json: { code: 'no_address' },
    });
  });

  test('sends to the own address only after losing the administrator role, and waits without an address', async () => {
    const token = await tokenOf('operator');
    await service.setAlert(token, await service.view(token), {
      mode: 'at_once',
      furtherAddresses: ['x@example.org'],
    });
    await service.app.database.query(
      "update users set user_type = 'Standard', email = '', email_folded = '' where name = 'Operator'",
    );
    await service.write([critical('a')]);
    expect(await service.mails()).toEqual([]);
    const problem = async () =>
      (
        await queryRows(
          service.app.database,
          z.object({ problem: z.string() }),
          'select problem from view_alert',
        )
      )[0]?.problem;
    expect(await problem()).toContain('There is no address');
    await service.app.database.query(
      "update users set email = 'op@example.org', email_folded = 'op@example.org' where name = 'Operator'",
    );
    expect((await service.mails()).map(({ to, text }) => [to, namesIn(text)])).toEqual([
      ['op@example.org', ['a']],
    ]);
    await service.mails();
    expect(await problem()).toBe('');
  });

  test('clears a problem once it is solved, even when there is nothing to report', async () => {
    const token = await tokenOf('stan');
    await service.setAlert(token, await service.view(token), { mode: 'at_once' });
    const address = (email: string) =>
      service.app.database.query(
        `update users set email = $1, email_folded = lower($1) where name = 'Stan'`,
        [email],
      );
    const problem = async () =>
      (
        await queryRows(
          service.app.database,
          z.object({ problem: z.string() }),
          'select problem from view_alert',
        )
      )[0]?.problem;
    await address('');
    await service.write([{ title: 'low', severity: 'Low' }]);
    expect(await service.mails()).toEqual([]);
    expect(await problem()).toContain('There is no address');
    await address('stan@example.org');
    expect(await service.mails()).toEqual([]);
    expect(await problem()).toBe('');
  });

  test('removes an alert with its view or its owner, when the view is no longer shared, and on request', async () => {
    const [operator, stan] = [await tokenOf('operator'), await tokenOf('stan')];
    const left = async () =>
      (await service.app.database.query('select 1 from view_alert')).rows.length;
    const shared = await service.view(operator, { name: 'Shared', shared: true });
    const own = await service.view(stan, { name: 'Own' });
    expect(await service.setAlert(stan, shared)).toMatchObject({ status: 200 });
    await service.setAlert(stan, own);
    await service.setAlert(operator, shared);
    expect(await service.setAlert(operator, own)).toMatchObject({ status: 404 });
    expect((await service.app.ask('GET', '/alerts', { token: stan })).json).toMatchObject({
      totalCount: 2,
      objList: [
        { view: { name: 'Own', list: 'almalinux_patch' }, mode: 'digest', hour: 8, problem: '' },
        { view: { name: 'Shared' } },
      ],
    });
    await service.app.ask('PUT', `/views/${shared.id}`, {
      token: operator,
      body: { shared: false },
    });
    await service.alerts.runDue();
    expect(await left()).toBe(2);
    await service.app.ask('DELETE', `/views/${shared.id}`, { token: operator });
    expect(await left()).toBe(1);
    expect(
      await service.app.ask('DELETE', `/views/${own.id}/alert`, { token: operator }),
    ).toMatchObject({ status: 404 });
    expect(
      (await service.app.ask('DELETE', `/views/${own.id}/alert`, { token: stan })).json,
    ).toEqual({
      message: "The alert of the view 'Own' has been removed.",
    });
    await service.setAlert(stan, own);
    await service.app.database.query("delete from users where name = 'Stan'");
    expect(await left()).toBe(0);
  });

  test('keeps new records while the filter of the view is invalid, until the view is saved again', async () => {
    const token = await tokenOf('stan');
    const view = await service.view(token);
    await service.setAlert(token, view, { mode: 'at_once' });
    await service.app.database.query(
      `update saved_view set search = jsonb_set(search, '{criteria}', '"wisdom.equal.high"')`,
    );
    await service.write([critical('a')]);
    expect(await service.mails()).toEqual([]);
    expect((await service.app.ask('GET', '/alerts', { token })).json).toMatchObject({
      objList: [
        {
          problem: expect.stringContaining(
            "The view's filter is no longer valid: The field 'wisdom' is not valid",
          ),
        },
      ],
    });
    await service.app.ask('PUT', `/views/${view.id}`, { token, body: { search: view.search } });
    expect((await service.mails()).map(({ text }) => namesIn(text))).toEqual([['a']]);
  });

  test('changes schedule and recipients of an existing alert, and reports nothing twice', async () => {
    const token = await tokenOf('stan');
    const view = await service.view(token);
    await service.setAlert(token, view, { mode: 'at_once' });
    await service.write([critical('a')]);
    expect(await service.mails()).toHaveLength(1);
    await service.write([critical('b')]);
    await service.setAlert(token, view, { mode: 'digest', hour: 9 });
    expect(await service.mails()).toEqual([]);
    service.toHour(9);
    expect((await service.mails()).map(({ text }) => namesIn(text))).toEqual([['b']]);
  });

  test('sends no links without a base URL', async () => {
    const token = await tokenOf('stan');
    await service.setAlert(token, await service.view(token), { mode: 'at_once' });
    await service.write([critical('a')]);
    await service.another(null).runDue();
    const [mail] = await service.mails();
    expect(mail?.text).toContain('* a\n  Severity: Critical\n');
    expect(mail?.text).not.toContain('http');
    expect(mail?.html).not.toContain('href');
  });

  test('sends everything late in one email if the service was down at the hour', async () => {
    const token = await tokenOf('stan');
    await service.setAlert(token, await service.view(token));
    await service.write([critical('a')]);
    service.app.now += day;
    await service.write([critical('b')]);
    service.app.now += 2 * day + 11 * hour;
    expect((await service.mails()).map(({ text }) => namesIn(text))).toEqual([['a', 'b']]);
  });
});
