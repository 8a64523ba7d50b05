/** Routes of the decisions that records pass a ring, or are declined for it. */
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import {
  decideEndpoint,
  maxDecidedRecords,
  maxDecisions,
  type RingDecision,
  ringDecisionsEndpoint,
  takeBackDecisionEndpoint,
} from '@patch/contract/licensing/ring-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { vendorLists } from '../../records/checkpoints/checkpoint-store.ts';
import type { ClientContext } from '../clients/client-context.ts';
import {
  addDecision,
  countOtherDecisions,
  findRecordsOfName,
  readDecision,
  readDecisions,
  removeDecision,
  type StoredDecision,
} from './decision-store.ts';
import { requireRing } from './ring-routes.ts';
import { lockRings } from './ring-store.ts';

export function decisionRoutes(route: RouteRegistrar, { database, clock }: ClientContext): void {
  route(ringDecisionsEndpoint, async ({ params: { id } }) => {
    await requireRing(database, id);
    const objList = (await readDecisions(database, id)).map(toReply);
    return { objList, totalCount: objList.length };
  });

  route(decideEndpoint, async ({ params: { id: ringId }, body, changed, ...request }) => {
    const decidedBy = requireUser(request).name;
    const [ring, decided] = await database.transaction(async (tx) => {
      await lockRings(tx);
      const stored = await requireRing(tx, ringId);
      const decision = { ...body, ringId, decidedBy, decidedTime: clock() };
      if ((await countOtherDecisions(tx, decision)) >= maxDecisions)
        throw tooMany(
          `The ring ${stored.name} has ${maxDecisions} decisions. Take one back first.`,
        );
      const records = await requireRecords(tx, body);
      return [stored, await requireDecision(tx, await addDecision(tx, decision, records))] as const;
    });
    const reply = toReply(decided);
    changed({ subject: `ring ${ring.name}`, after: reply });
    return reply;
  });

  route(takeBackDecisionEndpoint, async ({ params: { id }, changed }) => {
    const [ring, decision] = await database.transaction(async (tx) => {
      await lockRings(tx);
      const stored = await requireDecision(tx, id);
      await removeDecision(tx, stored);
      return [await requireRing(tx, stored.ringId), stored] as const;
    });
    changed({ subject: `ring ${ring.name}`, before: toReply(decision) });
    return {};
  });
}

const toReply = ({ ringId: _ringId, ...decision }: StoredDecision): RingDecision => ({
  ...decision,
  label: getList(decision.list as ListKey).label,
});

async function requireRecords(
  tx: Queryable,
  { list: key, name }: Pick<RingDecision, 'list' | 'name'>,
): Promise<readonly number[]> {
  const list = vendorLists.find((each) => each.key === key);
  const records = list === undefined ? [] : await findRecordsOfName(tx, list, name);
  if (records.length === 0)
    throw new AppError('not_found', `The list '${key}' has no record with the name '${name}'.`);
  if (records.length > maxDecidedRecords)
    throw tooMany(`More than ${maxDecidedRecords} records have the name '${name}'.`);
  return records;
}

async function requireDecision(tx: Queryable, id: number): Promise<StoredDecision> {
  const decision = await readDecision(tx, id);
  if (decision === null) throw new AppError('no_such_decision', `Decision ${id} does not exist.`);
  return decision;
}

const tooMany = (words: string) => new AppError('too_many_decisions', words);
