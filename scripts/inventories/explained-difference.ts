/**
 * Why a tool of the field and an assessment answer differently about one record. A difference is explained by the versions, names and
 * products that the tool reports, or by the builds and the supersedence of the catalogue. What nothing explains stays unexplained.
 */
import { compareDpkgVersions } from '@patch/catalogue/schemas/dpkg-version.ts';
import { compareRpmVersions } from '@patch/catalogue/schemas/rpm-version.ts';
import type { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import type { ToolAnswer, ToolRow } from './real-tool.ts';

/** Points of ../shared/inventories/semantics.md. */
export const points = {
  'point 2: builds for ksplice and FIPS':
    'Oracle gives them epochs 2 and 10. The tool compares them with plain builds.',
  'point 3: module streams':
    'The fix is of a module stream, the installed package of another one or of none. Version comparison alone takes it for newer.',
  'point 6: kernels side by side':
    'A newer kernel package of the same kind, which has the fix, is installed beside this one. The tool judges each package by itself.',
  'point 7: kernels under new names':
    "A new kernel is a package of a new name, and Debian signs its kernels in a source package of its own. The tool compares packages of the advisory's name only.",
  'point 10: products':
    'The tool finds products by a part of their name, so that it also takes those of another edition.',
  'point 11: components':
    '.NET, Flash, Internet Explorer, Edge and Defender are parts that the inventory does not show. Not judged, and said so.',
  'point 11: hotpatches': 'For enrolled machines only.',
  'point 11: updates without a build':
    'No document states the build that the update brings: uncertain.',
  'point 11: order by build':
    'The machine has a cumulative update of a higher or the same build, but no document says that it supersedes this one.',
  'point 11: order by day':
    'Of a day before that of a cumulative update which the machine has. No document states its build.',
  'point 11: order by number':
    'No document states its day or build. Its number is lower than that of a cumulative update which the machine has.',
  'point 11: supersedence':
    'An installed update supersedes it. The offline scan file says so, the guide that the tool reads does not.',
  'point 11: alternatives':
    'The fix of one month, which an installed monthly rollup of that month or a later one holds.',
  'point 15: the smallest set':
    'Missing here too. What is to install is the newest update, which holds it.',
} as const;
export type Point = keyof typeof points;

export interface Difference {
  readonly record: string;
  readonly reportedBy: 'tool' | 'assessment';
  readonly row: ToolRow | null;
  /** Null: not explained. */
  readonly point: Point | null;
}

/** Installed packages as the tool read them: name, then versions. */
export type InstalledVersions = ReadonlyMap<string, readonly string[]>;

export function packageDifferences(
  tool: ToolAnswer,
  answer: Assessment,
  aliases: ReadonlyMap<string, string>,
  installed: InstalledVersions,
): readonly Difference[] {
  const missing = new Map(
    answer.missing.map((record) => {
      const identifier = record.identifier ?? '';
      return [aliases.get(identifier) ?? identifier, record] as const;
    }),
  );
  const ofTool = [...tool.records]
    .filter(([record]) => !missing.has(record))
    .map(([record, rows]): Difference => {
      const explained = rows.map((row) => packagePoint(row, installed));
      const point = explained.includes(null) ? null : (explained[0] ?? null);
      return { record, reportedBy: 'tool', row: rows[0] ?? null, point };
    });
  const ofAnswer = [...missing]
    .filter(([record]) => !tool.records.has(record))
    .map(([record, { evidence }]): Difference => {
      const kernels = evidence.every(({ name }) => name.startsWith('linux-'));
      const [first] = evidence;
      const row: ToolRow | null =
        first === undefined ? null : [first.name, '', first.installed ?? '', first.fixed ?? ''];
      const point = kernels ? 'point 7: kernels under new names' : null;
      return { record, reportedBy: 'assessment', row, point };
    });
  return [...ofTool, ...ofAnswer];
}

const isModular = (version: string) => /[.+]module[_+]/.test(version);
const findVariant = (version: string) => /\.ksplice\d|_fips\b/.exec(version)?.[0] ?? 'plain';
const kernelFamily = (name: string) => name.replace(/-\d[\d.]*-\d+/, '-#');

/** libsolv compares epochs already; here they only hide the kind of the build. */
function packagePoint([name, , own, fixed]: ToolRow, installed: InstalledVersions): Point | null {
  if (findVariant(own) !== findVariant(fixed)) return 'point 2: builds for ksplice and FIPS';
  if (isModular(own) || isModular(fixed)) return 'point 3: module streams';
  if (!/^(?:kernel|linux)(?:-|$)/.test(name)) return null;
  const beside = [...installed]
    .filter(([other]) => kernelFamily(other) === kernelFamily(name))
    .flatMap(([, versions]) => versions);
  const compare = name.startsWith('linux-') ? compareDpkgVersions : compareRpmVersions;
  return beside.some((version) => compare(version, fixed) >= 0)
    ? 'point 6: kernels side by side'
    : null;
}

/** Explains why the machine has an update of its product that is not installed by its own number. Returns null where nothing in the catalogue says so. */
export type FindReason = (kb: string) => Point | null;

/** Compares Windows updates to install with WES-NG, which lists those that are not superseded. */
export function updateDifferences(
  tool: ToolAnswer,
  answer: Assessment,
  findReason: FindReason,
): readonly Difference[] {
  const install = new Set(answer.install.map(({ identifier }) => identifier));
  const states = new Map(answer.missing.map(({ identifier, state }) => [identifier, state]));
  const ofTool = [...tool.records]
    .filter(([kb]) => !install.has(kb))
    .map(([record, rows]): Difference => {
      const point = statedPoint(states.get(record)) ?? productPoint(rows, tool.product);
      return {
        record,
        reportedBy: 'tool',
        row: rows[0] ?? null,
        point: point ?? findReason(record),
      };
    });
  const ofAnswer = [...install]
    .filter((kb) => !tool.records.has(kb))
    .map((record): Difference => ({ record, reportedBy: 'assessment', row: null, point: null }));
  return [...ofTool, ...ofAnswer];
}

function statedPoint(state: string | undefined): Point | null {
  if (state === 'missing') return 'point 15: the smallest set';
  return state === 'uncertain' ? 'point 11: updates without a build' : null;
}

/** Null for a fix of the machine's own product. */
function productPoint(rows: readonly ToolRow[], product: string | null): Point | null {
  const own = rows.filter(
    ([name]) => name === product || name === `${product} (Server Core installation)`,
  );
  const [name = '', component = ''] = own[0] ?? rows[0] ?? [];
  if (/hot ?patch/i.test(component)) return 'point 11: hotpatches';
  if (component.startsWith('IE ') || / on Windows /.test(name)) return 'point 11: components';
  return own.length === 0 ? 'point 10: products' : null;
}
