/** Counts the verdicts for a machine of a client as "Check a machine" does for the same text. */
import type { Assessment, MachineJudgement } from '@patch/contract/fleet/assessment-endpoint.ts';
import { beforeAll, expect, test } from 'vitest';
import { serverUpdate } from '../../machines/testing/machine-catalogue.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { withMachinesOfClients } from '../testing/machines-of-clients.ts';

const alma = 'NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\n';
const windows =
  'OS Name:     Microsoft Windows Server 2022 Standard\nOS Version:  10.0.20348 N/A Build 20348\nHotfix(s):   3 Hotfix(s) Installed.\n             [01]: KB5035857\n             [02]: KB5040000\n';

describeWithDatabase("judgement of a client's machine", (open) => {
  const fleet = withMachinesOfClients(open);
  const { operator } = fleet.service;
  beforeAll(async () => {
    await writeRecords(fleet.service.database, 'patch_repository', [
      serverUpdate('KB5035857', '10.0.20348.2340'),
      serverUpdate('KB5036909', '10.0.20348.2341'),
    ]);
  });

  test.each([
    ['a missing fix', `${alma}bash-4.4.20-4.el8.x86_64\nacl-2.2.53-1.el8.x86_64\n`],
    ['another architecture', `${alma}bash-4.4.20-4.el8.aarch64\nacl-2.2.53-1.el8.aarch64\n`],
    ['an unknown release', 'ID=plan9\nVERSION_ID="4"\nbash-4.4.20-4.el8.x86_64\n'],
    ['hotfixes that are not listed', windows],
  ])('has the sums, reasons and dates of a check with %s', async (name, text) => {
    const id = await fleet.add(name, text);
    await fleet.judge();
    const reply = await operator.get(`/machines/${id}/missing`).json;
    const judgement = reply['judgement'] as MachineJudgement;
    const check = (await operator.post('/assessments', { text }).json) as unknown as Assessment;
    const { sources, verdicts, system, notJudged, noAdvisory, leftOut, machine } = check;
    const { packages, kbs, applications } = machine;
    const byName = <Group extends { readonly names: readonly string[] }>(
      groups: readonly Group[],
    ) => groups.map((one) => ({ ...one, names: one.names.toSorted() }));
    const [group] = byName([judgement.noAdvisory]);
    expect({
      ...judgement,
      notJudged: byName(judgement.notJudged),
      noAdvisory: group,
    }).toEqual({
      sources,
      verdicts,
      system,
      notJudged: byName(notJudged),
      noAdvisory: byName([noAdvisory])[0],
      leftOut,
      machine: { packages, kbs, applications },
    });
    const { read, fixed, missing, uncertain, notJudged: left, noFix } = judgement.verdicts;
    const without = judgement.verdicts.noAdvisory;
    expect(fixed + missing + uncertain + left + without + noFix).toBe(read);
    expect(read).toBeGreaterThan(0);
  });
});
