/** Why a Windows machine holds an update that it does not list: asked of the catalogue, update by update. */
import type { Assessment } from '@patch/contract/assessment-endpoint.ts';
import type { HeldBecause, Point } from './explained-difference.ts';
import type { CataloguedUpdate, RepositorySession } from './repository-session.ts';

/** Reads what it needs to know of `kbs`, so that the answer needs no further calls. */
export async function heldUpdates(
  session: RepositorySession,
  kbs: readonly string[],
  { product, installed, answer }: HeldOn,
): Promise<HeldBecause> {
  const known = new Map<string, CataloguedUpdate | null>();
  const updateOf = async (kb: string) => {
    const found = known.get(kb);
    if (found !== undefined) return found;
    const rows = await session.updatesOf(kb);
    const own = rows.find(({ productName }) => productName === product) ?? null;
    known.set(kb, own);
    return own;
  };
  const present: CataloguedUpdate[] = [];
  for (const kb of installed) {
    const update = await updateOf(kb);
    if (update !== null) present.push(update);
  }
  const rollup = Math.max(
    ...present
      .filter(({ line }) => line === 'Monthly rollup')
      .map(({ releaseDate }) => releaseDate ?? 0),
  );
  const revision = Math.max(
    revisionOf(answer.machine.build) ?? 0,
    ...present.flatMap(({ fixedBuild }) => fixedBuild ?? []).map((build) => revisionOf(build) ?? 0),
  );
  const reasons = new Map<string, Point>();
  for (const kb of kbs) {
    const update = await updateOf(kb);
    if (update === null) continue;
    const newer = await successorsOf(update, updateOf);
    const builds = (update.fixedBuild ?? []).map(revisionOf).filter((one) => one !== null);
    if (newer.some((one) => installed.includes(one))) reasons.set(kb, 'point 11: supersedence');
    else if (
      /^(?:Security only|Internet Explorer)$/.test(update.line ?? '') &&
      rollup >= (update.releaseDate ?? Infinity)
    )
      reasons.set(kb, 'point 11: alternatives');
    else if (builds.length > 0 && Math.min(...builds) <= revision)
      reasons.set(kb, 'point 11: order by build');
  }
  return (kb) => reasons.get(kb) ?? null;
}

interface HeldOn {
  /** As the guide names it. */
  readonly product: string | null;
  /** KBs. */
  readonly installed: readonly string[];
  readonly answer: Assessment;
}

const revisionOf = (build: string | null): number | null => {
  const revision = build?.split('.')[3];
  return revision === undefined ? null : Number(revision);
};

async function successorsOf(
  update: CataloguedUpdate,
  updateOf: (kb: string) => Promise<CataloguedUpdate | null>,
): Promise<readonly string[]> {
  const reached = new Set<string>();
  const waiting = [...(update.supersededBy ?? [])];
  for (let kb = waiting.pop(); kb !== undefined; kb = waiting.pop()) {
    if (reached.has(kb)) continue;
    reached.add(kb);
    waiting.push(...((await updateOf(kb))?.supersededBy ?? []));
  }
  return [...reached];
}
