/** Reports by email: once for each moment and address, with the numbers of the page, and with the reason where none is sent. */
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { readCriteria } from '@patch/contract/filter/criteria-text.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import type { GroupReport } from '@patch/contract/reports/group-report-endpoint.ts';
import { maxReportMails, type ReportMail } from '@patch/contract/reports/report-mail-endpoints.ts';
import { exposureFigures, unknownFigures } from '@patch/contract/reports/report-words.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { day, hour } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import type { Session } from '../../platform/database/database.ts';
import { writeEmailConfig } from '../../platform/mail/email-config-store.ts';
import { SearchStore } from '../../records/search/search-store.ts';
import { type Alerts, startAlerts } from '../../reports/alerts/start-alerts.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { buildEmailConfig } from '../../testing/factories.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { missingCriteria } from '../missing/missing-criteria.ts';
import { old, patched, withMachinesOfClients } from '../testing/machines-of-clients.ts';
import { queueReportMails } from './queue-report-mails.ts';

interface Mail {
  readonly kind: string;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly html: string;
}

const { almaLinux } = vendorFeeds;
const machineList = getList('machines');
const weekly = {
  day: 'monday',
  hour: 8,
  timeZone: 'UTC',
  addresses: ['manager@example.org'],
};

describeWithDatabase('reports by email', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator, stan } = service;
  let processes: Alerts[] = [];
  let began = 0;

  const configure = () =>
    writeEmailConfig(service.database, service.box, buildEmailConfig({ server: '127.0.0.1' }));
  const evaluators = () => missingCriteria(service.database, () => service.now);
  /** Starts what queues emails as another process on the same database would. */
  const startAnother = () => {
    const started = startAlerts({
      database: service.database,
      box: service.box,
      feeds: { ...(almaLinux && { almaLinux }) },
      log: service.app.log as never,
      baseUrl: { configured: 'https://patch.example.org', fallback: () => null },
      evaluators: evaluators(),
      clock: () => service.now,
      queueOthers: queueReportMails,
    });
    processes.push(started);
    return started;
  };
  beforeEach(async () => {
    began ||= service.now;
    service.now = began;
    await service.database.script(
      "delete from outbox; delete from report_mail; delete from fleet_day; delete from machine_group where criteria is not null; delete from settings where name = 'email_config'",
    );
    await configure();
    startAnother();
  });
  afterEach(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    processes = [];
  });

  const send = (change: object = {}) =>
    operator.post('/machines/reportmails', { ...weekly, ...change });
  const made = async (change: object = {}) => (await send(change).json) as unknown as ReportMail;
  const shown = async () =>
    (await operator.get('/machines/reportmails').json)['objList'] as ReportMail[];
  const problems = async () => (await shown()).map(({ problem }) => problem);
  const newGroup = async (name: string, criteria: string) =>
    Number((await operator.post('/machines/groups', { name, criteria, owner: null }).json)['id']);
  /** Returns the emails that are queued now and were not before. */
  const queued = async (): Promise<readonly Mail[]> => {
    for (const one of processes) await one.runDue();
    const mails = await service.rows(
      'select kind, recipient, subject, body, html from outbox order by id',
    );
    await service.database.script('delete from outbox');
    return mails as unknown as Mail[];
  };
  const toMoment = (at: ReportMail) => {
    service.now = at.nextAt;
  };

  test('is sent to each address at its moments, and not before', async () => {
    const mail = await made({ addresses: ['a@example.org', 'b@example.org', 'A@example.org'] });
    expect(new Date(mail.nextAt).getUTCDay()).toBe(1);
    service.now = mail.nextAt - 1;
    expect(await queued()).toEqual([]);
    toMoment(mail);
    const mails = await queued();
    expect(mails.map(({ kind, recipient }) => [kind, recipient])).toEqual([
      ['Report', 'A@example.org'],
      ['Report', 'b@example.org'],
    ]);
    expect(await queued()).toEqual([]);
    expect(await shown()).toMatchObject([
      { sentAt: mail.nextAt, nextAt: mail.nextAt + 7 * day, problem: null },
    ]);
    service.now += 7 * day - 1;
    expect(await queued()).toEqual([]);
    service.now += 1;
    expect(await queued()).toHaveLength(2);
  });

  test('sends the last of the moments that were missed, once', async () => {
    const mail = await made();
    service.now = mail.nextAt + 23 * day;
    expect(await queued()).toHaveLength(1);
    expect(await queued()).toEqual([]);
    service.now = mail.nextAt + 28 * day - 1;
    expect(await queued()).toEqual([]);
    service.now += 1;
    expect(await queued()).toHaveLength(1);
  });

  test('is queued once by processes that look at the same time, and after one was killed', async () => {
    toMoment(await made());
    // The process ends before its transaction does.
    const { database } = service;
    await queueReportMails({
      database: {
        query: (...asked: Parameters<Session['query']>) => database.query(...asked),
        transaction: (work: (tx: Session) => Promise<unknown>) =>
          database.transaction(async (tx) => {
            await work(tx);
            throw new Error('killed');
          }),
      } as never,
      store: new SearchStore(database, { evaluators: evaluators() }),
      states: async () => [],
      now: service.now,
      baseUrl: null,
      installation: 'Patch Repository',
      log: { warn: () => undefined },
    });
    expect(await service.rows('select id from outbox')).toEqual([]);
    startAnother();
    await Promise.all(processes.map((one) => one.runDue()));
    expect(await queued()).toHaveLength(1);
  });

  test('has the numbers of the page, each with the link of a list of as many machines', async () => {
    const group = await newGroup('123', 'client.equal.North');
    await fleet.add('web');
    await fleet.add('mail', patched);
    await fleet.add('db');
    await fleet.add('south', old, fleet.south);
    await fleet.judge();
    service.now += 8 * day;
    const web = await fleet.add('web', patched);
    await fleet.add('strange', 'NAME="Alpine"\nID="alpine"\nVERSION_ID="3.20"\nbash-1-1.x86_64\n');
    await fleet.judge();
    const mail = await made({ group: `#${group}`, days: 30 });
    toMoment(mail);
    await fleet.accept(web, { until: service.now + 3 * day, reason: 'A <b>bold</b> reason' });
    await fleet.judge();
    const [sent, ...others] = await queued();
    expect(others).toEqual([]);
    const report = (await stan.get('/dashboard/machines/report?group=123&days=30')
      .json) as unknown as GroupReport;
    const linked = linkedNumbers(sent?.body ?? '');
    const figures = [...exposureFigures, ...unknownFigures];
    expect(linked.map(({ label, count }) => [label, count])).toEqual(
      figures.map(({ name, label }) => [label, report[name].totalCount]),
    );
    for (const { label, count, criteria } of linked) {
      const read = readCriteria(machineList, criteria, { now: service.now, timeZone: 'UTC' });
      const filter = filterText(machineList, read.criteria, { now: service.now, timeZone: 'UTC' });
      expect({ label, count }).toEqual({
        label,
        count: (await fleet.search({ filter })).totalCount,
      });
    }
    // Three machines of North were counted on the first day, and all of them missed something.
    const first = new Date(began).toISOString().slice(0, 10);
    expect(sent?.body).toContain(`* Machines: 4\n  3 on ${first}: 1 more now\n`);
    expect(sent?.subject).toBe(
      'Patch Repository: 3 of 4 machines of 123 miss something, 3 overdue, 1 not judged, 2 silent for 7 days',
    );
    expect(sent?.body).toContain('* Critical and important: 2 records patched, mean');
    expect(sent?.body).toContain('Exceptions that end within 30 days: 1');
    expect(sent?.body).toContain('Accepted risk, ends ');
    expect(sent?.body).toContain('* AlmaLinux\n  Never synced');
    // A group whose name is a number stays a name in the address.
    expect(sent?.body).toContain('/patch-repository/report?group=%22123%22&days=30');
    expect(sent?.html).toContain('A &lt;b&gt;bold&lt;/b&gt; reason');
    expect(sent?.html).not.toContain('<b>');
  });

  test('tells the change from the first day that the present criteria counted', async () => {
    const group = await newGroup('Moved', 'client.equal.North');
    for (const key of ['one', 'two', 'three']) await fleet.add(key);
    await fleet.judge();
    const mail = await made({ group: 'Moved' });
    await operator.put(`/machines/groups/${group}`, { criteria: 'client.equal.South' });
    toMoment(mail);
    const [unknown] = await queued();
    expect(unknown?.body).toContain('No day of the period has counts of these machines');
    expect(unknown?.body).not.toContain('fewer now');
    await fleet.add('south', old, fleet.south);
    await fleet.judge();
    const first = new Date(service.now).toISOString().slice(0, 10);
    await fleet.add('south', patched, fleet.south);
    await fleet.add('other', old, fleet.south);
    service.now += 7 * day;
    await fleet.judge();
    const [known] = await queued();
    expect(known?.body).toContain(`* Machines: 2\n  1 on ${first}: 1 more now\n`);
  });

  test('does not say of no machines, or of silent ones, that they miss nothing', async () => {
    await newGroup('Nobody', 'client.equal.South');
    const mail = await made({ group: 'Nobody' });
    toMoment(mail);
    const [none] = await queued();
    expect(none?.subject).toBe('Patch Repository: no machines of Nobody');
    expect(none?.body).toContain('There are no machines here, so that nothing is known of any.');
    expect(none?.body).toContain('the change is not known');
    await fleet.add(
      'quiet',
      'NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\nnano-9-9.el8.x86_64\n',
      fleet.south,
    );
    await fleet.judge();
    service.now += 14 * day;
    const [silent] = await queued();
    expect(silent?.subject).toBe(
      'Patch Repository: 0 of 1 machine of Nobody miss something, 0 overdue, 1 silent for 7 days',
    );
    expect(silent?.body).toContain('* Miss nothing: 0\n');
  });

  test('says in its subject that a machine may miss something', async () => {
    await newGroup('Perhaps', 'client.equal.South');
    const stream = erratum('ALSA-2024:9', 'Low', [['nodejs', '1:18.20.4-1.module_el8.10.0+3888']]);
    await writeRecords(service.database, 'almalinux_patch', [stream]);
    await fleet.add(
      'streams',
      'NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\nnodejs 1:16.20.2-3.module_el8.8.0+3615 x86_64 nodejs:16:8080:63b34585\n',
      fleet.south,
    );
    await fleet.judge();
    toMoment(await made({ group: 'Perhaps' }));
    const [sent] = await queued();
    expect(sent?.subject).toBe(
      'Patch Repository: 0 of 1 machine of Perhaps miss something, 0 overdue, 1 may miss something, or need a subscription',
    );
  });

  test('shows why nothing is sent, and sends the missed moment when it can', async () => {
    const group = await newGroup('Web', 'client.equal.North');
    const mail = await made({ group: 'Web' });
    await service.database.script("delete from settings where name = 'email_config'");
    toMoment(mail);
    expect(await queued()).toEqual([]);
    expect(await problems()).toEqual(['No email is sent until the mail server is configured.']);
    await configure();
    await service.database.query(
      "update machine_group set criteria = 'gone.equal.1' where id = $1",
      [group],
    );
    expect(await queued()).toEqual([]);
    expect(await problems()).toEqual([
      expect.stringMatching(
        /^No email is sent, because the criteria of the group are no longer valid/,
      ),
    ]);
    await operator.put(`/machines/groups/${group}`, { criteria: '' });
    service.now += hour;
    expect(await queued()).toHaveLength(1);
    expect(await problems()).toEqual([null]);
  });

  test('shows which email was given up', async () => {
    toMoment(await made());
    for (const one of processes) await one.runDue();
    await service.database.script(
      "update outbox set state = 'failed', last_error = 'No such mailbox'",
    );
    expect(await problems()).toEqual([
      'The email to manager@example.org could not be sent: No such mailbox',
    ]);
    expect(await queued()).toHaveLength(1);
  });

  test('counts another day, hour or zone from the change on, other changes not', async () => {
    const { id, nextAt } = await made();
    const change = (to: object) =>
      operator.put(`/machines/reportmails/${id}`, { ...weekly, ...to });
    service.now = nextAt + 2 * hour;
    await change({ hour: 9 });
    expect(await queued()).toEqual([]);
    service.now += 7 * day;
    const changed = await change({ hour: 9, addresses: ['new@example.org'] }).json;
    expect(changed).toMatchObject({ hour: 9, addresses: ['new@example.org'] });
    expect((await queued()).map(({ recipient }) => recipient)).toEqual(['new@example.org']);
  });

  test('ends with its group, which the log says', async () => {
    const group = await newGroup('Ending', 'client.equal.North');
    const mail = await made({ group: 'Ending' });
    expect(await operator.delete(`/machines/groups/${group}`).status).toBe(200);
    expect(await shown()).toEqual([]);
    toMoment(mail);
    expect(await queued()).toEqual([]);
    const { objList } = await operator.get('/audit?action=remove_machine_group').json;
    expect((objList as object[])[0]).toMatchObject({
      before: { reportMails: [{ days: 90, addresses: weekly.addresses }] },
    });
  });

  test('refuses what cannot be sent, and says what can', async () => {
    const addresses = (count: number) =>
      Array.from({ length: count }, (_, index) => `person-${index}@example.org`);
    expect(await send({ addresses: addresses(20) }).status).toBe(201);
    for (const [change, words] of [
      [{ addresses: addresses(21) }, 'addresses may be at most 20'],
      [{ addresses: [] }, 'addresses must have at least one address'],
      [{ addresses: ['nobody'] }, 'addresses.0 must be valid emails'],
      [{ addresses: ['a@example.org\nBcc: b@example.org'] }, 'addresses.0 must be valid emails'],
      [{ timeZone: 'Mars/Olympus' }, 'must be a time zone such as'],
      [{ hour: 24 }, 'hour must be from 0 to 23'],
      [{ days: 8 }, 'days must be one of 7, 30, 90'],
    ] as const) {
      const { status, json } = await send(change);
      expect([status, JSON.stringify(json)]).toEqual([422, expect.stringContaining(words)]);
    }
    expect(await send({ group: 'nobody' }).outcome).toBe('404 no_such_group');
    expect(await operator.delete('/machines/reportmails/999999').outcome).toBe('404 not_found');
    expect(await stan.get('/machines/reportmails').status).toBe(403);
    for (let more = 1; more < maxReportMails; more += 1) expect(await send().status).toBe(201);
    expect(await send().outcome).toBe('409 too_many_report_mails');
  });
});

interface LinkedNumber {
  readonly label: string;
  readonly count: number;
  readonly criteria: string;
}

/** Returns the numbers of an email that link to lists of machines, as its reader finds them. */
function linkedNumbers(body: string): readonly LinkedNumber[] {
  return [...body.matchAll(/^\* (.*): (\d+)\n(?: {2}[^h].*\n)?  (https:.*)$/gm)].flatMap(
    ([, label = '', count, address = '']) => {
      const { pathname, searchParams } = new URL(address);
      if (pathname !== '/patch-repository/machines') return [];
      const criteria = searchParams.get('criteria') ?? '';
      return [{ label: label[0]?.toLowerCase() + label.slice(1), count: Number(count), criteria }];
    },
  );
}
