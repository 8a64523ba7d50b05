/** Field cases of Windows machines and applications, judged against records of the feed mirror, with variants of each kind. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { FeedItem } from '../definition/feed.ts';
import { collect } from '../testing/collect.ts';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { memoryPublication } from '../testing/memory-publication.ts';
import { publicationFrom } from '../testing/publication-from.ts';
import { thirdpartyFeed } from '../vendors/thirdparty/thirdparty-feed.ts';
import { securityUpdateGuidePart } from '../vendors/windows/security-update-guide.ts';
import { inventoryAdvice } from './inventory/inventory-advice.ts';
import { describeWithFieldCases, fieldCase } from './testing/field-case.ts';
import { fieldMonth } from './testing/field-month.ts';
import {
  itemLines,
  type JudgedInventory,
  judgedApplications,
  judgedWindows,
  mirrorItems,
} from './testing/judged-over-records.ts';

/** Formats the verdict on a KB: `missing 10.0.20348.1964 → 10.0.20348.1970`; `fixed` without a verdict. */
function formatVerdict({ records }: JudgedInventory, kb: string): string {
  const found = [...records].find(([key]) => key.startsWith(`${kb}|`))?.[1];
  if (found === undefined || found.kind === 'notMissing') return 'fixed';
  if (found.kind === 'notJudged') return `notJudged ${found.reason}`;
  const pairs = found.evidence.map(({ installed, fixed }) => `${installed} → ${fixed}`);
  return `${found.kind === 'uncertain' ? `uncertain ${found.reason}` : found.kind} ${pairs.join()}`;
}

const systeminfo = (product: string, build: string, ...kbs: readonly string[]) => {
  const number = build.split('.')[2] ?? '';
  const release = build.split('.').slice(0, 3).join('.');
  return [
    'Host Name:                     SRV-DEMO-01',
    `OS Name:                       Microsoft ${product}`,
    `OS Version:                    ${release} N/A Build ${number}`,
    'System Type:                   x64-based PC',
    `Hotfix(s):                     ${kbs.length} Hotfix(s) Installed.`,
    ...kbs.map(
      (kb, index) =>
        `                               [${String(index + 1).padStart(2, '0')}]: ${kb}`,
    ),
    '',
    ...(build === release ? [] : [`Microsoft Windows [Version ${build}]`]),
  ].join('\n');
};

const getAdviceKinds = ({ reading }: JudgedInventory) =>
  inventoryAdvice(reading).map(({ kind }) => kind);

describeWithMirror('records of the feed mirror', () => {
  describeWithFieldCases('in field cases of Windows', () => {
    let guide: readonly FeedItem[];
    const judged = (text: string) => judgedWindows(text, guide);
    const everyVerdict = (found: JudgedInventory, ...kinds: readonly string[]) =>
      [...found.records].filter(
        ([, verdict]) =>
          kinds.includes(verdict.kind) || ('reason' in verdict && kinds.includes(verdict.reason)),
      );

    beforeAll(async () => {
      const { documents } = await securityUpdateGuidePart.contents(publicationFrom(feedMirror));
      const cut = ['09-msrc-2023-Sep-cut.json', '10-msrc-2023-Jan-cut.json'].map(fieldMonth);
      guide = await collect(
        securityUpdateGuidePart.read({ documents: [...documents, ...cut], isComplete: true }),
      );
    }, 120_000);

    describe('09: hotpatches and cumulative updates of a month', () => {
      it('treats them as alternatives on the machines of the case', () => {
        for (const file of ['09-azure-hotpatched.txt', '09-ordinary-2022.txt'])
          for (const kb of ['KB5030216', 'KB5030325'])
            expect(formatVerdict(judged(fieldCase(file)), kb), file).toBe('fixed');
        expect(formatVerdict(judged(fieldCase('09-azure-hotpatched.txt')), 'KB5034770')).toBe(
          'missing 10.0.20348.1964 → 10.0.20348.2322',
        );
      });

      it.each([
        // November 2025: a hotpatch of Server 2022, and its cumulative update.
        ['10.0.20348.4400', 'KB5068840', ['KB5068840', 'KB5068787']],
        ['10.0.20348.4405', 'KB5068787', ['KB5068840', 'KB5068787']],
      ])('treats them as alternatives on build %s with %s', (build, installed, kbs) => {
        const found = judged(systeminfo('Windows Server 2022 Datacenter', build, installed));
        for (const kb of kbs) expect(formatVerdict(found, kb), kb).toBe('fixed');
      });

      it.each([
        ['Windows Server 2022 Standard', '10.0.20348.5139', 'KB5070892'],
        ['Windows Server 2025 Standard', '10.0.26100.32860', 'KB5070893'],
      ])('lets the stand-alone update fix %s at %s', (product, build, kb) => {
        expect(formatVerdict(judged(systeminfo(product, build, 'KB5087545')), kb)).toBe('fixed');
        const before = `${build.split('.').slice(0, 3).join('.')}.1`;
        expect(formatVerdict(judged(systeminfo(product, before, 'KB5000001')), kb)).toMatch(
          /^missing .*\.1 → /,
        );
      });
    });

    describe('10: builds of another branch', () => {
      it('does not compare them with the machine of the case', () => {
        const found = judged(fieldCase('10-server2022-jan2023.txt'));
        expect(formatVerdict(found, 'KB5022303')).toBe('notJudged otherBranch');
        expect(formatVerdict(found, 'KB5022291')).toBe('fixed');
      });

      it('leaves nothing uncertain on products whose documents state a build', () => {
        for (const [product, build] of [
          ['Windows 11 Pro', '10.0.26100.9999'],
          ['Windows 11 Pro', '10.0.26200.9999'],
          ['Windows Server 2022 Standard', '10.0.20348.9999'],
        ] as const)
          expect(
            everyVerdict(judged(systeminfo(product, build, 'KB5000001')), 'uncertain', 'missing'),
            build,
          ).toEqual([]);
      });

      it('finds them in the real feed under another version of Windows', () => {
        // KB5062553 is published with 0.0.26200.4652.
        const text = systeminfo('Windows 11 Pro', '10.0.26100.4000', 'KB5000001');
        expect(formatVerdict(judged(text), 'KB5062553')).toBe(
          'missing 10.0.26100.4000 → 10.0.26100.4652',
        );
      });
    });

    describe('11: cut lists of hotfixes', () => {
      it('is uncertain about updates that the list may have had', () => {
        const found = judged(fieldCase('11-systeminfo-275-cut.txt'));
        expect(found.reading.machine.unlistedKbs).toBe(48);
        expect(found.reading.unreadable).toMatchObject([
          { reason: 'The number of this hotfix is incomplete' },
        ]);
        expect(getAdviceKinds(found)).toEqual(
          expect.arrayContaining(['unlistedHotfixes', 'cutOff']),
        );
        expect(everyVerdict(found, 'missing')).toEqual([]);
        expect(everyVerdict(found, 'uncertain').length).toBeGreaterThan(10);
      });

      it('is certain when the list is complete', () => {
        const found = judged(fieldCase('11-systeminfo-en.txt'));
        expect(found.reading.machine.unlistedKbs).toBeUndefined();
        expect(formatVerdict(found, 'KB5034763')).toMatch(/^missing /);
      });

      const complete = systeminfo(
        'Windows Server 2022 Standard',
        '10.0.20348',
        'KB5030216',
        'KB5030999',
      );
      it.each([
        ['above its entries', 2, complete.replaceAll(/\n +\[\d+\]: KB\d+/g, '')],
        ['within an entry', 1, `${complete.split('[02]')[0]}[02]: KB50302`],
        ['behind an entry', 46, complete.replace('2 Hotfix', '48 Hotfix')],
      ])('detects lists that end %s', (_, unlisted, text) => {
        const found = judged(text);
        expect(found.reading.machine.unlistedKbs).toBe(unlisted);
        expect(everyVerdict(found, 'missing')).toEqual([]);
        expect(everyVerdict(found, 'unlistedHotfixes').length).toBeGreaterThan(5);
      });

      it('detects them in Get-HotFix too', () => {
        const table = [
          'Source        Description      HotFixID      InstalledBy          InstalledOn',
          '------        -----------      --------      -----------          -----------',
          'SRV-DEMO-01   Update           KB5029928     NT AUTHORITY\\SYSTEM  9/12/2023',
          'SRV-DEMO-01   Security Update  KB50302',
          'SRV-DEMO-01   Update           KB5012170     NT AUTHORITY\\SYSTEM  9/12/2023',
          '',
        ].join('\n');
        const found = judged(`${systeminfo('Windows Server 2022 Standard', '10.0.20348')}${table}`);
        expect(found.reading.machine.kbs).toEqual(['5029928', '5012170']);
        expect(everyVerdict(found, 'missing')).toEqual([]);
        expect(getAdviceKinds(found)).toContain('unlistedHotfixes');
      });
    });

    describe('12: tables of winget', () => {
      let applications: readonly FeedItem[];
      beforeAll(async () => {
        const parts = thirdpartyFeed.parts.filter(({ key }) => key === 'compression');
        applications = (await Promise.all(parts.map((part) => mirrorItems(part)))).flat();
      }, 60_000);
      const lines = (text: string) => itemLines(judgedApplications(text, applications));

      it.each([
        [
          '12-winget-plain-unknown-mid.txt',
          ['7-Zip 23.01 (x64)', 'Contoso Sync Agent', 'Notepad++ (64-bit x64)', 'Git'],
        ],
        [
          '12-winget-en-control.txt',
          [
            '7-Zip 23.01 (x64)',
            'Notepad++ (64-bit x64)',
            'Visual Studio BuildTools 2022',
            'Microsoft To Do',
            'Git',
          ],
        ],
        [
          '12-winget-en-mojibake.txt',
          [
            '7-Zip 23.01 (x64)',
            'Contoso Sync ≡ƒÜÇ Agent',
            'Notepad++ (64-bit x64)',
            'Visual Studio BuildTools 2022',
            'Microsoft To Do',
            'Git',
          ],
        ],
      ])('reads every complete row of %s', (file, names) => {
        const { reading, items } = judgedApplications(fieldCase(file), applications);
        expect(items.map(({ name }) => name)).toEqual(names);
        expect(reading.unreadableLines).toBe(names.length > 4 ? 1 : 0);
        expect(lines(fieldCase(file))[0]).toBe('7-Zip 23.01 (x64) missing');
      });

      const table = (version: string, id = '7zip.7zip') =>
        [
          'Name                   ID                          Version Verfügbar Quelle',
          '---------------------------------------------------------------------------',
          `7-Zip 🚀 (x64)         ${id.padEnd(28)}${version}`,
          '',
        ].join('\n');
      it.each([
        ['23.01   24.09     winget', ['7-Zip 🚀 (x64) missing']],
        ['99.01', ['7-Zip 🚀 (x64) fixed']],
        ['latest', ['7-Zip 🚀 (x64) notJudged versionUnknown']],
        ['< 23.01', ['7-Zip 🚀 (x64) missing']],
        ['> 23.01', ['7-Zip 🚀 (x64) uncertain versionBound']],
      ])('judges the version "%s"', (version, expected) => {
        expect(lines(table(version))).toEqual(expected);
      });

      it.each(['7zip.7z…', '7zip.7zÔÇª', '7zip.7z?'])(
        'does not read the cut identifier %s',
        (id) => {
          expect(lines(table('23.01', id))).toEqual([]);
        },
      );
    });

    describe('15: a month other than the requested one', () => {
      const url = 'https://api.msrc.microsoft.com/cvrf/v3.0/cvrf/2026-Jan';
      const index = 'https://api.msrc.microsoft.com/cvrf/v3.0/updates';
      const readMonth = async (served: string, withCopy: boolean) => {
        const good = fieldMonth('15-cvrf-2026-Jan-good.json');
        const publication = memoryPublication(
          { [index]: JSON.stringify({ value: [{ ID: '2026-Jan' }] }), [url]: served },
          { now: Date.UTC(2026, 1, 20), last: withCopy ? [good] : [] },
        );
        const items = await collect(
          securityUpdateGuidePart.read(await securityUpdateGuidePart.contents(publication)),
        );
        const kbs = items.flatMap((item) => (item.kind === 'entry' ? [item.row['kbId']] : []));
        return { kbs, copiesRead: publication.copiesRead };
      };
      const january = () => fieldMonth('15-cvrf-2026-Jan-good.json').text();
      const february = () => fieldMonth('15-cvrf-2026-Jan-served-february.json').text();

      it('refuses it with both ids, and keeps the last copy', async () => {
        const own = await readMonth(await january(), false);
        expect(own.kbs).toHaveLength(1);
        const { kbs, copiesRead } = await readMonth(await february(), true);
        expect(kbs).toEqual(own.kbs);
        expect(copiesRead).toEqual([expect.stringContaining('it is 2026-Feb, not 2026-Jan')]);
      });

      it.each([
        ['without a copy', february, false],
        [
          'that states no id',
          async () => (await january()).replace(/<cvrf:ID>[^<]*<\/cvrf:ID>/, ''),
          false,
        ],
      ])('refuses it %s', async (_, text, withCopy) => {
        await expect(readMonth(await text(), withCopy)).rejects.toThrow(/2026-Jan/);
      });
    });

    describe('R5: updates without a build', () => {
      it.each([
        [fieldCase('R5-server2016-patched.txt')],
        [systeminfo('Windows Server 2019 Standard', '10.0.17763.6054', 'KB5040430')],
        [systeminfo('Windows Server 2012 R2 Standard', '6.3.9600.21620', 'KB5031419')],
      ])('are fixed by a build higher than all of their years (%#)', (text) => {
        expect(everyVerdict(judged(text), 'updateWithoutBuild')).toEqual([]);
      });

      it('are uncertain on a machine with none of the later ones', () => {
        const text = systeminfo('Windows Server 2019 Standard', '10.0.17763.1', 'KB5000001');
        expect(everyVerdict(judged(text), 'updateWithoutBuild').length).toBeGreaterThan(0);
      });

      it('fixes nothing that is installed beside cumulative updates', () => {
        const build = '10.0.17763.9999';
        const without = judged(systeminfo('Windows Server 2019 Standard', build, 'KB5000001'));
        expect(formatVerdict(without, 'KB5012170')).toBe(
          'uncertain partNotShown not listed → KB5012170',
        );
        const having = judged(systeminfo('Windows Server 2019 Standard', build, 'KB5012170'));
        expect(formatVerdict(having, 'KB5012170')).toBe('fixed');
      });
    });
  });
});
