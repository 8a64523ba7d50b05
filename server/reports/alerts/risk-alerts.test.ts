/** Alerts that watch risk: what becomes known exploited or rises over a threshold is told once, and nothing old. */
import { listOfKey } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import { addRun, takeRun } from '../../ingest/sync/run-store.ts';
import { contentHash } from '../../platform/database/content-hash.ts';
import { writeEntries } from '../../platform/database/entry-writer.ts';
import { writeScores } from '../../platform/database/epss-score-store.ts';
import { refreshStaleCves } from '../../platform/database/stale-cve-store.ts';
import { writeFacts } from '../../platform/database/vulnerability-store.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { errata, hour, withAlertService } from './testing/alert-service.ts';

const listWithoutRisk = listOfKey('patch').key;
const [a, b, c] = ['CVE-2026-1001', 'CVE-2026-1002', 'CVE-2026-1003'] as const;

describeWithDatabase('alerts on risk', (open) => {
  const service = withAlertService(open);
  let token: string;
  beforeEach(async () => {
    await service.app.database.script(
      'truncate vulnerability, epss_score, record, record_risk, record_epss, stale_cve, feed_part, entry_detail, saved_view cascade',
    );
    token = await service.app.tokenOf('stan');
  });

  async function write(title: string, cve: readonly string[], severity = 'Critical') {
    const row = { title, bulletinId: title, severity } as never;
    const detail = { cve } as never;
    const entry = { key: title, row, detail, contentHash: contentHash(row, detail) };
    await service.app.database.transaction((tx) =>
      writeEntries(tx, errata, 'part', [entry], service.now),
    );
    await refreshStaleCves(service.app.database);
  }
  async function exploit(cve: string, isExploited = true) {
    const facts = {
      kind: 'kev',
      cve,
      vendorProject: '',
      product: '',
      name: '',
      description: '',
      requiredAction: '',
      dateAdded: service.now,
      dueDate: null,
      ransomware: null,
      notes: '',
      cwes: [],
    } as const;
    const written = { of: 'kev', cve, facts: isExploited ? facts : null, hash: 'x' } as const;
    await service.app.database.transaction((tx) => writeFacts(tx, [written], service.now));
    await refreshStaleCves(service.app.database);
  }
  async function score(values: Readonly<Record<string, number>>, model = 'v1') {
    const scores = Object.entries(values).map(
      ([cve, epss]) => ({ kind: 'epss', cve: cve.toLowerCase(), epss, percentile: null }) as const,
    );
    const { database } = service.app;
    await database.transaction((tx) =>
      writeScores(tx, scores, { stale: new Set(scores.map(({ cve }) => cve)), now: service.now }),
    );
    await database.query(
      `insert into feed_part (source, part, feed_version, written_version, read_time, remarks, remembered)
       values ('epss', 'epss', 1, 1, 1, '[]', jsonb_build_object('model', $1::text))
       on conflict (source, part) do update set remembered = excluded.remembered`,
      [model],
    );
    await refreshStaleCves(database);
  }
  const watch = (change: object, list: string = errata.key, criteria = 'severity.in.Critical') =>
    service
      .view(token, { list, criteria })
      .then((view) => service.setAlert(token, view, { mode: 'at_once', ...change }));
  const told = async () =>
    (await service.mails()).map(({ subject, text }) => [
      subject.replace('Patch Repository: ', ''),
      [...text.matchAll(/^\* (.*)$/gm)].map(([, name]) => name),
    ]);

  test('tells of a record that becomes known exploited once, and nothing that was so before', async () => {
    await write('old', [a]);
    await write('new', [b, c]);
    await write('unimportant', [b], 'Low');
    await exploit(a);
    expect((await watch({ exploited: true })).status).toBe(200);
    expect(await told()).toEqual([]);
    await exploit(b);
    const [mail, ...others] = await service.mails();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("Patch Repository: 1 record became known exploited in 'Critical'");
    expect(mail?.text).toContain(
      "The view 'Critical' of AlmaLinux errata: 1 record became known exploited.".replace(
        'AlmaLinux errata',
        errata.label,
      ),
    );
    expect(mail?.text).toMatch(/\* new\n.*\n\s*https:\S+\/record\/\d+/);
    expect(await told()).toEqual([]);
    // Another CVE of the same record is no news; a record that left the state and comes back is.
    await exploit(c);
    expect(await told()).toEqual([]);
    await exploit(b, false);
    await exploit(c, false);
    expect(await told()).toEqual([]);
    await exploit(c);
    expect(await told()).toEqual([["1 record became known exploited in 'Critical'", ['new']]]);
  });

  test('tells of EPSS that rises over the threshold, again only after it fell', async () => {
    await write('high', [a]);
    await write('low', [b]);
    await score({ [a]: 0.7, [b]: 0.2 });
    await watch({ epssAbove: 0.5 });
    expect(await told()).toEqual([]);
    await score({ [b]: 0.5 });
    expect(await told(), 'at the threshold').toEqual([]);
    await score({ [b]: 0.51 });
    expect(await told()).toEqual([["EPSS of 1 record rose over 0.5 in 'Critical'", ['low']]]);
    await score({ [b]: 0.9 });
    expect(await told(), 'still above').toEqual([]);
    await score({ [b]: 0.4 });
    expect(await told(), 'below').toEqual([]);
    await score({ [b]: 0.6 });
    expect(await told()).toEqual([["EPSS of 1 record rose over 0.5 in 'Critical'", ['low']]]);
  });

  test('tells nothing of a new model, of another threshold or of another view', async () => {
    await write('one', [a]);
    await write('two', [b]);
    await score({ [a]: 0.3, [b]: 0.3 });
    const view = await service.view(token);
    const set = (epssAbove: number) =>
      service.setAlert(token, view, { mode: 'at_once', epssAbove });
    await set(0.5);
    expect(await told()).toEqual([]);
    await score({ [a]: 0.9 }, 'v2');
    expect(await told(), 'model').toEqual([]);
    await set(0.2);
    expect(await told(), 'threshold').toEqual([]);
    await score({ [b]: 0.1 }, 'v2');
    expect(await told()).toEqual([]);
    await score({ [b]: 0.4 }, 'v2');
    expect(await told()).toEqual([["EPSS of 1 record rose over 0.2 in 'Critical'", ['two']]]);
  });

  test('tells what became known exploited on the day of a new model', async () => {
    await write('one', [a]);
    await score({ [a]: 0.3 });
    await watch({ exploited: true, epssAbove: 0.5 });
    expect(await told()).toEqual([]);
    await score({ [a]: 0.9 }, 'v2');
    await exploit(a);
    expect(await told(), 'the scores are taken').toEqual([]);
    expect(await told()).toEqual([["1 record became known exploited in 'Critical'", ['one']]]);
  });

  test('tells a new record once, as new, with what rose beside it in one email', async () => {
    await write('there', [a]);
    await exploit(b);
    await score({ [a]: 0.1 });
    await watch({ exploited: true, epssAbove: 0.5 });
    expect(await told()).toEqual([]);
    await write('new and exploited', [b]);
    await score({ [a]: 0.6 });
    expect(await told()).toEqual([
      [
        "1 new record, EPSS of 1 record rose over 0.5 in 'Critical'",
        ['new and exploited', 'there'],
      ],
    ]);
    expect(await told()).toEqual([]);
  });

  test('waits for a running sync of a risk source, and for the hour of a digest', async () => {
    await write('one', [a]);
    await watch({ mode: 'digest', hour: 8, exploited: true });
    // The state is taken at once: what happens before the first digest is told.
    expect(await told()).toEqual([]);
    service.app.now += hour;
    await exploit(a);
    const { database } = service.app;
    const run = await addRun(database, 'kev', 'schedule', service.now);
    await takeRun(database, run?.id ?? 0, service.now);
    service.toHour(8);
    expect(await told(), 'while it runs').toEqual([]);
    await database.query("update sync_run set state = 'succeeded'");
    expect(await told()).toEqual([["1 record became known exploited in 'Critical'", ['one']]]);
  });

  test('tells again what was in an email that could not be sent', async () => {
    await write('one', [a]);
    const operator = await service.app.tokenOf('operator');
    const view = await service.view(operator);
    const toOthers = { ownAddress: false, mode: 'at_once', exploited: true };
    await service.setAlert(operator, view, {
      ...toOthers,
      furtherAddresses: ['gone@example.org'],
    });
    expect(await told()).toEqual([]);
    await exploit(a);
    expect(await told()).toEqual([]);
    await service.app.database.query("update mail_outbox set state = 'failed'");
    await service.app.database.query("update alert_mail set recipient = 'ok@example.org'");
    await service.setAlert(operator, view, { ...toOthers, furtherAddresses: ['ok@example.org'] });
    await service.mails();
    await write('two', []);
    expect(await told()).toEqual([
      ["1 new record, 1 record became known exploited in 'Critical'", ['two', 'one']],
    ]);
  });

  test.each([
    ['all_patches', ''],
    ['vulnerabilities', ''],
  ])('watches %s', async (list, criteria) => {
    await write('one', [a]);
    await write('two', [b]);
    await score({ [b]: 0.1 });
    await watch({ exploited: true, epssAbove: 0.5 }, list, criteria);
    expect(await told()).toEqual([]);
    await exploit(a);
    await score({ [b]: 0.6 });
    const names = list === 'all_patches' ? ['one', 'two'] : [a, b];
    expect(await told()).toEqual([
      ["1 record became known exploited, EPSS of 1 record rose over 0.5 in 'Critical'", names],
    ]);
  });

  test('refuses a threshold that is none, and a list without risk', async () => {
    const view = await service.view(token);
    for (const epssAbove of [0, 1, '0.5'])
      expect((await service.setAlert(token, view, { epssAbove })).status).toBe(422);
    const other = await service.view(token, { list: listWithoutRisk, criteria: '' });
    expect(await service.setAlert(token, other, { exploited: true })).toMatchObject({
      status: 422,
      json: { code: 'unknown_field', userMessage: expect.stringContaining('shows no risk') },
    });
  });
});
