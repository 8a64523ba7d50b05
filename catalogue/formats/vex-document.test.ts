/** VEX documents of statements that are written here. */
import { expect, test } from 'vitest';
import type { KnownCve } from './csaf-vulnerabilities.ts';
import { mandatoryFailures } from './testing/csaf-documents.ts';
import { readVexFileName, type VexStatement, vexDocument } from './vex-document.ts';

const created = Date.UTC(2026, 0, 1, 12);

function buildDocument(
  statements: readonly [VexStatement, ...VexStatement[]],
  { changed = created, known = new Map<string, KnownCve>() } = {},
) {
  const document = vexDocument(
    { source: 'debian', cve: 'CVE-2031-1000' },
    statements,
    { created, changed },
    {
      publisher: { category: 'multiplier', name: 'Us', namespace: 'https://us.example' },
      baseUrl: 'https://us.example/api/csaf',
      known,
    },
  );
  const [vulnerability] = document?.vulnerabilities ?? [];
  if (document === null || vulnerability === undefined) throw new Error('There is no document');
  const names = new Map(
    document.product_tree.relationships?.map(({ full_product_name: product }) => [
      product.product_id,
      product.name,
    ]),
  );
  const groups = new Map(
    document.product_tree.product_groups?.map((group) => [group.group_id, group.product_ids]),
  );
  const nameAll = (ids: readonly string[] = []) => ids.map((id) => names.get(id));
  return {
    document,
    vulnerability,
    nameAll,
    nameScope: (scope: { group_ids?: readonly string[]; product_ids?: readonly string[] }) =>
      nameAll(scope.product_ids ?? scope.group_ids?.flatMap((id) => groups.get(id) ?? [])),
  };
}

const says = (release: string, word: VexStatement['word'], name = 'wick'): VexStatement => ({
  release,
  package: name,
  word,
});

test('has the status that each word of the vendor stands for, by release and source package', async () => {
  const { document, vulnerability, nameAll, nameScope } = buildDocument([
    says('Debian 10', 'ignored'),
    says('Debian 11', 'open'),
    says('Debian 11', 'postponed', 'wick-lts'),
    says('Debian 12', 'undetermined'),
    says('Debian 13', 'not_affected'),
    says('Debian 13', 'open', 'wick-lts'),
  ]);
  const { product_status: status, remediations = [], threats = [] } = vulnerability;
  expect(nameAll(status.known_affected)).toEqual([
    'wick of Debian 11',
    'wick-lts of Debian 13',
    'wick-lts of Debian 11',
    'wick of Debian 10',
  ]);
  expect(nameAll(status.under_investigation)).toEqual(['wick of Debian 12']);
  expect(nameAll(status.known_not_affected)).toEqual(['wick of Debian 13']);
  expect(remediations.map((one) => [one.category, nameScope(one)])).toEqual([
    ['none_available', ['wick of Debian 11', 'wick-lts of Debian 13']],
    ['none_available', ['wick-lts of Debian 11']],
    ['no_fix_planned', ['wick of Debian 10']],
  ]);
  expect(threats.map((one) => [one.category, nameScope(one)])).toEqual([
    ['impact', ['wick of Debian 13']],
  ]);
  expect(document.document).toMatchObject({
    category: 'csaf_vex',
    title: 'CVE-2031-1000 in wick, wick-lts of Debian',
    tracking: { id: 'DEBIAN-CVE-2031-1000', version: '1.0.0' },
  });
  expect(await mandatoryFailures(document)).toEqual([]);
});

test.each(['open', 'ignored', 'postponed', 'undetermined', 'not_affected'] as const)(
  'is valid with the word %s alone',
  async (word) => {
    const { document } = buildDocument([says('Debian 11', word)]);
    expect(await mandatoryFailures(document)).toEqual([]);
  },
);

test('names source packages by package URLs without a version', () => {
  const { document } = buildDocument([says('Debian 11', 'open'), says('Debian 12', 'open')]);
  const [vendor] = document.product_tree.branches;
  expect(vendor?.branches?.[0]?.product?.product_identification_helper?.purls).toEqual([
    'pkg:deb/debian/wick?arch=source&distro=debian-11',
    'pkg:deb/debian/wick?arch=source&distro=debian-12',
  ]);
});

test('has the last change as its last revision', async () => {
  const { document } = buildDocument([says('Debian 11', 'open')], { changed: created + 1000 });
  expect(document.document.tracking).toMatchObject({
    initial_release_date: '2026-01-01T12:00:00.000Z',
    current_release_date: '2026-01-01T12:00:01.000Z',
    version: '1.20260101.120001000',
    revision_history: [{ number: '1.0.0' }, { number: '1.20260101.120001000' }],
  });
  expect(document.document.references[0]?.url).toBe(
    'https://us.example/api/csaf/2026/debian-cve-2031-1000.json',
  );
  expect(await mandatoryFailures(document)).toEqual([]);
});

test('has the score and exploitation of the CVE, the score for affected products alone', async () => {
  const known = new Map([
    [
      'CVE-2031-1000',
      {
        title: 'Flame in wick',
        score: { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', score: 9.8 },
        exploitedSince: Date.UTC(2026, 4, 6),
      },
    ],
  ]);
  const { document, vulnerability, nameAll } = buildDocument(
    [says('Debian 11', 'open'), says('Debian 12', 'not_affected')],
    { known },
  );
  expect(vulnerability.title).toBe('Flame in wick');
  expect(vulnerability.metrics).toMatchObject([{ content: { cvss_v3: { baseScore: 9.8 } } }]);
  expect(nameAll(vulnerability.metrics?.[0]?.products)).toEqual(['wick of Debian 11']);
  expect(vulnerability.threats?.[1]?.details).toBe(
    'CISA lists it as known exploited since 2026-05-06.',
  );
  expect(await mandatoryFailures(document)).toEqual([]);
  const { vulnerability: unaffected } = buildDocument([says('Debian 12', 'not_affected')], {
    known,
  });
  expect(unaffected).not.toHaveProperty('metrics');
});

test.each([
  ['debian-cve-2031-1000.json', { source: 'debian', cve: 'CVE-2031-1000' }],
  ['pardus-cve-2031-1000.json', null],
  ['debian-cve-2031-1.json', null],
  ['dsa-5000-1.json', null],
])('reads the file name %s', (name, subject) => {
  expect(readVexFileName(name)).toEqual(subject);
});
