/** docs/inventories.md: every inventory with its result, and what a tool of the field answers. */
import type { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import { type Difference, type Point, points } from './explained-difference.ts';

export interface InventoryResult {
  readonly name: string;
  /** In the format that says most. */
  readonly answer: Assessment;
  /** The same machine in other formats. */
  readonly others: readonly { readonly format: string; readonly answer: Assessment }[];
  readonly comparison: Comparison | null;
}

export type Comparison =
  | { readonly kind: 'unavailable'; readonly reason: string }
  | {
      readonly kind: 'compared';
      readonly tool: string;
      readonly records: number;
      readonly differences: readonly Difference[];
    };

export function inventoryPage(results: readonly InventoryResult[]): string {
  return [
    '# Inventories and their results',
    '',
    'Written by `npm run inventories`: each inventory of `../shared/inventories` is sent to a service that has synced `../shared/feed-mirror`, and where a tool of the field can be had its answer stands beside it. The mirror holds parts of the feeds: the figures say how well machines are judged, not how patched they are.',
    '',
    '## Results',
    '',
    ...resultTable(results),
    '',
    '*Critical* to *unspecified* are the records that are certainly missing, by severity; *Pro* those that need a subscription; *not judged* are packages and KBs that were read and not judged, *share* their part of all that was read, *left out* records that were not compared; the reasons stand below. *No fix* are vulnerabilities that the vendor knows and has not fixed.',
    '',
    ...totalLines(results),
    '',
    '## Why records were not judged',
    '',
    ...reasonTable(results),
    '',
    '## The same machine in other formats',
    '',
    'A format that says less must not say otherwise: what it cannot decide is uncertain.',
    '',
    ...formatTable(results),
    '',
    '## Tools of the field',
    '',
    "- **libsolv**, the library of dnf and zypper (`scripts/inventories/rpm-updates.py`): the vendor's updateinfo, or its errata written as updateinfo, against the installed packages with their epochs.",
    "- **apt** (`deb-updates.py`): Debian's advisory lists and Ubuntu's notices, compared by apt's own library.",
    "- **WES-NG's rule** (`wes-updates.py`): written after `determine_missing_patches` of wes.py 1.02 over the guide's documents in the mirror. WES-NG's own definitions and its package could not be had where this page was written; the rule is compared with what is to install.",
    '- macOS: no tool outside of macOS judges it. The Windows Update Agent and `dnf` as a whole were not at hand.',
    '',
    ...comparisonTable(results),
    '',
    '## Differences',
    '',
    'Three defects of the assessment were found by this comparison and mended: notices of Ubuntu were never found, because their packages stand in a table of each release alone; patches of openSUSE were to be installed by the name of their announcement, which zypper does not know; fixes of .NET and the like were left out without saying so.',
    '',
    ...differenceTable(results),
    '',
    ...exampleLines(results),
    '',
  ].join('\n');
}

const cells = (values: readonly (string | number)[]) => `| ${values.join(' | ')} |`;
const heading = (names: readonly string[], numbers: number) => [
  cells(names),
  `|${names.map((_, index) => (index < names.length - numbers ? '---' : '--:')).join('|')}|`,
];

const countLeftOut = ({ leftOut }: Assessment) =>
  leftOut.reduce((sum, { count }) => sum + count, 0);

const countMissing = ({ missing }: Assessment) =>
  missing.filter(({ state }) => state === 'missing').length;

const share = (part: number, total: number) =>
  total === 0 ? '0 %' : `${((100 * part) / total).toFixed(1)} %`;

function formatSize({ packages, kbs }: Assessment['machine']): string {
  return packages > 0 ? String(packages) : kbs > 0 ? `${kbs} KBs` : '';
}

function resultTable(results: readonly InventoryResult[]): readonly string[] {
  const names = ['inventory', 'release', 'end of support', 'packages', 'unread lines'];
  const figures = ['critical', 'important', 'moderate', 'low', 'unspecified'];
  const more = ['to install', 'Pro', 'uncertain', 'not judged', 'share', 'left out', 'no fix'];
  return [
    ...heading([...names, ...figures, ...more], figures.length + more.length + 2),
    ...results.map(({ name, answer }) => {
      const { machine, counts, install, unreadableLines, noFix } = answer;
      return cells([
        name,
        [machine.distribution ?? '', machine.release ?? machine.build ?? ''].join(' '),
        machine.endOfLife === null ? '' : new Date(machine.endOfLife).toISOString().slice(0, 10),
        formatSize(machine),
        unreadableLines,
        counts.critical,
        counts.important,
        counts.moderate,
        counts.low,
        counts.unspecified,
        install.length,
        counts.needsSubscription,
        counts.uncertain,
        answer.verdicts.notJudged,
        share(answer.verdicts.notJudged, answer.verdicts.read),
        countLeftOut(answer),
        noFix.length,
      ]);
    }),
  ];
}

function totalLines(results: readonly InventoryResult[]): readonly string[] {
  const sum = (of: (answer: Assessment) => number) =>
    results.reduce((all, { answer }) => all + of(answer), 0);
  const [missing, uncertain] = [sum(countMissing), sum(({ counts }) => counts.uncertain)];
  const unjudged = results.filter(({ answer }) =>
    answer.notJudged.some(({ reason }) =>
      /^(?:releaseNotInCatalogue|machineUnknown)$/.test(reason),
    ),
  );
  return [
    `${results.length} inventories, ${missing.toLocaleString('en')} missing records, ${uncertain} uncertain (${share(uncertain, missing + uncertain)} of both). Not judged as a whole: ${unjudged.length} of ${results.length} (${share(unjudged.length, results.length)})${unjudged.length === 0 ? '' : `: ${unjudged.map(({ name }) => name).join(', ')}`}.`,
  ];
}

function reasonTable(results: readonly InventoryResult[]): readonly string[] {
  const read = results.reduce((sum, { answer }) => sum + answer.verdicts.read, 0);
  const counts = new Map<string, { records: number; machines: number }>();
  const add = (reason: string, count: number) => {
    const known = counts.get(reason) ?? { records: 0, machines: 0 };
    counts.set(reason, { records: known.records + count, machines: known.machines + 1 });
  };
  for (const { answer } of results) {
    for (const { reason, count } of answer.notJudged) add(`not judged: ${reason}`, count);
    if (answer.noAdvisory.count > 0) add('no advisory', answer.noAdvisory.count);
    for (const { reason, count } of answer.leftOut) add(`left out: ${reason}`, count);
    const uncertain = answer.missing.flatMap(({ state, reason }) =>
      state === 'uncertain' ? [reason ?? ''] : [],
    );
    for (const [reason, found] of Map.groupBy(uncertain, (one) => one))
      add(`uncertain: ${reason}`, found.length);
  }
  return [
    ...heading(['reason', 'records or packages', 'inventories', 'share of what was read'], 3),
    ...[...counts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([reason, { records, machines }]) =>
        cells([
          reason,
          records,
          machines,
          reason.startsWith('not judged') ? share(records, read) : '',
        ]),
      ),
  ];
}

function formatTable(results: readonly InventoryResult[]): readonly string[] {
  const rows = results.flatMap(({ name, answer, others }) => {
    const best = new Set(answer.missing.flatMap(certain));
    return others.map((other) => {
      const found = other.answer.missing.flatMap(certain);
      const { counts, unreadableLines } = other.answer;
      const more = found.filter((one) => !best.has(one)).length;
      const fewer = [...best].filter((one) => !found.includes(one)).length;
      return cells([
        name,
        other.format,
        unreadableLines,
        found.length,
        counts.uncertain,
        more,
        fewer,
      ]);
    });
  });
  const names = ['inventory', 'format', 'unread lines', 'missing', 'uncertain'];
  return [...heading([...names, 'more than above', 'fewer than above'], 5), ...rows];
}

const certain = ({ state, list, recordId }: Assessment['missing'][number]) =>
  state === 'missing' ? [`${list} ${recordId}`] : [];

function comparisonTable(results: readonly InventoryResult[]): readonly string[] {
  return [
    ...heading(
      ['inventory', 'tool', 'of the tool', 'of the assessment', 'differences', 'unexplained'],
      4,
    ),
    ...results.flatMap(({ name, answer, comparison }) => {
      if (comparison === null) return [];
      if (comparison.kind === 'unavailable')
        return [cells([name, `not available: ${comparison.reason}`, '', '', '', ''])];
      const { tool, records, differences } = comparison;
      const own = tool.startsWith('WES') ? answer.install.length : answer.missing.length;
      const open = differences.filter(({ point }) => point === null).length;
      return [cells([name, tool, records, own, differences.length, open])];
    }),
  ];
}

const allDifferences = (results: readonly InventoryResult[]) =>
  results.flatMap(({ name, comparison }) =>
    comparison?.kind === 'compared'
      ? comparison.differences.map((difference) => ({ name, ...difference }))
      : [],
  );

function differenceTable(results: readonly InventoryResult[]): readonly string[] {
  const found = Map.groupBy(allDifferences(results), ({ point }) => point);
  const row = (point: Point) => {
    const of = found.get(point) ?? [];
    const tool = of.filter(({ reportedBy }) => reportedBy === 'tool').length;
    return cells([point, points[point], tool, of.length - tool]);
  };
  return [
    ...heading(['point of semantics.md', 'why', 'only the tool', 'only the assessment'], 2),
    ...(Object.keys(points) as Point[]).map(row),
    cells(['unexplained', '', (found.get(null) ?? []).length, '']),
  ];
}

/** One of each kind with its two versions, and all that nothing explains. */
function exampleLines(results: readonly InventoryResult[]): readonly string[] {
  const found = Map.groupBy(allDifferences(results), ({ point }) => point);
  const shown = [...found].flatMap(([point, all]) => (point === null ? all : all.slice(0, 3)));
  if (shown.length === 0) return [];
  return [
    'Three of each kind:',
    '',
    ...heading(
      ['point', 'inventory', 'record', 'package or product', 'installed', 'fixed or superseded'],
      0,
    ),
    ...shown.map(({ point, name, record, row }) =>
      cells([point ?? 'unexplained', name, record, row?.[0] ?? '', row?.[2] ?? '', row?.[3] ?? '']),
    ),
  ];
}
