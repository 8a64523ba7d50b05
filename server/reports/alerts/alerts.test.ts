import { expect, test } from 'vitest';
import { day, hour, minute } from '../../identity/sign-in/testing/sign-in-app.ts';
import { addRun, takeRun } from '../../ingest/runs/run-store.ts';
import { publishEvents } from '../../platform/events/event-store.ts';
import { storedEvents } from '../../testing/stored-events.ts';
import { describeAlerts, namesIn } from './testing/alert-service.ts';

const critical = (title: string, more: object = {}) => ({ title, severity: 'Critical', ...more });
const atOnce = { mode: 'at_once' };
const kbs = 'kb_repository';

describeAlerts('alerts of saved views', (service) => {
  const { app } = service;
  const { operator, stan } = app;
  const query = (text: string, values: unknown[] = []) => app.database.query(text, values);
  const readMailNames = async () =>
    (await service.mails()).map(({ to, text }) => [to, namesIn(text)]);

  test('sends a digest of new records with links at its hour, and never reports older records', async () => {
    await service.write([critical('old')]);
    await service.alert(stan);
    expect(await service.mails()).toEqual([]);
    app.now += hour;
    const releaseDate = Date.UTC(2026, 10, 20);
    await service.write([critical('new 1', { releaseDate }), { title: 'low', severity: 'Low' }]);
    service.toHour(7);
    expect(await service.mails()).toEqual([]);
    service.toHour(8);
    const [mail, ...others] = await service.mails();
    expect(others).toEqual([]);
    expect(mail?.to).toBe('Stan@example.org');
    expect(mail?.subject).toBe("Patch Repository: 1 new record in 'Critical'");
    const [row] = await app.rows("select id from almalinux_patch where title = 'new 1'");
    const url = `https://patch.example.org/patch-repository/almalinux-patch/record/${String(row?.['id'])}`;
    const about = 'Release date: Nov 20, 2026 · Severity: Critical';
    expect(mail?.text).toContain(`* new 1\n  ${about}\n  ${url}`);
    expect(mail?.html).toContain(`<a href="${url}">new 1</a><br>${about}`);
    expect(namesIn(mail?.text)).toEqual(['new 1']);
    expect(mail?.text).toContain(
      '/patch-repository/almalinux-patch?criteria=severity.in.Critical&sort=title&view=',
    );
    // Nothing is new on the next day: no email.
    service.toHour(8);
    expect(await service.mails()).toEqual([]);
  });

  test('makes one event for the owner, however many addresses the email goes to', async () => {
    const furtherAddresses = ['a@example.org', 'b@example.org'];
    const view = await service.alert(operator, { ...atOnce, furtherAddresses });
    await service.write([critical('one'), critical('two'), { title: 'low', severity: 'Low' }]);
    expect(await service.mails()).toHaveLength(3);
    expect(await service.mails()).toEqual([]);
    expect(await storedEvents(app.database)).toEqual([
      [
        'view.records',
        "2 new records in 'Critical'",
        ['one: Severity: Critical', 'two: Severity: Critical'],
      ],
    ]);
    const { objList } = (await operator.get('/events').json) as { objList: object[] };
    expect(objList).toMatchObject([
      { data: { totalCount: 2, subject: { viewId: view.id, list: 'almalinux_patch' } } },
    ]);
    expect(await stan.get('/events').json).toMatchObject({ objList: [] });
  });

  test('sends to the channels that an administrator chose, also without an address', async () => {
    const made = await operator.post('/channels', {
      kind: 'slack',
      name: 'Chat',
      secretAddress: 'https://hooks.slack.com/services/T0/B0/x',
      types: [],
    }).json;
    const { id } = made['channel'] as { id: number };
    const setting = { ...atOnce, ownAddress: false, channels: [id] };
    const view = await service.alert(operator, setting);
    expect(await service.setAlert(stan, await service.view(stan), setting).status).toBe(403);
    const unknown = { ...setting, channels: [id + 1] };
    expect(await service.setAlert(operator, view, unknown).status).toBe(404);
    await service.write([critical('one')]);
    expect(await service.alerts.runDue()).toBe(0);
    await publishEvents(app.database);
    const queued = async () =>
      app.rows('select recipient, subject, channel_id as channel from outbox order by id');
    expect(await queued()).toEqual([
      { recipient: 'Chat', subject: "1 new record in 'Critical'", channel: id },
    ]);
    // A former administrator sends to no channel.
    const setType = (type: string) =>
      query('update users set user_type = $1 where name = $2', [type, 'Operator']);
    await setType('Standard');
    await service.write([critical('two')]);
    await service.alerts.runDue();
    await publishEvents(app.database);
    expect(await queued()).toHaveLength(1);
    await setType('Admin');
    // What happens while its only channel is switched off waits.
    const turn = (enabled: boolean) => operator.put(`/channels/${id}`, { enabled }).json;
    await turn(false);
    await service.write([critical('three')]);
    await service.alerts.runDue();
    await publishEvents(app.database);
    expect(await service.problem()).toContain('its channels are switched off');
    await turn(true);
    await service.alerts.runDue();
    await publishEvents(app.database);
    expect((await queued()).map(({ subject }) => subject)).toEqual([
      "1 new record in 'Critical'",
      "2 new records in 'Critical'",
    ]);
    await operator.delete(`/channels/${id}`);
    expect(await queued()).toEqual([]);
    expect(await app.rows('select channels from view_alert')).toEqual([{ channels: [] }]);
  });

  test('sends an immediate alert after the sync has ended, not while it runs', async () => {
    await service.alert(stan, atOnce);
    const run = (await addRun(app.database, 'almaLinux', 'schedule', service.now))?.id ?? 0;
    await takeRun(app.database, run, service.now);
    await service.write([critical('a')]);
    expect(await service.mails()).toEqual([]);
    await service.write([critical('b')]);
    await query("update sync_run set state = 'succeeded'");
    expect(await service.reportedNames()).toEqual([['a', 'b']]);
    expect(await service.mails()).toEqual([]);
    // A run that changed the list but matched nothing in the view sends nothing.
    await service.write([{ title: 'c', severity: 'Low' }]);
    expect(await service.mails()).toEqual([]);
  });

  test('does not report an older record that matches only since it was changed', async () => {
    await service.write([{ title: 'raised', severity: 'Low' }]);
    await service.alert(stan, atOnce);
    await service.write([critical('raised'), critical('lowered')]);
    await service.write([{ title: 'lowered', severity: 'Low' }, critical('stays')]);
    expect(await service.reportedNames()).toEqual([['stays']]);
  });

  test("evaluates relative times at the check, in the owner's zone", async () => {
    // 21 November, 00:00 in UTC is the evening of the 20th in New York.
    await query("update users set timezone = 'America/New_York' where name = 'Stan'");
    const criteria = 'releaseDate.equal.today';
    await service.alert(stan, { hour: 22, timeZone: 'Asia/Tokyo' }, { criteria });
    const evening = Date.UTC(2026, 10, 21, 3);
    await service.write(
      [19, 20, 21].map((date) => ({
        title: `the ${date}th`,
        releaseDate: Date.UTC(2026, 10, date, 12),
      })),
    );
    app.now = evening - minute;
    expect(await service.mails()).toEqual([]);
    app.now = evening;
    expect(await service.reportedNames()).toEqual([['the 20th']]);
  });

  test('reports a KB once, with its number of new records', async () => {
    const kb = (kbId: string | null, title: string, severity = 'Critical') => ({
      kbId,
      title,
      severity,
    });
    await service.write([kb('KB0', 'before')], kbs);
    await service.alert(stan, {}, { list: kbs });
    const same = [kb('KB1', 'a'), kb('kb1', 'c'), kb('KB1', 'd')];
    await service.write(
      [...same, kb('KB2', 'b'), kb('KB3', 'e', 'Low'), kb('KB0', 'f'), kb(null, 'g')],
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
    expect(namesIn(text)).toEqual(['KB1', 'KB2', 'KB0', 'g']);
  });

  test('lists fifty updates in an email and says how many more there are', async () => {
    await service.alert(stan, {}, { list: kbs });
    const twice = Array.from({ length: 55 }, (_, n) => `KB${100 + n}`).flatMap((kbId) =>
      ['x64', 'x86'].map((platform) => critical(`${kbId} ${platform}`, { kbId })),
    );
    await service.write(twice, kbs);
    service.toHour(8);
    const [mail] = await service.mails();
    expect(mail?.subject).toContain('55 updates in 110 new records');
    expect(namesIn(mail?.text)).toHaveLength(50);
    expect(mail?.text).toContain('\nAnd 5 more.\n');
    expect(mail?.html).toContain('<p>And 5 more.</p>');
  });

  test('reports each record once when several processes check at the same time and one restarts', async () => {
    await service.alert(stan, atOnce);
    const reported: string[] = [];
    for (let round = 0; round < 4; round++) {
      await service.write([critical(`a${round}`), critical(`b${round}`)]);
      const others = [service.startAnother(), service.startAnother()];
      await Promise.all([service.alerts, ...others].map((alerts) => alerts.runDue()));
      reported.push(...(await service.reportedNames()).flat());
    }
    expect(reported).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
  });

  test('reports records written during a check once they are committed, in commit order', async () => {
    await service.alert(stan, atOnce);
    const titles = Array.from({ length: 20 }, (_, n) => [`x${n}`, `y${n}`]);
    const writing = (async () => {
      for (const pair of titles)
        await Promise.all(pair.map((title) => service.write([critical(title)])));
    })();
    const reported: string[] = [];
    for (let look = 0; look < 10; look++) reported.push(...(await service.reportedNames()).flat());
    await writing;
    reported.push(...(await service.reportedNames()).flat());
    expect(reported.toSorted()).toEqual(titles.flat().toSorted());
  });

  test('repeats the records of an unsent email in the next one, only for the recipients it did not reach', async () => {
    const furtherAddresses = ['gone@example.org', 'OPERATOR@example.org'];
    const { id } = await service.alert(operator, { furtherAddresses });
    await service.write([critical('first')]);
    service.toHour(8);
    expect(await readMailNames()).toEqual([['OPERATOR@example.org', ['first']]]);
    for (const wait of [1, 5, 15, 60, 360, 480, 519]) {
      app.now += wait * minute;
      expect(await service.mails()).toEqual([]);
    }
    await service.alerts.runDue();
    const problem = expect.stringMatching(
      /^The email to gone@example.org could not be sent: .*No such mailbox/,
    );
    const listed = await operator.get('/alerts').json;
    expect(listed).toMatchObject({ mailConfigured: true, objList: [{ view: { id }, problem }] });
    // The mailbox exists again.
    await query(
      `update view_alert set further_addresses = '["gone@example.org", "back@example.org"]'`,
    );
    await service.write([critical('second')]);
    service.toHour(8);
    await service.alerts.runDue();
    await query(
      "update outbox set recipient = 'again@example.org' where recipient = 'gone@example.org' and state = 'queued'",
    );
    await service.sender.sendDue();
    expect(service.arrived().map(({ to, text }) => [to, namesIn(text)])).toEqual([
      ['Operator@example.org', ['second']],
      ['back@example.org', ['second']],
      ['again@example.org', ['first', 'second']],
    ]);
    await service.alerts.runDue();
    expect(await app.rows('select 1 from alert_mail')).toEqual([]);
    service.toHour(8);
    expect(await service.mails()).toEqual([]);
  });

  test('does not repeat the records of an email that waits for an unavailable mail server', async () => {
    await service.alert(stan, atOnce);
    service.mailServer.refuseNext(1);
    await service.write([critical('a')]);
    expect(await service.mails()).toEqual([]);
    await service.write([critical('b')]);
    expect(await service.reportedNames()).toEqual([['b']]);
    app.now += minute;
    expect(await service.reportedNames()).toEqual([['a']]);
  });

  test('escapes user and vendor text in headers and markup', async () => {
    const view = await service.view(operator);
    // Written directly, as an earlier version allowed it to be saved.
    await query(`update saved_view set name = $1`, ['Evil\r\nBcc: all@example.org <script>']);
    await service.setAlert(operator, view, atOnce);
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
    expect(namesIn(mail?.text)).toEqual(['<img src=x onerror="alert(1)"> Bcc: you & me']);
  });

  test.each([
    'nobody',
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org,b@example.org',
    '"a b"@example.org>',
  ])('refuses %j as an address', async (address) => {
    const reply = service.setAlert(operator, await service.view(operator), {
      furtherAddresses: [address],
    });
    expect(await reply.refusal).toEqual([422, expect.stringContaining('valid emails')]);
  });

  test('allows further addresses for administrators only, and requires an address', async () => {
    const view = await service.view(stan);
    const set = (change = {}) => service.setAlert(stan, view, change);
    expect(await set({ furtherAddresses: ['x@example.org'] }).status).toBe(403);
    expect(await set({ ownAddress: false }).outcome).toBe('422 no_recipient');
    expect(await set({ hour: 24 }).status).toBe(422);
    expect(await set({ timeZone: 'Mars/Base' }).status).toBe(422);
    await query("update users set email = '', email_folded = '' where name = 'Stan'");
    app.now += 5 * minute;
    expect(await set().outcome).toBe('422 no_address');
  });

  const setAddress = (name: string, email: string) =>
    query('update users set email = $2, email_folded = $2 where name = $1', [name, email]);

  test('sends to the own address only after losing the administrator role, and waits without an address', async () => {
    await service.alert(operator, { ...atOnce, furtherAddresses: ['x@example.org'] });
    await query("update users set user_type = 'Standard' where name = 'Operator'");
    await setAddress('Operator', '');
    await service.write([critical('a')]);
    expect(await service.mails()).toEqual([]);
    expect(await service.problem()).toContain('has no address to send to');
    await setAddress('Operator', 'op@example.org');
    expect(await readMailNames()).toEqual([['op@example.org', ['a']]]);
    await service.mails();
    expect(await service.problem()).toBe('');
  });

  test('clears a problem once it is solved, even when there is nothing to report', async () => {
    await service.alert(stan, atOnce);
    await setAddress('Stan', '');
    await service.write([{ title: 'low', severity: 'Low' }]);
    expect(await service.mails()).toEqual([]);
    expect(await service.problem()).toContain('has no address to send to');
    await setAddress('Stan', 'stan@example.org');
    expect(await service.mails()).toEqual([]);
    expect(await service.problem()).toBe('');
  });

  test('removes an alert with its view or its owner, when the view stops being shared, and on request', async () => {
    const left = async () => (await app.rows('select 1 from view_alert')).length;
    const shared = await service.alert(operator, {}, { name: 'Shared', shared: true });
    const own = await service.alert(stan, {}, { name: 'Own' });
    expect(await service.setAlert(stan, shared).status).toBe(200);
    expect(await service.setAlert(operator, own).status).toBe(404);
    expect(await stan.get('/alerts').list).toMatchObject([
      { view: { name: 'Own', list: 'almalinux_patch' }, mode: 'digest', hour: 8, problem: '' },
      { view: { name: 'Shared' } },
    ]);
    await operator.put(`/views/${shared.id}`, { shared: false });
    await service.alerts.runDue();
    expect(await left()).toBe(2);
    await operator.delete(`/views/${shared.id}`);
    expect(await left()).toBe(1);
    const path = `/views/${own.id}/alert`;
    expect(await operator.delete(path).status).toBe(404);
    const message = "The alert of the view 'Own' has been removed.";
    expect(await stan.delete(path).json).toEqual({ message });
    await service.setAlert(stan, own);
    await query("delete from users where name = 'Stan'");
    expect(await left()).toBe(0);
  });

  test('keeps new records while the filter of the view is invalid, until the view is saved again', async () => {
    const { id, search } = await service.alert(stan, atOnce);
    await query(
      `update saved_view set search = jsonb_set(search, '{criteria}', '"wisdom.equal.high"')`,
    );
    await service.write([critical('a')]);
    expect(await service.mails()).toEqual([]);
    expect(await service.problem()).toContain(
      "The view's filter is no longer valid: The field 'wisdom' is not valid",
    );
    await stan.put(`/views/${id}`, { search });
    expect(await service.reportedNames()).toEqual([['a']]);
  });

  test('changes schedule and recipients of an existing alert, and reports nothing twice', async () => {
    const view = await service.alert(stan, atOnce);
    await service.write([critical('a')]);
    expect(await service.mails()).toHaveLength(1);
    await service.write([critical('b')]);
    await service.setAlert(stan, view, { mode: 'digest', hour: 9 });
    expect(await service.mails()).toEqual([]);
    service.toHour(9);
    expect(await service.reportedNames()).toEqual([['b']]);
  });

  test('sends no links without a base URL', async () => {
    await service.alert(stan, atOnce);
    await service.write([critical('a')]);
    await service.startAnother(null).runDue();
    const [mail] = await service.mails();
    expect(mail?.text).toContain('* a\n  Severity: Critical\n');
    expect(mail?.text).not.toContain('http');
    expect(mail?.html).not.toContain('href');
  });

  test('sends everything late in one email if the service was down at the hour', async () => {
    await service.alert(stan);
    await service.write([critical('a')]);
    app.now += day;
    await service.write([critical('b')]);
    app.now += 2 * day + 11 * hour;
    expect(await service.reportedNames()).toEqual([['a', 'b']]);
  });
});
