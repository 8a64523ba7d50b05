/** Offline scan files with changed members of the fixture. */
import { expect, test } from 'vitest';
import type { Entry, FeedItem } from '../../../definition/feed.ts';
import { type ScanMembers, scanMembers, toUuid } from '../fixtures/offline-scan-members.ts';
import { changeMembers, readScan, url } from '../testing/scan-readings.ts';

test('marks updates that lead into a cycle as superseded, and all of a cycle with a way out', async () => {
  const readSuperseded = async (members: ScanMembers) => {
    const entries = (await readScan(members)).filter(
      (reading): reading is Entry => reading.kind === 'entry' && reading.list.key === 'patch',
    );
    return new Map(entries.map(({ key, row }) => [key, row['superseded']]));
  };
  const cycle = `<SupersededBy><Revision Id="1302" /></SupersededBy>`;
  const intoCycle = await readSuperseded(
    changeMembers({}, ['<Revision Id="1202" />', '<Revision Id="1301" />']),
  );
  expect([1201, 1301, 1302].map((revision) => intoCycle.get(toUuid(revision)))).toEqual([
    true,
    null,
    null,
  ]);
  const outOfCycle = await readSuperseded(
    changeMembers({}, [cycle, cycle.replace(' /></', ' /><Revision Id="1303" /></')]),
  );
  expect([1301, 1302, 1303].map((revision) => outOfCycle.get(toUuid(revision)))).toEqual([
    true,
    true,
    false,
  ]);
});

test('reports unknown words of the vendor and shows them as written', async () => {
  const members = changeMembers({
    'x/1001':
      scanMembers['package2.cab']?.['x/1001']?.replace(
        'MsrcSeverity="Critical"',
        'MsrcSeverity="Urgent"',
      ) ?? '',
    'x/1000':
      scanMembers['package2.cab']?.['x/1000']?.replaceAll('CanRequestReboot', 'RebootsTwice') ?? '',
  });
  const ofUpdate = (await readScan(members)).filter(
    (reading): reading is Entry => reading.kind === 'entry' && reading.key === toUuid(1001),
  );
  expect(ofUpdate.map(({ list }) => list.key)).toEqual(['kb_repository', 'patch']);
  for (const { row, detail, unknownWords } of ofUpdate) {
    expect({ ...row, ...detail }).toMatchObject({
      severity: 'Unspecified',
      vendorSeverity: 'Urgent',
      restartBehaviour: 'RebootsTwice',
      uninstallRestartBehaviour: 'RebootsTwice',
    });
    expect(unknownWords).toEqual([
      { vocabulary: 'severity', word: 'Urgent', shownAs: 'Unspecified' },
      { vocabulary: 'restart behaviour', word: 'RebootsTwice', shownAs: null },
    ]);
  }
  expect(
    (await readScan(scanMembers)).filter(
      (reading) => reading.kind === 'entry' && reading.unknownWords !== undefined,
    ),
  ).toEqual([]);
});

test('refuses a file without an update', async () => {
  const empty = {
    'package.cab': { 'package.xml': '<OfflineSyncPackage><Updates/></OfflineSyncPackage>' },
    'package2.cab': {},
    'package3.cab': {},
  };
  await expect(readScan(empty)).rejects.toThrow(
    `${url} cannot be read: package.xml in it lists no update`,
  );
});

test('refuses a file whose package.xml is truncated or of another kind', async () => {
  const packageXml = scanMembers['package.cab']?.['package.xml'] ?? '';
  for (const [text, problem] of [
    [packageXml.slice(0, -40), 'package.xml in it: not well formed'],
    ['<Other/>', 'package.xml in it: its outermost element is <Other>'],
  ] as const) {
    await expect(
      readScan({ ...scanMembers, 'package.cab': { 'package.xml': text } }),
    ).rejects.toThrow(problem);
  }
});

test('reads the same from updates in any order', async () => {
  const packageXml = scanMembers['package.cab']?.['package.xml'] ?? '';
  const updates = packageXml.match(/^ {4}<Update .*$/gm) ?? [];
  const backwards = packageXml.replace(
    /(?<=<Updates>\n)[^]*(?= {2}<\/Updates>)/,
    `${updates.toReversed().join('\n')}\n`,
  );
  const sorted = (readings: FeedItem[]) =>
    readings
      .map((reading) =>
        JSON.stringify({ ...reading, list: reading.kind === 'entry' ? reading.list.key : '' }),
      )
      .toSorted();
  expect(
    sorted(await readScan({ ...scanMembers, 'package.cab': { 'package.xml': backwards } })),
  ).toEqual(sorted(await readScan(scanMembers)));
});
