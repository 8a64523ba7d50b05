/** Finds the updates that a Windows machine, a Mac and installed applications lack. */
import { getList } from '@patch/catalogue/lists.ts';
import { macCommand, wingetCommand } from '@patch/catalogue/machines/install/install-command.ts';
import { planMac } from '@patch/catalogue/machines/install/mac-plan.ts';
import { findClosers, toTarget } from '@patch/catalogue/machines/install/record-closers.ts';
import { planWindowsSteps } from '@patch/catalogue/machines/install/windows-plan.ts';
import {
  InstalledApplications,
  judgeApplication,
  plainApplicationName,
} from '@patch/catalogue/machines/judgement/application-judgement.ts';
import { applicationVerdicts } from '@patch/catalogue/machines/judgement/application-verdicts.ts';
import {
  judgeMacRelease,
  macVerdict,
} from '@patch/catalogue/machines/judgement/macos-judgement.ts';
import { wordIn } from '@patch/catalogue/machines/judgement/stored-values.ts';
import {
  applicationRelease,
  macRelease,
  windowsUpdate,
} from '@patch/catalogue/machines/judgement/update-record.ts';
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
  findHeldBack,
  getLacking,
  getOpen,
  noFindings,
  readShownFindings,
  recordsByKey,
  toUnjudged,
} from './machine-findings.ts';
import {
  countByField,
  findRecordsByField,
  findRecordsByName,
  type RecordOfList,
  readAllRecords,
} from './machine-records-store.ts';

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
  const records = recordsByKey(found);
  const heldBack = await findHeldBack(database, { records, verdicts }, assessed);
  const open = new Set(getOpen({ records, verdicts, heldBack }, assessed).map(({ key }) => key));
  const steps = planWindowsSteps(all.filter(({ key }) => open.has(key)));
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
    shown: await readShownFindings(database, { records, verdicts }),
    heldBack,
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

export async function assessMac(
  database: Queryable,
  assessed: AssessedMachine,
  signal: AbortSignal,
): Promise<Findings> {
  const { machine } = assessed;
  const found = await readAllRecords(database, getList('macos_patch'), signal);
  if (machine.release === null || found.length === 0)
    return toUnjudged(machine.release === null ? 'machineUnknown' : 'releaseNotInCatalogue', []);
  const records = recordsByKey(found);
  const releases = found.map(toMacRelease);
  const verdicts = new Map(
    releases.map((release) => [release.key, judgeMacRelease(release, machine)]),
  );
  const heldBack = await findHeldBack(database, { records, verdicts }, assessed);
  const open = new Set(getOpen({ records, verdicts, heldBack }, assessed).map(({ key }) => key));
  const steps = planMac(releases.filter(({ key }) => open.has(key)));
  const version = releases.find(({ key }) => key === steps[0]?.key)?.version ?? null;
  const command = version === null ? null : (macCommand(version)?.text ?? null);
  return {
    records,
    verdicts,
    shown: await readShownFindings(database, { records, verdicts }),
    heldBack,
    install: steps.map(({ key }) => ({ key, command, restart: 'Reboot' })),
    closers: findClosers(getLacking(verdicts), steps),
    commandFor: () => command,
    leftOut: countLeftOut(verdicts),
    items: [],
    system: macVerdict(machine, releases, verdicts),
    lists: [{ list: 'macos_patch', part: null }],
    unfixed: [],
  };
}

const toMacRelease = ({ key, content: { row, detail } }: RecordOfList) =>
  macRelease({ key, row, detail });

export async function assessApplications(
  database: Queryable,
  assessed: AssessedMachine,
  signal: AbortSignal,
): Promise<Findings> {
  const { machine } = assessed;
  const judged = machine.applications.filter(({ packaging }) => packaging !== 'snap');
  if (judged.length === 0)
    return { ...noFindings, items: applicationVerdicts(machine.applications, []) };
  const names = judged.flatMap(({ name, identifier }) => [
    name,
    plainApplicationName(name),
    ...(identifier === null ? [] : [identifier]),
  ]);
  const found = await findRecordsByName(
    database,
    getList('thirdparty_patch'),
    [...new Set(names)],
    signal,
  );
  const installed = new InstalledApplications(machine.applications);
  const records = recordsByKey(found);
  const verdicts = new Map(
    found.map((record) => [record.key, judgeApplication(toRelease(record), installed)]),
  );
  const heldBack = await findHeldBack(database, { records, verdicts }, assessed);
  const open = getOpen({ records, verdicts, heldBack }, assessed);
  const install = open.map(({ key }) => {
    const record = records.get(key);
    const release = record === undefined ? null : toRelease(record);
    const command =
      release === null || release.identifier === null || release.version === null
        ? null
        : wingetCommand(release.identifier, release.version);
    return { key, command: command?.text ?? null, restart: null };
  });
  return {
    records,
    verdicts,
    shown: await readShownFindings(database, { records, verdicts }),
    heldBack,
    install,
    closers: findClosers(
      getLacking(verdicts),
      open.map(({ key, evidence }) => ({ key, targets: evidence.map(toTarget) })),
    ),
    commandFor: (keys) => {
      const commands = install.filter(({ key }) => keys.has(key)).map(({ command }) => command);
      return commands.includes(null) ? null : commands.join('\n');
    },
    leftOut: countLeftOut(verdicts),
    items: applicationVerdicts(machine.applications, found.map(toRelease)),
    system: null,
    lists: [{ list: 'thirdparty_patch', part: null }],
    unfixed: [],
  };
}

const toRelease = ({ key, content: { row, detail } }: RecordOfList) =>
  applicationRelease({ key, row, detail });
