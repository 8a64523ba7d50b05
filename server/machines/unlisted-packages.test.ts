/** Machines of which no record says anything: packages without an advisory, builds of other channels, releases without records. */
import type { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import { comparedText, noAdvisoryText } from '@patch/contract/fleet/assessment-words.ts';
import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { send } from '../testing/caller.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { writeRecords } from '../testing/record-factories.ts';
import { erratum, machineApp } from './testing/machine-catalogue.ts';

describeWithDatabase('assessments of what no record lists', (open) => {
  let app: FastifyInstance;
  beforeAll(async () => {
    const database = await open();
    await writeRecords(database, 'almalinux_patch', [
      erratum('ALSA-2024:1', 'Critical', [['bash', '4.4.20-4.el8']]),
    ]);
    const oracle = { releases: ['Oracle Linux 9'] };
    await writeRecords(database, 'oracle_linux_patch', [
      erratum('ELSA-1', 'Important', [['bpftool', '5.15.0-6.80.3.1.el9uek']], oracle),
      erratum('ELSA-2', 'Important', [['perf', '5.15.0-6.80.3.1.el9uek']], oracle),
      erratum('ELSA-3', 'Important', [['perf', '5.14.0-162.18.1.el9_1']], oracle),
    ]);
    const rocky = { releases: ['Rocky Linux 8'] };
    await writeRecords(database, 'rockylinux_patch', [
      erratum('RLSA-1', 'Important', [['podman', '3.0.1-13.module+el8.7.0+1076+9b1c11c1']], rocky),
      erratum('RLSA-2', 'Important', [['perl-libs', '4:5.26.3-419.el8']], rocky),
    ]);
    app = await machineApp(database);
  });

  const post = (body: string, query = '') =>
    send(app, 'POST', `/assessments${query}`, {
      body,
      headers: { authorization: 'Apikey test', 'content-type': 'text/plain' },
    });
  const assess = async (body: string) => (await post(body)).json as unknown as Assessment;

  test('state the day up to which the records reach that name no package', async () => {
    const text = 'ID=almalinux\nVERSION_ID="8.9"\nacl 0:2.2.53-1.el8 x86_64 (none)\n';
    const answer = await assess(text);
    expect(answer.verdicts).toMatchObject({ read: 1, compared: 0, notJudged: 0, noAdvisory: 1 });
    expect(comparedText(answer)).toBe('1 package: 0 compared, 1 without an advisory, 0 not judged');
    const sentence =
      '1 without an advisory: no record of AlmaLinux data up to 1 Apr 2024 names the package (acl).';
    expect(noAdvisoryText(answer)).toBe(sentence);
    const csv = (await post(text, '?format=csv')).bytes.toString().split('\r\n');
    expect(csv[2]).toContain(sentence);
  });

  test('name a release that the catalogue lacks', async () => {
    const answer = await assess(
      'NAME="CentOS Stream"\nID="centos"\nVERSION_ID="8"\nbash 0:4.4-1.el8 x86_64 (none)\n',
    );
    expect(answer.machine).toMatchObject({ distribution: 'centos-stream', release: '8' });
    expect(answer.notJudged.map(({ reason }) => reason)).toEqual(['releaseNotInCatalogue']);
    expect(answer.advice[0]?.text).toMatch(/^CentOS Stream 8 is not a release that this catalogue/);
  });

  // Rocky states no streams: the version alone shows that a fix is of a module.
  test.each([
    ['podman 0:0.1-1.el8 x86_64 (none)', 'notJudged'],
    ['podman 2:16.13.0-1vendor x86_64 (none)', 'notJudged'],
    ['podman 0:3.0.1-12.module+el8.5.0+1+9b1c11c1 x86_64 container-tools:3.0:1:a', 'uncertain'],
    ['podman 0:3.0.1-13.module+el8.7.0+1076+9b1c11c1 x86_64 container-tools:3.0:1:a', 'fixed'],
    ['perl-libs 4:5.30.1-1.module+el8.4.0+646+9f9d1c8d x86_64 perl:5.30:8040:abc', 'notJudged'],
    ['perl-libs 4:5.26.3-419.el8 x86_64 (none)', 'fixed'],
  ] as const)('judge %s by fixes of Rocky Linux of its kind: %s', async (line, kind) => {
    const answer = await assess(`ID="rocky"\nVERSION_ID="8.9"\n${line}\n`);
    const none = { fixed: 0, notJudged: 0, uncertain: 0, missing: 0 };
    expect(answer.verdicts).toMatchObject({ ...none, [kind]: 1 });
    const reasons = kind === 'notJudged' ? ['moduleUnknown'] : [];
    expect(answer.notJudged.map(({ reason }) => reason)).toEqual(reasons);
  });

  test.each([
    ['bpftool 0:7.4.0-503.15.1.el9_5', [], ['channelUnknown']],
    ['bpftool 0:5.14.0-70.el9_0', [], ['channelUnknown']],
    ['bpftool 0:5.15.0-5.76.5.1.el9uek', ['ELSA-1'], []],
    ['perf 0:5.14.0-70.el9_0', ['ELSA-3'], []],
    ['perf 0:5.14.0-503.el9_5', [], []],
    ['perf 0:6.12.0-1.el9uek', [], ['channelUnknown']],
  ])('compare %s with the stored fixes of its channel', async (line, missing, reasons) => {
    const answer = await assess(`ID=ol\nVERSION_ID="9.5"\n${line} x86_64 (none)\n`);
    expect(answer.missing.map(({ identifier }) => identifier)).toEqual(missing);
    expect(answer.notJudged.map(({ reason }) => reason)).toEqual(reasons);
    expect(answer.install.map(({ identifier }) => identifier)).toEqual(missing);
  });
});
