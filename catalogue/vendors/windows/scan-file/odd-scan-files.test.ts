import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { xmlFragment } from '../../../parsers/xml-reader.ts';
import { describeWithMirror, feedMirror } from '../../../testing/describe-with-mirror.ts';
import { filterByList, readScan } from '../testing/mirrored-scan.ts';
import { parseProperties } from './scan-facts.ts';
import { computeDownloadSize } from './scan-payload.ts';

describeWithMirror('Windows Update edge cases', () => {
  const edgeCase = (path: string) => new URL(`edge-cases/windows/${path}`, feedMirror);
  const propertiesIn = async (name: string) =>
    parseProperties(await xmlFragment(readFileSync(edgeCase(`update-xml/${name}`))));

  // A mirror that contains only a wsusscn2.cab.
  test('reads a small scan file without categories, parts and files', async () => {
    const readings = await readScan(edgeCase('overlay-small-cab/'));
    expect(
      filterByList(readings, 'kb_repository').map(({ row, detail }) => ({
        ...row,
        supersededBy: detail.supersededBy,
      })),
    ).toMatchObject([
      {
        kbId: 'KB654321',
        severity: 'Important',
        category: null,
        size: null,
        cabExists: null,
        supersededBy: ['KB765432'],
      },
      { kbId: 'KB765432', architecture: ['x64'], supersededBy: ['KB876543'] },
      {
        kbId: 'KB876543',
        title: 'Security Update for Windows 8 for x64-based Systems (KB2922229)',
        supersededBy: [],
      },
    ]);
    expect(
      filterByList(readings, 'patch').map(
        ({ row }) => (row as Record<string, unknown>)['bulletinId'],
      ),
    ).toEqual(Array(3).fill('MS00-000'));
    expect(readings.filter((reading) => reading.kind === 'rejection')).toMatchObject([
      { kind: 'rejection', rejected: '913aa7a4-75d8-4abc-9d66-8ddc163be471' },
    ]);
  });

  test('reads properties of a rollup, of .NET and of a system image', async () => {
    expect(await propertiesIn('cbs-rollupfix-extended.xml')).toMatchObject({
      rebootBehaviour: 'CanRequestReboot',
      canBeUninstalled: false,
      payload: [{ name: 'Windows10.0-KB5026368-arm64.cab', size: 479_510_336 }],
    });
    expect(await propertiesIn('cbs-dotnet-extended.xml')).toMatchObject({
      canBeUninstalled: true,
      maxDownloadSize: 40_121_630,
    });
    const properties = await propertiesIn('osinstaller-extended.xml');
    if (properties === null) throw new Error('it has properties');
    expect(properties).toMatchObject({ isSystemImage: true, maxDownloadSize: 8_873_450_114 });
    expect(properties.payload).toHaveLength(14);
    expect(computeDownloadSize([{ properties, forLanguages: [] }], ['KB5065431'])).toBe(
      969_677_118 + 86_374_256,
    );
    expect(computeDownloadSize([{ properties, forLanguages: [] }], ['KB1'])).toBe(8_873_450_114);
  });
});
