/** Counts the verdicts for a machine of a client as "Check a machine" does for the same text. */
import type { Assessment, MachineJudgement } from '@patch/contract/assessment-endpoint.ts';
import { beforeAll, expect, test } from 'vitest';
import { withSignInApp } from '../identity/sign-in/testing/sign-in-app.ts';
import { activate, register } from '../licensing/clients/testing/client-registry.ts';
import { buildRecordIndex } from '../platform/database/build-record-index.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { writeRecords } from '../testing/record-factories.ts';
import { FleetJudge } from './fleet-judge.ts';

const alma = 'NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\n';
const windows = (product: string) =>
  `OS Name:     Microsoft ${product}\nOS Version:  10.0.20348 N/A Build 20348\nHotfix(s):   3 Hotfix(s) Installed.\n             [01]: KB5035857\n             [02]: KB5040000\n`;

describeWithDatabase("judgement of a client's machine", (open) => {
  let database: OpenDatabase;
  const service = withSignInApp(async () => {
    database = await open();
    return database;
  });
  let [client, reader] = ['', ''];

  beforeAll(async () => {
    await service.repopulate();
    const registered = await register(service, { clientName: 'North', reportsMachines: true });
    client = await activate(service, registered);
    reader = await service.createToken('operator');
    await buildRecordIndex({ database });
    await writeRecords(database, 'almalinux_patch', [
      {
        key: 'ALSA-2024:1',
        row: { bulletinId: 'ALSA-2024:1', osVersion: ['AlmaLinux 8'], releaseDate: 1 },
        detail: { packages: [{ name: 'bash', version: '4.4.20-5.el8', architecture: 'x86_64' }] },
      },
    ]);
    await writeRecords(
      database,
      'patch_repository',
      ['KB5035857', 'KB5036909'].map((kbId, index) => ({
        key: kbId,
        row: { kbId, productName: 'Windows Server 2022', releaseDate: index + 1 },
        detail: { line: 'Cumulative update', fixedBuild: [`10.0.20348.${2340 + index}`] },
      })),
    );
  });

  test.each([
    ['a missing fix', `${alma}bash-4.4.20-4.el8.x86_64\nacl-2.2.53-1.el8.x86_64\n`],
    ['another architecture', `${alma}bash-4.4.20-4.el8.aarch64\nacl-2.2.53-1.el8.aarch64\n`],
    ['an unknown release', 'ID=plan9\nVERSION_ID="4"\nbash-4.4.20-4.el8.x86_64\n'],
    ['hotfixes that are not listed', windows('Windows Server 2022 Standard')],
  ])('has the sums, reasons and dates of a check with %s', async (name, text) => {
    const reported = await service.ask('POST', '/client/machines', {
      token: client,
      body: { machines: [{ key: name, name, text }] },
    });
    const [{ id }] = reported.json['machines'] as [{ id: number }];
    await database.query('update fleet_worker set until = 0, tallied_on = 0');
    await new FleetJudge({ database, clock: () => service.now }).round(
      new AbortController().signal,
    );
    const reply = await service.ask('GET', `/machines/${id}/missing`, { token: reader });
    const judgement = reply.json['judgement'] as MachineJudgement;
    const check = (await service.ask('POST', '/assessments', { token: reader, body: { text } }))
      .json as unknown as Assessment;
    const { sources, verdicts, system, notJudged, leftOut, machine } = check;
    const { packages, kbs, applications } = machine;
    const byName = (groups: MachineJudgement['notJudged']) =>
      groups.map((one) => ({ ...one, names: one.names.toSorted() }));
    expect({ ...judgement, notJudged: byName(judgement.notJudged) }).toEqual({
      sources,
      verdicts,
      system,
      notJudged: byName(notJudged),
      leftOut,
      machine: { packages, kbs, applications },
    });
    const { read, fixed, missing, uncertain, notJudged: left, noFix } = judgement.verdicts;
    expect(fixed + missing + uncertain + left + noFix).toBe(read);
    expect(read).toBeGreaterThan(0);
  });
});
