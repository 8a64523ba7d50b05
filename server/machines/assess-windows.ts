/** Finds the updates that a Windows machine lacks, by its product, build and installed updates. */

import { getList } from '@patch/catalogue/lists.ts';
import { findClosers } from '@patch/catalogue/machines/install/record-closers.ts';
import { planWindowsSteps } from '@patch/catalogue/machines/install/windows-plan.ts';
import { wordIn } from '@patch/catalogue/machines/judgement/stored-values.ts';
import { windowsUpdate } from '@patch/catalogue/machines/judgement/update-record.ts';
import type { UnjudgedReason } from '@patch/catalogue/machines/judgement/verdict.ts';
import { judgeWindows } from '@patch/catalogue/machines/judgement/windows-judgement.ts';
import {
  isProductUnstated,
  productKey,
  productOfComponent,
  productOfMachine,
} from '@patch/catalogue/machines/judgement/windows-products.ts';
import { kbVerdicts, systemVerdict } from '@patch/catalogue/machines/judgement/windows-verdicts.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';
import { securityUpdateGuidePart } from '@patch/catalogue/vendors/windows/security-update-guide.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { ListMemories } from '../records/memory/list-memories.ts';
import {
  type AssessedMachine,
  countLeftOut,
  type Findings,
  getLacking,
  getOpen,
  recordsByKey,
  toUnjudged,
} from './machine-findings.ts';
import { countByField, findRecordsByField } from './machine-records-store.ts';

const updates = getList('patch_repository');

export async function assessWindows(
  { database, memories }: { readonly database: Queryable; readonly memories: ListMemories },
  assessed: AssessedMachine,
  signal: AbortSignal,
): Promise<Findings> {
  const { machine } = assessed;
  const product = productOfMachine(machine);
  const kbs = machine.kbs.map((kb) => `KB${kb}`);
  if (product === null) return toUnjudged(getUnjudgedReason(machine), kbs);
  const { memory } = await memories.load(updates);
  const names = [...memory.collectValues('productName')];
  const values = names.filter((name) => productKey(name) === product);
  const found = await findRecordsByField(
    database,
    updates,
    { column: 'product_name_folded', values },
    signal,
  );
  if (found.length === 0) return toUnjudged('releaseNotInCatalogue', kbs);
  const all = found
    .map(({ key, content: { row, detail } }) => windowsUpdate({ key, row, detail }))
    .filter((update) => update !== null);
  const verdicts = judgeWindows(machine, all);
  const judged = {
    product: found[0]?.content.row['productName'] as string,
    updates: all,
    records: verdicts,
  };
  const missing = new Set(getOpen(verdicts, assessed).map(({ key }) => key));
  const steps = planWindowsSteps(all.filter(({ key }) => missing.has(key)));
  const records = recordsByKey(found);
  const install = steps.map(({ key }) => {
    const row = records.get(key)?.content.row;
    return {
      key,
      command: null,
      restart: row === undefined ? null : wordIn(row, 'restartBehaviour'),
    };
  });
  return {
    records,
    verdicts,
    install,
    closers: findClosers(getLacking(verdicts), steps),
    commandFor: () => null,
    leftOut: addComponents(
      countLeftOut(verdicts),
      await countByField(database, updates, {
        column: 'product_name_folded',
        values: names.filter((name) => productOfComponent(name) === product),
      }),
    ),
    items: kbVerdicts(machine, judged),
    system: systemVerdict(judged),
    lists: [{ list: updates.key, part: securityUpdateGuidePart.key }],
    unfixed: [],
  };
}

function getUnjudgedReason(machine: Machine): UnjudgedReason {
  if (machine.build === null) return 'machineUnknown';
  return isProductUnstated(machine) ? 'productUnstated' : 'releaseNotInCatalogue';
}

/** Adds fixes of components such as .NET and browsers on this Windows to the updates whose line names such a component. */
function addComponents(leftOut: Findings['leftOut'], count: number): Findings['leftOut'] {
  if (count === 0) return leftOut;
  const others = leftOut.filter(({ reason }) => reason !== 'componentNotShown');
  const own = leftOut.find(({ reason }) => reason === 'componentNotShown')?.count ?? 0;
  return [...others, { reason: 'componentNotShown', count: own + count }];
}
