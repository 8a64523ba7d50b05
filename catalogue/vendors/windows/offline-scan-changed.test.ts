/** Offline scan files with other members than the fixture. */
import { expect, test } from 'vitest';
import type { Entry, FeedItem } from '../../definition/feed.ts';
import { type ScanMembers, scanMembers, uuidOf } from './fixtures/offline-scan-members.ts';
import { changed, readFrom, url } from './testing/scan-readings.ts';

test('an update that leads into a cycle is superseded; a cycle from which one update leads out is superseded as a whole', async () => {
  const supersededOf = async (members: ScanMembers) => {
    const entries = (await readFrom(members)).filter(
      (reading): reading is Entry => reading.kind === 'entry' && reading.list.key === 'patch',
    );
    return new Map(entries.map(({ key, row }) => [key, row['superseded']]));
  };
  const cycle = `<SupersededBy><Revision Id="1302" /></SupersededBy>`;
  const intoCycle = await supersededOf(
    changed({}, ['<Revision Id="1202" />', '<Revision Id="1301" />']),
  );
  expect([1201, 1301, 1302].map((revision) => intoCycle.get(uuidOf(revision)))).toEqual([
    true,
    null,
    null,
  ]);
  const outOfCycle = await supersededOf(
    changed({}, [cycle, cycle.replace(' /></', ' /><Revision Id="1303" /></')]),
  );
  expect([1301, 1302, 1303].map((revision) => outOfCycle.get(uuidOf(revision)))).toEqual([
    true,
    true,
    false,
  ]);
});

test('words of the vendor that are not known are reported, and kept as they are', async () => {
  const members = changed({
    'x/1001':
      scanMembers['package2.cab']?.['x/1001']?.replace(
        'MsrcSeverity="Critical"',
        'MsrcSeverity="Urgent"',
      ) ?? '',
    'x/1000':
      scanMembers['package2.cab']?.['x/1000']?.replaceAll('CanRequestReboot', 'RebootsTwice') ?? '',
  });
  const ofUpdate = (await readFrom(members)).filter(
    (reading): reading is Entry => reading.kind === 'entry' && reading.key === uuidOf(1001),
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
    (await readFrom(scanMembers)).filter(
      (reading) => reading.kind === 'entry' && reading.unknownWords !== undefined,
    ),
  ).toEqual([]);
});

test('a file without an update is not believed', async () => {
  const empty = {
    'package.cab': { 'package.xml': '<OfflineSyncPackage><Updates/></OfflineSyncPackage>' },
    'package2.cab': {},
    'package3.cab': {},
  };
  await expect(readFrom(empty)).rejects.toThrow(
    `${url} cannot be read: package.xml in it lists no update`,
  );
});

test('package.xml that breaks off, or is something else, breaks the file', async () => {
  const whole = scanMembers['package.cab']?.['package.xml'] ?? '';
  for (const [text, problem] of [
    [whole.slice(0, -40), 'package.xml in it: not well formed'],
    ['<Other/>', 'package.xml in it: its outermost element is <Other>'],
  ] as const) {
    await expect(
      readFrom({ ...scanMembers, 'package.cab': { 'package.xml': text } }),
    ).rejects.toThrow(problem);
  }
});

test('the order of the updates does not matter', async () => {
  const whole = scanMembers['package.cab']?.['package.xml'] ?? '';
  const updates = whole.match(/^ {4}<Update .*$/gm) ?? [];
  const backwards = whole.replace(
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
    sorted(await readFrom({ ...scanMembers, 'package.cab': { 'package.xml': backwards } })),
  ).toEqual(sorted(await readFrom(scanMembers)));
});
