/** Packages beside the cumulative updates, such as those for the Secure Boot database. */
import { describe, expect, it } from 'vitest';
import { parseFaq } from '../guide/msrc-guidance.ts';
import { additional, conclude, month } from '../testing/concluded-months.ts';
import { findSeparateKbs } from './kb-conclusions.ts';

const vulnerability = (faq: string) => ({
  guidance: { faq: parseFaq(`<p>${faq}</p>`), advice: [], weaknesses: [] },
});
const row = (kb: string, ...cves: string[]) => ({
  kb,
  ratings: new Map(cves.map((cve) => [cve, {} as never])),
});

describe('separateKbs', () => {
  it.each([
    [additional, true],
    ['Install it in addition to the latest cumulative update.', true],
    ['In addition to the security update, customers must set a registry value.', false],
    ['This is a standalone security update for servers enrolled into hotpatching.', false],
  ])('reads from "%s" that a KB is separate: %s', (faq, isSeparate) => {
    const found = findSeparateKbs([row('KB1', 'CVE-1')], new Map([['CVE-1', vulnerability(faq)]]));
    expect(found.has('KB1')).toBe(isSeparate);
  });

  it('excludes KBs that also fix other vulnerabilities, or none', () => {
    const vulnerabilities = new Map([
      ['CVE-1', vulnerability(additional)],
      ['CVE-2', vulnerability('')],
    ]);
    const rows = [
      row('KB1', 'CVE-1'),
      row('KB1', 'CVE-1', 'CVE-2'),
      row('KB2'),
      row('KB3', 'CVE-1'),
    ];
    expect([...findSeparateKbs(rows, vulnerabilities)]).toEqual(['KB3']);
  });
});

describe('KB lines', () => {
  const [server2016, server2019, server2022] = ['10816', '11571', '11923'];
  const spread = (kb: string) => [
    `${kb} on ${server2016} at 10.0.14393.5285`,
    `${kb} on ${server2019} at 10.0.17763.3284`,
  ];
  const cumulative = [
    `KB5000001 on ${server2016} at 10.0.14393.9140`,
    `KB5000002 on ${server2019} at 10.0.17763.9140`,
  ];

  it('separates a package with builds of several families from the cumulative updates', async () => {
    const { of: getFacts } = await conclude([
      month(1, ...spread('KB5012170')),
      month(2, ...cumulative),
    ]);
    for (const product of [server2016, server2019])
      expect(getFacts('KB5012170', product)).toMatchObject({
        line: 'Separate update',
        superseded: false,
        kbIdToBeInstalled: 'KB5012170',
      });
  });

  it('ignores a build of another product', async () => {
    const { of: getFacts } = await conclude([
      month(1, ...cumulative, `KB5000001 on ${server2019} at 10.0.14393.9140`),
      month(2, `KB5000003 on ${server2016} at 10.0.14393.9200`),
    ]);
    expect(getFacts('KB5000001', server2016)).toMatchObject({
      line: 'Cumulative update',
      supersededBy: ['KB5000003'],
    });
  });

  it('accepts the title of a cumulative update', async () => {
    const titles = [
      '2024-01 Cumulative Update for Windows Server 2016 for x64-based Systems (KB5012170)',
      '2024-01 Cumulative Update for Windows Server 2019 for x64-based Systems (KB5012170)',
    ].map((title) => ({ kb: 'KB5012170', title }));
    const { of: getFacts } = await conclude([month(1, ...spread('KB5012170'))], titles);
    expect(getFacts('KB5012170', server2016).line).toBe('Cumulative update');
  });

  it('replaces a stand-alone update by a cumulative update of its branch', async () => {
    const { of: getFacts } = await conclude([
      month(
        1,
        'KB5000001 at 10.0.20348.4297',
        'KB5000002 at 10.0.20348.4297 as Standalone Security Update',
      ),
      month(2, 'KB5000003 at 10.0.20348.4405'),
    ]);
    expect(getFacts('KB5000002', server2022)).toMatchObject({
      line: 'Standalone update',
      superseded: true,
      supersededBy: ['KB5000003'],
      kbIdToBeInstalled: 'KB5000003',
    });
    expect(getFacts('KB5000001', server2022).supersededBy).toEqual(['KB5000003']);
  });
});
