/**
 * A machine has one answer: the check of its inventory, its panel, its row in the list and the ranking of the dashboard name the same
 * updates to install, and never one that another closes.
 */

import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import type { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import type { PatchFirst } from '@patch/contract/reports/dashboard-endpoint.ts';
import { expect, test } from 'vitest';
import { erratum, released, serverUpdate } from '../machines/testing/machine-catalogue.ts';
import { refreshStaleCves } from '../platform/database/cves/stale-cve-store.ts';
import { buildKevFacts, writeCveFacts } from '../testing/cve-factories.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { writeRecords } from '../testing/record-factories.ts';
import { type Found, withMachinesOfClients } from './testing/machines-of-clients.ts';
import { Random } from './testing/random-fleet.ts';

const names = ['bash', 'curl', 'openssl', 'openssl-libs', 'perl'];
const bySeverity = ['Critical', 'Important', 'Moderate', 'Low'];
const kernels = ['linux-image-5.10.0-8-amd64', 'linux-image-5.10.0-9-amd64'];

/** Errata of several packages each, with few versions, so that they close each other in many ways. */
const randomErrata = (random: Random, releases: readonly string[]) =>
  Array.from({ length: 12 }, (_, number) => {
    const packages = Array.from({ length: 1 + random.below(3) }, () => random.of(names));
    return erratum(
      `ALSA-2025:${number}`,
      random.of(bySeverity),
      [...new Set(packages)].map((name) => [name, `2.0-${1 + random.below(4)}.el8`] as const),
      { releases },
    );
  });

const debianAdvisories = (random: Random) =>
  Array.from({ length: 6 }, (_, number) => {
    const name = random.of(['linux', 'openssl']);
    return {
      key: `dsa-${number}`,
      row: {
        bulletinId: `DSA-70${number}-1`,
        title: name,
        pkgName: name,
        osVersion: 'Debian 11',
        severity: random.of(bySeverity),
        pkgAndVersion: `${name} 5.10.${50 + random.below(4)}-1`,
        releaseDate: released + number,
      },
    };
  });

const windowsUpdates = [
  serverUpdate('KB5070001', '10.0.20348.2100', ['KB5070002']),
  serverUpdate('KB5070002', '10.0.20348.2200'),
  serverUpdate('KB5070003', '10.0.20348.2300'),
];

function randomInventory(random: Random): string {
  switch (random.below(3)) {
    case 0:
      return `ID="almalinux"\nVERSION_ID="8.9"\n${names
        .filter(() => random.below(4) > 0)
        .map((name) => `${name}-2.0-${random.below(4)}.el8.x86_64\n`)
        .join('')}zlib-1.2.11-25.el8.x86_64\n`;
    case 1:
      return `ID=debian\nVERSION_ID="11"\n${kernels
        .map((name) => `${name} 5.10.46-4 amd64 ii  linux 5.10.46-4\n`)
        .join('')}libssl3 5.10.${50 + random.below(3)}-1 amd64 ii  openssl 5.10.50-1\n`;
    default:
      return `OS Name: Microsoft Windows Server 2022 Standard\r\nOS Version: 10.0.20348 N/A Build 20348\r\n\r\nMicrosoft Windows [Version 10.0.20348.${2000 + 100 * random.below(3)}]\r\n`;
  }
}

describeWithDatabase('the answers about a machine', (open) => {
  const fleet = withMachinesOfClients(open);
  const { stan } = fleet.service;

  const assess = async (text: string) =>
    (await stan.post('/assessments', { text }).json) as unknown as Assessment;

  test.each([1, 2, 3, 4])(
    'are the same in check, panel, row and dashboard: seed %i',
    async (seed) => {
      const random = new Random(seed);
      const { database } = fleet.service;
      await writeRecords(database, 'almalinux_patch', randomErrata(random, ['AlmaLinux 8']));
      await writeRecords(database, 'debian_patch', debianAdvisories(random));
      await writeRecords(database, 'patch_repository', windowsUpdates);
      const texts = Array.from({ length: 12 }, () => randomInventory(random));
      const ids: number[] = [];
      for (const [index, text] of texts.entries()) ids.push(await fleet.add(`m${index}`, text));
      await fleet.judge();
      const toInstall = new Map<string, number>();
      const closed = new Map<string, number>();
      for (const [index, text] of texts.entries()) {
        const answer = await assess(text);
        expect(answer.unreadable).toEqual([]);
        const { objList, ...panel } = (await fleet.missing(ids[index] ?? 0)) as unknown as Found &
          Assessment;
        const shown = objList.map(({ due: _due, ...record }) => record);
        expect(shown).toEqual(
          answer.missing.map((record) => ({
            ...record,
            accepted: null,
            assignee: null,
            notes: 0,
            heldBack: null,
          })),
        );
        expect(panel.bands).toEqual(answer.bands);
        expect(panel.install).toEqual(answer.install);
        expect(panel.installCommand).toEqual(answer.installCommand);
        expect(await readRow(ids[index] ?? 0)).toEqual(countStates(answer));
        for (const { identifier } of answer.install)
          toInstall.set(identifier, (toInstall.get(identifier) ?? 0) + 1);
        for (const pair of pairClosed(answer)) closed.set(pair, (closed.get(pair) ?? 0) + 1);
      }
      expect(await readClosed()).toEqual(closed);
      expect(toInstall.size).toBeGreaterThan(3);
      await expectRanking(toInstall);
    },
  );

  async function readRow(id: number) {
    const row = await stan.get(`/machines/${id}`).json;
    return {
      missing: row['missing'],
      uncertain: row['uncertain'],
      needsSubscription: row['needsSubscription'],
      missingCritical: row['missingCritical'],
      missingExploited: row['missingExploited'],
    };
  }

  function countStates({ missing, counts }: Assessment) {
    const of = (state: Assessment['missing'][number]['state']) =>
      missing.filter((record) => record.state === state).length;
    return {
      missing: of('missing'),
      uncertain: of('uncertain'),
      needsSubscription: of('needsSubscription'),
      missingCritical: counts.critical,
      missingExploited: counts.exploited,
    };
  }

  /** Returns each missing record with what closes it: a step itself, another record steps. */
  function pairClosed({ missing, install }: Assessment): readonly string[] {
    const steps = install.map(({ identifier }) => identifier);
    return missing.flatMap(({ identifier, state, supersededBy }) => {
      if (state !== 'missing') return [];
      const isStep = steps.includes(identifier ?? '');
      expect({ identifier, isClosed: isStep !== supersededBy.length > 0 }).toEqual({
        identifier,
        isClosed: true,
      });
      for (const step of supersededBy) expect(steps).toContain(step);
      return (isStep ? [identifier] : supersededBy).map((step) => `${identifier} by ${step}`);
    });
  }

  async function readClosed() {
    const rows = await fleet.service.rows(
      `select m.identifier || ' by ' || s.identifier as pair, missing_closer.machines from missing_closer
       join missing_record as missing on missing.id = missing_id join record as m on m.list = missing.list and m.record_id = missing.record_id
       join missing_record as step on step.id = step_id join record as s on s.list = step.list and s.record_id = step.record_id`,
    );
    return new Map(rows.map(({ pair, machines }) => [pair, machines]));
  }

  async function expectRanking(toInstall: ReadonlyMap<string, number>): Promise<void> {
    const { patchFirst } = (await stan.get('/dashboard').json) as unknown as {
      patchFirst: PatchFirst;
    };
    const ranked = patchFirst.updates.filter(({ machines }) => machines !== null);
    expect(ranked).toHaveLength(Math.min(10, toInstall.size));
    for (const { row, machines } of ranked) {
      const identifier = String(row['identifier']);
      expect([...toInstall.keys()]).toContain(identifier);
      expect(machines?.totalCount).toBeGreaterThanOrEqual(toInstall.get(identifier) ?? 0);
      const filter = filterText(machineList, machines?.criteria ?? [], {
        now: fleet.service.now,
        timeZone: 'UTC',
      });
      expect((await fleet.search({ filter })).totalCount).toBe(machines?.totalCount);
    }
    const summary = (await stan.get('/dashboard/machines').json) as unknown as {
      records: { identifier: string }[];
    };
    for (const { identifier } of summary.records)
      expect([...toInstall.keys()]).toContain(identifier);
  }

  test('ranks an update where the first one stands that it closes, and never that one', async () => {
    const { database } = fleet.service;
    const cve = { detail: { cve: ['CVE-2025-1001'] } };
    await writeRecords(database, 'almalinux_patch', [
      erratum('ALSA-2025:90', 'Low', [['perl', '9.0-1.el8']], cve),
      erratum('ALSA-2025:91', 'Low', [['perl', '9.0-2.el8']]),
      erratum('ALSA-2025:92', 'Critical', [['zsh', '9.0-2.el8']]),
    ]);
    await writeCveFacts(database, buildKevFacts('CVE-2025-1001', { dateAdded: 1 }));
    await refreshStaleCves(database);
    const packages = 'perl-8.0-1.el8.x86_64\nzsh-8.0-1.el8.x86_64\n';
    await fleet.add('p1', `ID="almalinux"\nVERSION_ID="8.9"\n${packages}`);
    await fleet.add('p2', `ID="almalinux"\nVERSION_ID="8.9"\n${packages}`);
    await fleet.judge();
    const { patchFirst } = (await stan.get('/dashboard').json) as unknown as {
      patchFirst: PatchFirst;
    };
    // Nothing was chosen, so that the ranking is for what the machines run.
    expect(patchFirst.own?.from).toBe('machines');
    expect(patchFirst.own?.names).toContain('AlmaLinux 8');
    const ranked = patchFirst.updates.filter(({ machines }) => machines !== null);
    expect(
      ranked.map(({ row, machines, closes, closesExploited }) => [
        row['identifier'],
        machines?.totalCount,
        closes.length,
        closesExploited,
      ]),
    ).toEqual([
      ['ALSA-2025:91', 2, 1, 1],
      ['ALSA-2025:92', 2, 0, 0],
    ]);
  });
});
