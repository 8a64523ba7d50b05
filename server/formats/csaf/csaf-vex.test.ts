/** VEX documents among the files of a CSAF provider: what a vendor says of CVEs that no version fixes. */
import type { StatusWord } from '@patch/catalogue/definition/package-status.ts';
import { expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import {
  PackageStatuses,
  writeStatuses,
} from '../../platform/database/records/package-status-store.ts';
import { writeRecords } from '../../testing/record-factories.ts';

const day = 86_400_000;
const firstRead = Date.UTC(2025, 11, 30, 8);

describeApp('VEX documents of a CSAF provider', (service) => {
  const { operator } = service;
  const read = (path: string, headers = {}) => operator.get(`/csaf/${path}`, headers);
  const readText = async (path: string) => String((await read(path)).bytes);
  const readTag = async (path: string) => String((await read(path)).headers['etag']);

  /** Says it as a reading of the vendor's tracker does. */
  const says = async (now: number, words: Readonly<Record<string, StatusWord>>) => {
    const statuses = new PackageStatuses();
    for (const [place, word] of Object.entries(words)) {
      const [release = '', name = '', cve = ''] = place.split('|');
      statuses.add({ kind: 'status', release, package: name, cve, word });
    }
    const part = { source: 'debian', part: 'DSA' };
    await writeStatuses(service.database, part, statuses, new AbortController().signal, now);
  };
  const before = {
    'Debian 11|wick|CVE-2031-1000': 'open',
    'Debian 12|wick|CVE-2031-1000': 'not_affected',
    'Debian 12|wick|CVE-2031-2000': 'undetermined',
  } as const;

  test('lists and serves one for each CVE', async () => {
    await writeRecords(
      service.database,
      'almalinux_patch',
      [erratum('ALSA-2024:1', 'Critical', [['bash', '1:4.4.20-4.el8']])],
      firstRead + 2 * day,
    );
    await says(firstRead, before);
    expect(await readText('changes.csv')).toBe(
      [
        '2026/alsa-2024_1.json,2026-01-01T08:00:00.000Z',
        '2025/debian-cve-2031-1000.json,2025-12-30T08:00:00.000Z',
        '2025/debian-cve-2031-2000.json,2025-12-30T08:00:00.000Z',
        '',
      ].join('\n'),
    );
    const { json } = await read('2025/debian-cve-2031-1000.json');
    expect(json).toMatchObject({
      document: { category: 'csaf_vex', tracking: { id: 'DEBIAN-CVE-2031-1000' } },
      vulnerabilities: [
        {
          cve: 'CVE-2031-1000',
          product_status: {
            known_affected: [expect.any(String)],
            known_not_affected: [expect.any(String)],
          },
        },
      ],
    });
    expect(await read('advisory/DEBIAN-CVE-2031-1000').json).toEqual(json);
    for (const more of ['.sha256', '.sha512', '.asc'])
      expect(await read(`2025/debian-cve-2031-1000.json${more}`).status).toBe(200);
    expect(await readText('feed.json')).toContain('/csaf/2025/debian-cve-2031-2000.json.asc"');
  });

  test.each(['2026/debian-cve-2031-1000.json', '2025/debian-cve-2031-3000.json'])(
    'refuses %s with 404',
    async (path) => {
      expect(await read(path).status).toBe(404);
    },
  );

  test('changes with the words of its own CVE alone', async () => {
    const paths = [
      'index.txt',
      '2025/debian-cve-2031-1000.json',
      '2025/debian-cve-2031-1000.json.asc',
      '2025/debian-cve-2031-2000.json',
    ];
    const tags = await Promise.all(paths.map(readTag));
    const statuses = () =>
      Promise.all(
        paths.map((path, index) => read(path, { 'if-none-match': tags[index] ?? '' }).status),
      );
    await says(firstRead + 5 * day, before);
    expect(await statuses()).toEqual([304, 304, 304, 304]);
    await says(firstRead + 6 * day, { ...before, 'Debian 11|wick|CVE-2031-1000': 'ignored' });
    expect(await statuses()).toEqual([200, 200, 200, 304]);
    const { json } = await read('2025/debian-cve-2031-1000.json');
    expect(json).toMatchObject({
      document: { tracking: { current_release_date: '2026-01-05T08:00:00.000Z' } },
      vulnerabilities: [{ remediations: [{ category: 'no_fix_planned' }] }],
    });
    expect((await readText('changes.csv')).split('\n')[0]).toBe(
      '2025/debian-cve-2031-1000.json,2026-01-05T08:00:00.000Z',
    );
    const { json: metadata } = await read('provider-metadata.json');
    expect(metadata['last_updated']).toBe('2026-01-05T08:00:00.000Z');
  });

  test('has a new revision when a release is not listed any more, and ends with the last of them', async () => {
    await says(firstRead + 7 * day, { 'Debian 12|wick|CVE-2031-1000': 'not_affected' });
    const { json } = await read('2025/debian-cve-2031-1000.json');
    expect(json).toMatchObject({
      document: { tracking: { current_release_date: '2026-01-06T08:00:00.000Z' } },
    });
    expect(JSON.stringify(json['vulnerabilities'])).not.toContain('known_affected');
    expect(await read('2025/debian-cve-2031-2000.json').status).toBe(404);
    expect(await readText('index.txt')).not.toContain('cve-2031-2000');
    await says(firstRead + 8 * day, before);
    expect(await read('2025/debian-cve-2031-2000.json').json).toMatchObject({
      document: {
        tracking: {
          initial_release_date: '2025-12-30T08:00:00.000Z',
          current_release_date: '2026-01-07T08:00:00.000Z',
        },
      },
    });
  });
});
