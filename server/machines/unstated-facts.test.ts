/** Inventories without a fact, such as the product of a build or the sources of packages: dependent verdicts are not judged or uncertain. */
import type { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { send } from '../testing/caller.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { writeRecords } from '../testing/record-factories.ts';
import { machineApp, released, serverUpdate } from './testing/machine-catalogue.ts';

const clients: Readonly<Record<string, string>> = {
  '7601': 'Windows 7 for x64-based Systems Service Pack 1',
  '9600': 'Windows 8.1 for x64-based systems',
  '17763': 'Windows 10 Version 1809 for x64-based Systems',
  '26100': 'Windows 11 Version 24H2 for x64-based Systems',
};

describeWithDatabase('assessments of inventories without some facts', (open) => {
  let app: FastifyInstance;

  beforeAll(async () => {
    const database = await open();
    const update = serverUpdate('KB5035857', '10.0.20348.2340');
    const buildUpdate = (key: string, productName: string, severity: string, kbId = key) => ({
      ...update,
      key,
      row: { ...update.row, kbId, productName, severity },
    });
    await writeRecords(database, 'patch_repository', [
      ...Object.entries(clients).map(([build, product]) =>
        buildUpdate(`KB1${build}`, product, 'Low'),
      ),
      buildUpdate('core', 'Windows Server 2022', 'Important', 'KB5035857'),
      buildUpdate(
        'other',
        'Windows 10 Version 22H2 for x64-based Systems',
        'Critical',
        'KB5035857',
      ),
    ]);
    const notice = (name: string, isSource: boolean, version: string) => ({
      key: name,
      row: {
        noticeId: `USN-${name}`,
        title: name,
        published: released,
        releaseDate: released,
        affectedOs: ['Ubuntu 22.04 LTS'],
      },
      detail: {
        releasePackages: [{ name, version, osVersion: 'Ubuntu 22.04 LTS', is_source: isSource }],
      },
    });
    await writeRecords(database, 'linux_notice', [
      notice('libldb2', false, '2:2.4.4-0ubuntu0.22.04.2'),
      notice('curl', true, '7.81.0-1ubuntu1.20'),
    ]);
    app = await machineApp(database);
  });

  async function assess(body: string) {
    const headers = { authorization: 'Apikey test', 'content-type': 'text/plain' };
    const { status, json } = await send(app, 'POST', '/assessments', { body, headers });
    expect(status, JSON.stringify(json)).toBe(200);
    return json as unknown as Assessment;
  }
  const systeminfo = (version: string, name: string | null) =>
    [
      'Host Name:                 WINDOWS-7',
      ...(name === null ? [] : [`OS Name:                   ${name}`]),
      `OS Version:                ${version}`,
      'System Type:               x64-based PC',
      'Hotfix(s):                 2 Hotfix(s) Installed.',
      `${' '.repeat(27)}[01]: KB5012170`,
      `${' '.repeat(27)}[02]: KB5031539`,
      'Network Card(s):           1 NIC(s) Installed.',
      '',
    ].join('\r\n');

  test.each([
    '6.1.7601 Service Pack 1 Build 7601',
    '6.3.9600 N/A Build 9600',
    '10.0.17763 N/A Build 17763',
    '10.0.26100 N/A Build 26100',
  ])('do not judge %s without the name of the product', async (version) => {
    const { verdicts, system, notJudged, missing } = await assess(systeminfo(version, null));
    expect(verdicts).toMatchObject({ read: 2, compared: 0, notJudged: 2 });
    expect(system).toBe('notJudged');
    expect(notJudged).toEqual([
      { reason: 'productUnstated', count: 2, names: ['KB5012170', 'KB5031539'] },
    ]);
    expect(missing).toEqual([]);
  });

  test.each([
    ['10.0.26100 N/A Build 26100', 'Microsoft Windows 11 Pro'],
    ['10.0.20348 N/A Build 20348', null],
  ])('judge %s when the name %s or the build identifies the product', async (version, name) => {
    const { system, notJudged } = await assess(systeminfo(version, name));
    expect(system).not.toBe('notJudged');
    expect(notJudged.map(({ reason }) => reason)).not.toContain('productUnstated');
  });

  test('show the severity of a KB on the product of the machine', async () => {
    const { missing, counts } = await assess(
      `${systeminfo('10.0.20348 N/A Build 20348', 'Microsoft Windows Server 2022 Standard')}\r\nMicrosoft Windows [Version 10.0.20348.2000]\r\n`,
    );
    expect(missing).toMatchObject([{ identifier: 'KB5035857', severity: 'Important' }]);
    expect(counts).toMatchObject({ critical: 0, important: 1 });
  });

  const dpkg = (...lines: string[]) =>
    `NAME="Ubuntu"\nID=ubuntu\nVERSION_ID="22.04"\n||/ Name Version Architecture Description\n+++-==============-============-============-=================================\n${lines.join('\n')}\n`;

  test('are uncertain about a package whose source may have fixes, and advise a command that lists sources', async () => {
    const { verdicts, notJudged, advice } = await assess(
      dpkg(
        'ii  libldb2:amd64  2:2.4.4-0ubuntu0.22.04.2  amd64  LDAP-like embedded database',
        'ii  curl  7.81.0-1ubuntu1.20  amd64  command line tool',
        'ii  libfoo1:amd64  1.0-1  amd64  of no record',
      ),
    );
    expect(verdicts).toEqual({
      read: 3,
      compared: 2,
      fixed: 1,
      missing: 0,
      uncertain: 1,
      notJudged: 1,
      noAdvisory: 0,
      noFix: 0,
    });
    expect(notJudged).toEqual([{ reason: 'sourceUnknown', count: 1, names: ['libfoo1'] }]);
    expect(advice.flatMap(({ command }) => command ?? []).join()).toContain('${source:Package}');
  });

  test('judge the same packages when the inventory has sources', async () => {
    const { verdicts } = await assess(
      'ID=ubuntu\nVERSION_ID="22.04"\nlibldb2 2:2.4.4-0ubuntu0.22.04.2 amd64 ii  ldb 2:2.4.4-0ubuntu0.22.04.2\ncurl 7.81.0-1ubuntu1.20 amd64 ii  curl 7.81.0-1ubuntu1.20\n',
    );
    expect(verdicts).toMatchObject({ read: 2, fixed: 2, uncertain: 0 });
  });
});
