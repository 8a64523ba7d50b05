/** Alerts that watch risk report each record once that becomes known exploited or rises over a threshold, and no old state. */
import { beforeEach, expect, test } from 'vitest';
import { hour } from '../../identity/sign-in/testing/sign-in-app.ts';
import { addRun, takeRun } from '../../ingest/runs/run-store.ts';
import { writeScores } from '../../platform/database/cves/epss-score-store.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { describeAlerts, errata, namesIn } from './testing/alert-service.ts';

const [a, b, c] = ['CVE-2026-1001', 'CVE-2026-1002', 'CVE-2026-1003'] as const;
const exploited = { mode: 'at_once', exploited: true };
const becameExploited = "1 record became known exploited in 'Critical'";

describeAlerts('alerts on risk', (service) => {
  const { app } = service;
  const { operator, stan } = app;
  beforeEach(() =>
    app.database.script(
      'truncate vulnerability, epss_score, stored_record, record_risk, record_epss, stale_cve, feed_part, saved_view cascade',
    ),
  );

  async function write(title: string, cve: readonly string[], severity = 'Critical') {
    const record = { key: title, row: { title, bulletinId: title, severity }, detail: { cve } };
    await writeRecords(app.database, errata, [record], service.now);
    await refreshStaleCves(app.database);
  }
  async function exploit(cve: string, isExploited = true) {
    const ended = { of: 'kev', cve, facts: null, hash: 'x' } as const;
    const facts = isExploited ? buildKevFacts(cve, { dateAdded: service.now }) : ended;
    await writeCveFacts(app.database, facts);
    await refreshStaleCves(app.database);
  }
  async function score(values: Readonly<Record<string, number>>, model = 'v1') {
    const scores = Object.entries(values).map(
      ([cve, epss]) => ({ kind: 'epss', cve: cve.toLowerCase(), epss, percentile: null }) as const,
    );
    const { database } = app;
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
  const rose = (percent: number) => `EPSS of 1 record rose over ${percent} % in 'Critical'`;
  const readMailNames = async () =>
    (await service.mails()).map(({ subject, text }) => [
      subject.replace('Patch Repository: ', ''),
      namesIn(text),
    ]);

  test('reports a record that becomes known exploited once, and none that was exploited before', async () => {
    await write('old', [a]);
    await write('new', [b, c]);
    await write('unimportant', [b], 'Low');
    await exploit(a);
    await service.alert(stan, exploited);
    expect(await readMailNames()).toEqual([]);
    await exploit(b);
    const [mail, ...others] = await service.mails();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe(`Patch Repository: ${becameExploited}`);
    expect(mail?.text).toContain(
      `The view 'Critical' of ${errata.label}: 1 record became known exploited.`,
    );
    expect(mail?.text).toMatch(/\* new\n.*\n\s*https:\S+\/record\/\d+/);
    expect(await readMailNames()).toEqual([]);
    // Another CVE of the same record changes nothing; a record that left the state and returns is.
    await exploit(c);
    expect(await readMailNames()).toEqual([]);
    await exploit(b, false);
    await exploit(c, false);
    expect(await readMailNames()).toEqual([]);
    await exploit(c);
    expect(await readMailNames()).toEqual([[becameExploited, ['new']]]);
  });

  test('reports no record that comes into the view with the risk that it had', async () => {
    await write('rated', [a], 'Low');
    await write('other', [b]);
    await exploit(a);
    await score({ [a]: 0.9 });
    await service.alert(stan, { ...exploited, epssAbove: 0.5 });
    expect(await readMailNames()).toEqual([]);
    await write('rated', [a], 'Critical');
    expect(await readMailNames()).toEqual([]);
    // It was in the state before others came into it.
    await exploit(b);
    expect(await readMailNames()).toEqual([[becameExploited, ['other']]]);
  });

  test('reports EPSS that rises over the threshold, again only after it fell', async () => {
    await write('high', [a]);
    await write('low', [b]);
    await score({ [a]: 0.7, [b]: 0.2 });
    await service.alert(stan, { mode: 'at_once', epssAbove: 0.5 });
    expect(await readMailNames()).toEqual([]);
    for (const [epss, rises] of [
      [0.5, false],
      [0.51, true],
      [0.9, false],
      [0.4, false],
      [0.6, true],
    ] as const) {
      await score({ [b]: epss });
      expect(await readMailNames(), String(epss)).toEqual(rises ? [[rose(50), ['low']]] : []);
    }
  });

  test('reports nothing after a change of the model, the threshold or the view', async () => {
    await write('one', [a]);
    await write('two', [b]);
    await score({ [a]: 0.3, [b]: 0.3 });
    const view = await service.alert(stan, { mode: 'at_once', epssAbove: 0.5 });
    expect(await readMailNames()).toEqual([]);
    await score({ [a]: 0.9 }, 'v2');
    expect(await readMailNames(), 'model').toEqual([]);
    await service.setAlert(stan, view, { mode: 'at_once', epssAbove: 0.2 });
    expect(await readMailNames(), 'threshold').toEqual([]);
    await score({ [b]: 0.1 }, 'v2');
    expect(await readMailNames()).toEqual([]);
    await score({ [b]: 0.4 }, 'v2');
    expect(await readMailNames()).toEqual([[rose(20), ['two']]]);
  });

  test('reports CVEs that became known exploited on the day of a new model', async () => {
    await write('one', [a]);
    await score({ [a]: 0.3 });
    await service.alert(stan, { ...exploited, epssAbove: 0.5 });
    expect(await readMailNames()).toEqual([]);
    await score({ [a]: 0.9 }, 'v2');
    await exploit(a);
    expect(await readMailNames(), 'the scores are taken').toEqual([]);
    expect(await readMailNames()).toEqual([[becameExploited, ['one']]]);
  });

  test('reports a new record once, as new, with risen records in one email', async () => {
    await write('there', [a]);
    await exploit(b);
    await score({ [a]: 0.1 });
    await service.alert(stan, { ...exploited, epssAbove: 0.5 });
    expect(await readMailNames()).toEqual([]);
    await write('new and exploited', [b]);
    await score({ [a]: 0.6 });
    const names = ['new and exploited', 'there'];
    expect(await readMailNames()).toEqual([[`1 new record, ${rose(50)}`, names]]);
    expect(await readMailNames()).toEqual([]);
  });

  test('waits for a running sync of a risk source, and for the hour of a digest', async () => {
    await write('one', [a]);
    await service.alert(stan, { hour: 8, exploited: true });
    // The state is captured at once, so that changes before the first digest are reported.
    expect(await readMailNames()).toEqual([]);
    app.now += hour;
    await exploit(a);
    const run = await addRun(app.database, 'kev', 'schedule', service.now);
    await takeRun(app.database, run?.id ?? 0, service.now);
    service.toHour(8);
    expect(await readMailNames(), 'while it runs').toEqual([]);
    await app.database.query("update sync_run set state = 'succeeded'");
    expect(await readMailNames()).toEqual([[becameExploited, ['one']]]);
  });

  test('repeats the contents of an email that could not be sent', async () => {
    await write('one', [a]);
    const toOthers = (address: string) => ({
      ...exploited,
      ownAddress: false,
      furtherAddresses: [address],
    });
    const view = await service.alert(operator, toOthers('gone@example.org'));
    expect(await readMailNames()).toEqual([]);
    await exploit(a);
    expect(await readMailNames()).toEqual([]);
    await app.database.script(
      "update outbox set state = 'failed'; update alert_mail set recipient = 'ok@example.org'",
    );
    await service.setAlert(operator, view, toOthers('ok@example.org'));
    await service.mails();
    await write('two', []);
    expect(await readMailNames()).toEqual([[`1 new record, ${becameExploited}`, ['two', 'one']]]);
  });

  test.each([
    ['all_patches', ['one', 'two']],
    ['vulnerabilities', [a, b]],
  ])('watches %s', async (list, names) => {
    await write('one', [a]);
    await write('two', [b]);
    await score({ [b]: 0.1 });
    await service.alert(stan, { ...exploited, epssAbove: 0.5 }, { list, criteria: '' });
    expect(await readMailNames()).toEqual([]);
    await exploit(a);
    await score({ [b]: 0.6 });
    expect(await readMailNames()).toEqual([
      [`1 record became known exploited, ${rose(50)}`, names],
    ]);
  });

  test('refuses an invalid threshold, and a list without risk', async () => {
    const view = await service.view(stan);
    for (const epssAbove of [0, 1, '0.5'])
      expect(await service.setAlert(stan, view, { epssAbove }).status).toBe(422);
    const other = await service.view(stan, { list: 'patch', criteria: '' });
    const refused = service.setAlert(stan, other, { exploited: true });
    expect(await refused.outcome).toBe('422 unknown_field');
    expect((await refused.refusal)[1]).toContain('shows no risk');
  });
});
