/** Which updates of a Windows product a machine misses, over the graph of what replaces what and the builds that updates bring. */
import type { Machine } from '../machine.ts';
import type {
  FixEvidence,
  RecordVerdict,
  UncertainReason,
  WindowsUpdate,
} from './machine-fixes.ts';
import { revisionOn, windowsBuild } from './windows-builds.ts';

/** An update with a higher build of these lines holds all that lower ones hold. */
const cumulativeLines: readonly string[] = ['Cumulative update', 'Monthly rollup'];
/** Held by cumulative updates of a higher build. */
const heldLines: readonly string[] = [
  ...cumulativeLines,
  'Out-of-band',
  'Preview',
  'Security update',
  'Standalone update',
  'Hotpatch',
];
/** A machine that has one of them has what was fixed before its day. */
const wholeLines: readonly string[] = [...cumulativeLines, 'Out-of-band', 'Preview'];
/** What a monthly rollup holds too: alternatives to it, of which one is enough. */
const alternativeLines: readonly string[] = ['Security only', 'Internet Explorer'];
/** Beside the cumulative updates, which do not hold them: only the list of installed updates tells of them. */
const separateLines: readonly string[] = ['Servicing stack', 'Separate update'];

type WindowsMachine = Pick<Machine, 'build' | 'kbs' | 'unlistedKbs'>;

/** Verdicts by the key of the update. `updates` are all those of the machine's product, not a part of them. */
export function judgeWindows(
  machine: WindowsMachine,
  updates: readonly WindowsUpdate[],
): ReadonlyMap<string, RecordVerdict> {
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
  /** Whether the text states the revision. Otherwise it is that of the installed updates that are listed. */
  readonly isRevisionStated: boolean;
  /** KBs that are installed or whose build is reached, and all that they replace. */
  readonly held: ReadonlySet<string>;
  /** The highest number of an installed KB that no update of the product has. */
  readonly highestUnknown: number;
  /** When the newest installed monthly rollup came; null where none is. */
  readonly newestRollup: number | null;
  /** When the newest cumulative update came that the machine has; null where none is known. */
  readonly heldUntil: number | null;
  /** The day of an update, or before which it came where no document states the day; null where nothing bounds it. */
  readonly latestDayOf: (update: WindowsUpdate) => number | null;
  /** Hotpatches that are installed, by their KBs or by their builds. */
  readonly hotpatches: readonly WindowsUpdate[];
  /** Cumulative updates of the branch, ascending by their revisions. */
  readonly revisions: readonly number[];
  /** Null where the list of installed updates can be relied on. */
  readonly listDoubt: UncertainReason | null;
}

function stateOf(machine: WindowsMachine, updates: readonly WindowsUpdate[]): WindowsState {
  const { build, kbs, unlistedKbs = 0 } = machine;
  const own = windowsBuild(build);
  const branch = own?.branch ?? '';
  const revisionOf = ({ fixedBuilds }: WindowsUpdate) => revisionOn(branch, fixedBuilds);
  const installed = new Set(kbs);
  const known = new Set(updates.flatMap(({ kb, supersededBy }) => [kb, ...supersededBy]));
  const listed = updates
    .filter(({ kb }) => installed.has(kb))
    .filter(({ line }) => heldLines.includes(line) && line !== 'Standalone update')
    .map(revisionOf);
  const revision = own?.revision ?? highest(listed);
  const whole = updates.filter(({ line }) => wholeLines.includes(line));
  const isReached = (update: WindowsUpdate) =>
    revision !== null && revision >= (revisionOf(update) ?? Number.POSITIVE_INFINITY);
  const present = new Set([...installed, ...whole.filter(isReached).map(({ kb }) => kb)]);
  const held = present.union(replacedBy(present, updates));
  const rollups = updates.filter(({ line, kb }) => line === 'Monthly rollup' && installed.has(kb));
  return {
    branch,
    release: build?.split('.').slice(0, 3).join('.') ?? '',
    revision,
    isRevisionStated: own?.revision !== null,
    held,
    highestUnknown: kbs.reduce(
      (high, kb) => (known.has(kb) ? high : Math.max(high, Number(kb))),
      0,
    ),
    newestRollup: highest(rollups.map(({ releaseDate }) => releaseDate)),
    heldUntil: highest(whole.filter(({ kb }) => held.has(kb)).map((one) => one.releaseDate)),
    latestDayOf: latestDays(updates),
    hotpatches: updates.filter(
      (one) =>
        one.line === 'Hotpatch' &&
        (installed.has(one.kb) || (revision !== null && revisionOf(one) === revision)),
    ),
    revisions: whole.flatMap((one) => revisionOf(one) ?? []).toSorted((a, b) => a - b),
    listDoubt: unlistedKbs > 0 ? 'unlistedHotfixes' : kbs.length === 0 ? 'revisionUnstated' : null,
  };
}

/** The number of updates with higher numbers that bound the day of one without, and the days by which a number may precede its release. */
const witnesses = 3;
const numberTakenAheadMs = 90 * 86_400_000;

/** Numbers of KBs rise with time, though not strictly. */
function latestDays(updates: readonly WindowsUpdate[]): WindowsState['latestDayOf'] {
  const dated = [...new Map(updates.map((one) => [Number(one.kb), one.releaseDate]))]
    .flatMap(([number, day]) => (day === null ? [] : [{ number, day }]))
    .toSorted((a, b) => a.number - b.number);
  return ({ kb, releaseDate }) => {
    if (releaseDate !== null) return releaseDate;
    const next = dated.filter(({ number }) => number > Number(kb)).slice(0, witnesses);
    return next.length < witnesses
      ? null
      : Math.max(...next.map(({ day }) => day)) + numberTakenAheadMs;
  };
}

const highest = (numbers: readonly (number | null)[]): number | null =>
  numbers.reduce((high, one) => (one === null ? high : Math.max(high ?? one, one)), null);

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

function verdictOf(update: WindowsUpdate, state: WindowsState): RecordVerdict {
  const { line, kb, fixedBuilds } = update;
  if (state.held.has(kb) || line === 'Preview') return notMissing;
  if (alternativeLines.includes(line) && isHeldByRollup(update, state)) return notMissing;
  if (separateLines.includes(line)) return withoutBuild(update, state);
  if (!heldLines.includes(line) && line !== 'Security only')
    return { kind: 'notJudged', reason: 'componentNotShown' };
  const fixed = revisionOn(state.branch, fixedBuilds);
  if (fixed !== null) return byBuild(update, fixed, state);
  if (fixedBuilds.some((text) => windowsBuild(text) !== null))
    return { kind: 'notJudged', reason: 'otherBranch' };
  if (line === 'Hotpatch') return { kind: 'notJudged', reason: 'hotpatch' };
  if (line === 'Standalone update') return withoutBuild(update, state);
  return isHeldByDay(update, state)
    ? notMissing
    : { kind: 'uncertain', reason: 'updateWithoutBuild', evidence: evidence(update, null, state) };
}

const notMissing: RecordVerdict = { kind: 'notMissing' };

/** By the month: rollups hold the fixes of all months before. */
const isHeldByRollup = (update: WindowsUpdate, { newestRollup, latestDayOf }: WindowsState) =>
  isNotAfter(latestDayOf(update), newestRollup);

/** Where no document states the build of the update, the day of a later one that the machine has bounds it. */
const isHeldByDay = (update: WindowsUpdate, { heldUntil, latestDayOf }: WindowsState) =>
  isNotAfter(latestDayOf(update), heldUntil);

const isNotAfter = (day: number | null, until: number | null) =>
  day !== null && until !== null && day <= until;

function byBuild(update: WindowsUpdate, fixed: number, state: WindowsState): RecordVerdict {
  const { revision, isRevisionStated, listDoubt, hotpatches, highestUnknown } = state;
  const found = evidence(update, fixed, state);
  if (revision !== null && revision >= fixed) return notMissing;
  if (hotpatches.some((one) => isAlternative(one, update, fixed, state))) return notMissing;
  if (update.line === 'Hotpatch' && hotpatches.length === 0)
    return { kind: 'notJudged', reason: 'hotpatch' };
  if (isRevisionStated) return { kind: 'missing', evidence: found };
  if (listDoubt !== null) return { kind: 'uncertain', reason: listDoubt, evidence: found };
  // Windows lists the newest cumulative update that is installed: one that is unknown here and newer may hold this one.
  return revision === null && highestUnknown > Number(update.kb)
    ? { kind: 'uncertain', reason: 'unknownInstalledKb', evidence: found }
    : { kind: 'missing', evidence: found };
}

/** A hotpatch and the cumulative update of its month close the same vulnerabilities; that of the hotpatch has the next higher build. */
function isAlternative(
  hotpatch: WindowsUpdate,
  update: WindowsUpdate,
  fixed: number,
  { branch, revisions }: WindowsState,
): boolean {
  const own = revisionOn(branch, hotpatch.fixedBuilds);
  if (own === null || own > fixed) return false;
  if (hotpatch.releaseDate !== null && update.releaseDate !== null)
    return monthOf(hotpatch.releaseDate) === monthOf(update.releaseDate);
  return !revisions.some((revision) => revision > own && revision < fixed);
}

const monthOf = (time: number) => new Date(time).toISOString().slice(0, 7);

/** By the list of installed updates alone. */
function withoutBuild(update: WindowsUpdate, state: WindowsState): RecordVerdict {
  const found = evidence(update, null, state);
  // Secure Boot, a recovery partition: Windows Update offers the update only to machines that use the part.
  const partDoubt = update.line === 'Separate update' ? 'partNotShown' : null;
  const doubt = state.listDoubt ?? partDoubt;
  return doubt === null
    ? { kind: 'missing', evidence: found }
    : { kind: 'uncertain', reason: doubt, evidence: found };
}

/** Two builds of one release, or whether the KB is in the list. */
function evidence(
  { kb }: WindowsUpdate,
  fixed: number | null,
  { release, revision }: WindowsState,
): readonly FixEvidence[] {
  const installed = revision === null ? release : `${release}.${revision}`;
  return [
    {
      name: `KB${kb}`,
      architecture: null,
      installed: fixed === null ? 'not listed' : installed,
      fixed: fixed === null ? `KB${kb}` : `${release}.${fixed}`,
      install: null,
    },
  ];
}
