/** Which updates of a Windows product a machine misses, over the graph of what replaces what and the builds that updates bring. */
import type { Machine } from '../machine.ts';
import type { FixEvidence, Verdict, WindowsUpdate } from './machine-fixes.ts';
import { revisionOn, windowsBuild } from './windows-builds.ts';

/** An update with a higher build of these lines holds all that lower ones hold. */
const cumulativeLines: readonly string[] = ['Cumulative update', 'Monthly rollup'];
/** Held by cumulative updates of a higher build. */
const heldLines: readonly string[] = [
  ...cumulativeLines,
  'Out-of-band',
  'Preview',
  'Security update',
];
/** What a monthly rollup holds too: alternatives to it, of which one is enough. */
const alternativeLines: readonly string[] = ['Security only', 'Internet Explorer'];
/** Beside the cumulative update: only what replaces it can stand for it. */
const separateLines: readonly string[] = ['Servicing stack', 'Standalone update'];

/** Verdicts by the key of the update. `updates` are all those of the machine's product, not a part of them. */
export function judgeWindows(
  machine: Pick<Machine, 'build' | 'kbs'>,
  updates: readonly WindowsUpdate[],
): ReadonlyMap<string, Verdict> {
  const state = stateOf(machine, updates);
  return new Map(updates.map((update) => [update.key, verdictOf(update, state)]));
}

interface WindowsState {
  /** Of the releases that are serviced together. */
  readonly branch: string;
  /** 10.0.17763 */
  readonly release: string;
  /** The fourth number, of `ver` or of the installed updates; null where neither tells it. */
  readonly revision: number | null;
  /** Installed KBs, and all that they replace. */
  readonly held: ReadonlySet<string>;
  /** The highest number of an installed KB that no update of the product has. */
  readonly highestUnknown: number;
  /** When the newest installed monthly rollup came; null where none is. */
  readonly newestRollup: number | null;
}

function stateOf(
  { build, kbs }: Pick<Machine, 'build' | 'kbs'>,
  updates: readonly WindowsUpdate[],
): WindowsState {
  const own = windowsBuild(build);
  const branch = own?.branch ?? '';
  const installed = new Set(kbs);
  const known = new Set(updates.flatMap(({ kb, supersededBy }) => [kb, ...supersededBy]));
  const present = updates.filter(({ kb }) => installed.has(kb));
  const revisions = present
    .filter(({ line }) => heldLines.includes(line))
    .map(({ fixedBuilds }) => revisionOn(branch, fixedBuilds))
    .filter((revision) => revision !== null);
  const rollups = present.filter(({ line }) => line === 'Monthly rollup');
  return {
    branch,
    release: build?.split('.').slice(0, 3).join('.') ?? '',
    revision: own?.revision ?? (revisions.length > 0 ? Math.max(...revisions) : null),
    held: new Set([...installed, ...replacedBy(installed, updates)]),
    highestUnknown: kbs.reduce(
      (high, kb) => (known.has(kb) ? high : Math.max(high, Number(kb))),
      0,
    ),
    newestRollup: rollups.reduce<number | null>(
      (newest, { releaseDate }) => Math.max(newest ?? 0, releaseDate ?? 0),
      null,
    ),
  };
}

/** Updates that an installed one replaces, directly or through others that need not be installed. */
function replacedBy(
  installed: ReadonlySet<string>,
  updates: readonly WindowsUpdate[],
): Set<string> {
  const replaces = new Map<string, string[]>();
  for (const { kb, supersededBy } of updates) {
    for (const newer of supersededBy) replaces.set(newer, [...(replaces.get(newer) ?? []), kb]);
  }
  const reached = new Set<string>();
  const open = [...installed];
  for (let kb = open.pop(); kb !== undefined; kb = open.pop()) {
    for (const older of replaces.get(kb) ?? []) {
      if (reached.has(older)) continue;
      reached.add(older);
      open.push(older);
    }
  }
  return reached;
}

function verdictOf(update: WindowsUpdate, state: WindowsState): Verdict {
  const { line, kb } = update;
  if (state.held.has(kb) || line === 'Preview') return notMissing;
  if (line === 'Hotpatch') return { kind: 'notJudged', reason: 'hotpatch' };
  if (alternativeLines.includes(line) && isHeldByRollup(update, state)) return notMissing;
  if (separateLines.includes(line)) return missing(update, state);
  if (!heldLines.includes(line) && line !== 'Security only')
    return { kind: 'notJudged', reason: 'componentNotShown' };
  return byBuild(update, state);
}

const notMissing: Verdict = { kind: 'notMissing' };

/** By the month: rollups hold the fixes of all months before. */
const isHeldByRollup = ({ releaseDate }: WindowsUpdate, { newestRollup }: WindowsState) =>
  newestRollup !== null && releaseDate !== null && newestRollup >= releaseDate;

function byBuild(update: WindowsUpdate, state: WindowsState): Verdict {
  const fixed = revisionOn(state.branch, update.fixedBuilds);
  if (fixed === null)
    return { kind: 'uncertain', reason: 'updateWithoutBuild', evidence: evidence(update, state) };
  if (state.revision !== null) return state.revision >= fixed ? notMissing : missing(update, state);
  // Windows lists the newest cumulative update that is installed: one that is unknown here and newer may hold this one.
  return state.highestUnknown > Number(update.kb)
    ? { kind: 'uncertain', reason: 'unknownInstalledKb', evidence: evidence(update, state) }
    : missing(update, state);
}

const missing = (update: WindowsUpdate, state: WindowsState): Verdict => ({
  kind: 'missing',
  evidence: evidence(update, state),
});

function evidence({ kb, fixedBuilds }: WindowsUpdate, state: WindowsState): readonly FixEvidence[] {
  const { release, revision } = state;
  return [
    {
      name: `KB${kb}`,
      architecture: null,
      installed: revision === null ? release : `${release}.${revision}`,
      fixed: fixedBuilds[0] ?? `KB${kb}`,
      install: null,
    },
  ];
}
