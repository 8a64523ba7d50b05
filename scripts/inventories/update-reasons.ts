/** Finds in the catalogue, update by update, why a Windows machine has an update that it does not list. */
import type { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import type { FindReason, Point } from './explained-difference.ts';
import type { CataloguedUpdate, RepositorySession } from './repository-session.ts';

/** Reads all that it needs of `kbs` in advance: the function that it returns makes no calls. */
export async function readUpdateReasons(
  session: RepositorySession,
  kbs: readonly string[],
  { product, installed, answer }: WindowsMachine,
): Promise<FindReason> {
  const known = new Map<string, CataloguedUpdate | null>();
  const findUpdate = async (kb: string) => {
    const found = known.get(kb);
    if (found !== undefined) return found;
    const rows = await session.updatesOf(kb);
    const own = rows.find(({ productName }) => productName === product) ?? null;
    known.set(kb, own);
    return own;
  };
  const present: CataloguedUpdate[] = [];
  for (const kb of installed) {
    const update = await findUpdate(kb);
    if (update !== null) present.push(update);
  }
  const revision = Math.max(
    parseRevision(answer.machine.build) ?? 0,
    ...present
      .flatMap(({ fixedBuild }) => fixedBuild ?? [])
      .map((build) => parseRevision(build) ?? 0),
  );
  const candidates: (readonly [kb: string, update: CataloguedUpdate])[] = [];
  for (const kb of kbs) {
    const update = await findUpdate(kb);
    if (update !== null) candidates.push([kb, update]);
  }
  const cumulative = [...present, ...candidates.map(([, update]) => update)].filter(
    (update) =>
      isCumulative(update) && (present.includes(update) || lowestRevision(update) <= revision),
  );
  const newestDay = Math.max(...cumulative.map(({ releaseDate }) => releaseDate ?? 0));
  const newestNumber = Math.max(...cumulative.map(({ kbId }) => parseNumber(kbId)));
  const reasons = new Map<string, Point>();
  for (const [kb, update] of candidates) {
    const newer = await listSuccessors(update, findUpdate);
    if (newer.some((one) => installed.includes(one))) reasons.set(kb, 'point 11: supersedence');
    else if (lowestRevision(update) <= revision) reasons.set(kb, 'point 11: order by build');
    else if (lowestRevision(update) !== Infinity || !isIncludedInLater(update)) continue;
    else if (update.releaseDate === null && parseNumber(update.kbId) < newestNumber)
      reasons.set(kb, 'point 11: order by number');
    else if ((update.releaseDate ?? Infinity) <= newestDay)
      reasons.set(kb, isAlternative(update) ? 'point 11: alternatives' : 'point 11: order by day');
  }
  return (kb) => reasons.get(kb) ?? null;
}

interface WindowsMachine {
  /** As the guide names it. */
  readonly product: string | null;
  /** KBs. */
  readonly installed: readonly string[];
  readonly answer: Assessment;
}

const isCumulative = ({ line }: CataloguedUpdate) =>
  line === 'Monthly rollup' || line === 'Cumulative update';

const isAlternative = ({ line }: CataloguedUpdate) =>
  line === 'Security only' || line === 'Internet Explorer';

/** Servicing stacks and Secure Boot updates stay beside the cumulative ones. */
const isIncludedInLater = (update: CataloguedUpdate) =>
  isCumulative(update) || isAlternative(update) || update.line === 'Security update';

/** Infinity for an update whose build no document states. */
const lowestRevision = ({ fixedBuild }: CataloguedUpdate): number =>
  Math.min(...(fixedBuild ?? []).map((build) => parseRevision(build) ?? Infinity));

const parseNumber = (kb: string | null): number => Number(kb?.replace(/^KB/i, '') ?? 0);

const parseRevision = (build: string | null): number | null => {
  const revision = build?.split('.')[3];
  return revision === undefined ? null : Number(revision);
};

async function listSuccessors(
  update: CataloguedUpdate,
  findUpdate: (kb: string) => Promise<CataloguedUpdate | null>,
): Promise<readonly string[]> {
  const reached = new Set<string>();
  const waiting = [...(update.supersededBy ?? [])];
  for (let kb = waiting.pop(); kb !== undefined; kb = waiting.pop()) {
    if (reached.has(kb)) continue;
    reached.add(kb);
    waiting.push(...((await findUpdate(kb))?.supersededBy ?? []));
  }
  return [...reached];
}
