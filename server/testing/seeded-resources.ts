/** Creates a resource of every kind that calls refer to in their paths and bodies. */
import { createHash, randomBytes } from 'node:crypto';
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import { z } from 'zod';
import { addException } from '../fleet/exceptions/exception-store.ts';
import { addGroup } from '../fleet/groups/machine-group-store.ts';
import { takeReports } from '../fleet/intake/take-reports.ts';
import { addNote } from '../fleet/notes/note-store.ts';
import { addPlan } from '../fleet/plan/plan-store.ts';
import { addReportMail } from '../fleet/report/report-mail-store.ts';
import { issueResetLink } from '../identity/accounts/password-reset-store.ts';
import { createUser } from '../identity/accounts/user-store.ts';
import { addApiKey } from '../identity/api-keys/api-key-store.ts';
import { addRun } from '../ingest/runs/run-store.ts';
import { addDecision } from '../licensing/rings/decision-store.ts';
import { addRing } from '../licensing/rings/ring-store.ts';
import { addRule } from '../licensing/rings/rule-store.ts';
import { addBundleKey } from '../operations/downloads/bundle-key-store.ts';
import { addJob } from '../operations/downloads/download-job-store.ts';
import type { Database } from '../platform/database/database.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { addCheckpoint } from '../records/checkpoints/checkpoint-store.ts';
import { addView } from '../records/preferences/saved-view-store.ts';
import { writeTitled } from './record-factories.ts';

const unique = () => randomBytes(6).toString('hex');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const valueOfKind: Readonly<Record<FieldKind, unknown>> = {
  text: 'A title',
  prose: 'Words\nof it',
  identifier: 'ID-1',
  identifiers: ['CVE-2024-3094', 'KB5034441'],
  tags: ['x86_64', 'noarch'],
  choice: 'Critical',
  number: 7,
  decimal: 7.5,
  size: 1024,
  date: Date.UTC(2024, 2, 12),
  flag: true,
  link: 'https://vendor.example/1',
};

/** Writes a record with a value in each field into each list. Returns the ids by list. */
export async function seedRecords(database: Database): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  // Lists without a source, such as clients, have no vendor records.
  for (const list of catalogueLists.filter(({ source }) => source !== null)) {
    const fields = Object.entries(list.fields as Readonly<Record<string, Field>>).filter(
      ([, { stamped, sealed }]) => stamped === undefined && sealed !== true,
    );
    const full = Object.fromEntries(
      fields.map(([name, { kind, choices }]) => [name, choices?.[0] ?? valueOfKind[kind]]),
    );
    const written = await writeTitled(database, list as CatalogueList, ['full'], full);
    ids.set(list.key, written.get('full') ?? 0);
  }
  return ids;
}

export interface SeededResources {
  readonly operatorId: number;
  /** Id of the folder of this process's downloads. */
  readonly place: string;
  readonly records: ReadonlyMap<string, number>;
  readonly clientId: number;
  /** The client that makes client calls, which may report machines. */
  readonly reportingId: number;
  /** Signs the user in and returns the id of the session. */
  readonly newSession: (person: 'Operator' | 'Stan') => Promise<number>;
  readonly now: number;
}

/** Returns path parameters of existing resources for the call. Creates new resources that the call may remove. */
export async function buildParams(
  call: Endpoint,
  database: Database,
  seeded: SeededResources,
): Promise<Readonly<Record<string, string>>> {
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const found: Record<string, string> = {};
  for (const name of names)
    found[name] =
      (name === 'file' ? fileNames[call.name] : undefined) ??
      String(await createResource(call, name, database, seeded));
  if (call.path.startsWith('/user/{id}/sessions/{'))
    found['id'] = String(await ownerOfSession(database, Number(found['sessionId'])));
  return found;
}

/** Files that only these calls serve. */
const fileNames: Readonly<Record<string, string>> = {
  collector: 'patch-report.sh',
  plan_file: 'plan.json',
};

async function createResource(
  { path }: Endpoint,
  name: string,
  database: Database,
  seeded: SeededResources,
): Promise<string | number> {
  const { operatorId, now, records, place } = seeded;
  const known: Readonly<Record<string, string>> = {
    prefix: 'windows',
    type: 'all',
    source: 'almaLinux',
    list: 'almalinux_patch',
    moduleName: 'almalinux_patch',
    month: '2026-06',
    identifier: 'CVE-2024-3094',
    cve: 'CVE-2024-3094',
    fileName: `${'A'.repeat(43)}.png`,
    ticket: 'A'.repeat(43),
    position: '0',
    token: `prf_${'A'.repeat(43)}`,
  };
  if (known[name] !== undefined) return known[name];
  if (name === 'sessionId') return seeded.newSession(path.startsWith('/me/') ? 'Operator' : 'Stan');
  if (name === 'runId') return newRun(database, now);
  if (name === 'fingerprint') return newBundleKey(database, now);
  if (path.startsWith('/user/passwordreset/')) return newResetLink(database, now);
  if (path.startsWith('/user/')) return newPerson(database, now);
  if (/^\/(me\/)?apikeys\//.test(path)) return newKey(database, operatorId, now);
  if (path.startsWith('/views/')) return newView(database, operatorId, now);
  if (path.startsWith('/downloads/'))
    return newJob(database, place, path.includes('bundle-imports'), now);
  if (name === 'exceptionId') return newException(database, seeded);
  if (name === 'key') return (await newMachine(database, seeded)).key;
  if (/^\/(machines|checkpoints|rings|records\/notes)\//.test(path))
    return newThingOfMachines(path, database, seeded);
  const list = catalogueLists.find(
    ({ detailPath }) => detailPath.replace(/\{\w+\}.*/, '') === path.replace(/\{\w+\}.*/, ''),
  );
  if (path.startsWith('/windows/user/') && !path.startsWith('/windows/user/not-fetched'))
    return seeded.clientId;
  const isThirdParty = path.startsWith('/thirdpartypatch/');
  return records.get(list?.key ?? (isThirdParty ? 'thirdparty_patch' : 'almalinux_patch')) ?? 1;
}

async function newException(database: Database, seeded: SeededResources): Promise<number> {
  const { id } = await newMachine(database, seeded);
  return database.transaction((tx) =>
    addException(
      tx,
      {
        target: { machineId: id },
        list: 'almalinux_patch',
        recordId: 1,
        kind: 'accepted',
        until: seeded.now + 1,
        reason: 'Later',
        ownerId: null,
        ownerAddress: null,
        by: 'Operator',
      },
      seeded.now,
    ),
  );
}

async function newNote(database: Database, seeded: SeededResources): Promise<number> {
  await database.script('delete from record_note');
  const recordId = seeded.records.get('almalinux_patch') ?? 0;
  const finding = { list: 'almalinux_patch', recordId, machineId: null };
  const author = { id: seeded.operatorId, name: 'Operator' };
  return (await addNote(database, finding, 'A note', author, seeded.now)).id;
}

async function newThingOfMachines(
  path: string,
  database: Database,
  seeded: SeededResources,
): Promise<number> {
  if (path.startsWith('/records/notes/')) return newNote(database, seeded);
  if (path.startsWith('/checkpoints/rules/')) return newRule(database, seeded.now);
  if (path.startsWith('/checkpoints/')) return newCheckpoint(database, seeded.now);
  if (path.startsWith('/rings/decisions/')) return newDecision(database, seeded);
  if (path.startsWith('/rings/')) return newRing(database, seeded.now);
  if (path.startsWith('/machines/groups/')) return newGroup(database);
  if (path.startsWith('/machines/reportmails/')) return newReportMail(database, seeded.now);
  if (path.startsWith('/machines/plans/')) return newPlan(database, seeded.now);
  return (await newMachine(database, seeded)).id;
}

const newGroup = async (database: Database): Promise<number> =>
  (await addGroup(database, {
    name: unique(),
    criteria: '',
    ownerId: null,
    ownerAddress: null,
    duePolicy: null,
  })) ?? 0;

const newReportMail = (database: Database, now: number): Promise<number> =>
  addReportMail(
    database,
    {
      groupId: null,
      days: 30,
      day: 'monday',
      hour: 8,
      timeZone: 'UTC',
      addresses: ['manager@example.org'],
    },
    now,
  );

const newCheckpoint = async (database: Database, now: number): Promise<number> => {
  const created = { name: unique(), createdBy: 'Operator' };
  return (await database.transaction((tx) => addCheckpoint(tx, created, now)))?.id ?? 0;
};

const newRule = async (database: Database, now: number): Promise<number> => {
  const schedule = { week: 2, weekday: 'Tuesday', hour: 6, timeZone: 'UTC', keep: 2 } as const;
  return (await addRule(database, { name: unique(), ...schedule }, now)) ?? 0;
};

const newRing = async (database: Database, now: number): Promise<number> =>
  (await addRing(database, unique(), {
    checkpoint: await newCheckpoint(database, now),
    by: 'Operator',
    now,
  })) ?? 0;

const newDecision = async (database: Database, { records, now }: SeededResources) => {
  const list = 'almalinux_patch';
  const what = { list, name: unique(), decision: 'declined', reason: 'Not yet' } as const;
  const decision = { ...what, ringId: await newRing(database, now), decidedBy: 'Operator' };
  return database.transaction((tx) =>
    addDecision(tx, { ...decision, decidedTime: now }, [records.get(list) ?? 0]),
  );
};

const newPlan = (database: Database, now: number): Promise<number> => {
  const task = { system: 'AlmaLinux 9', manager: 'dnf', command: null, restart: null } as const;
  const plan = {
    name: unique(),
    criteria: '',
    choice: 'all',
    records: [],
    createdAt: now,
    createdBy: 'Operator',
    machines: 0,
    nothingToDo: 0,
    mayMiss: 0,
    notJudged: [],
    beingJudged: [],
    notClosed: [],
    heldBack: [],
    machineGroups: null,
  } as const;
  return addPlan(database, plan as never, [{ ...task, updates: [], machines: [] }]);
};

async function newMachine(database: Database, { reportingId, now }: SeededResources) {
  const key = `srv-${unique()}`;
  const text = 'ID=almalinux\nVERSION_ID=9.4\nbash-5.1.8-9.el9.x86_64';
  const context = { database, clock: () => now };
  const [stored] = await takeReports(context, reportingId, [{ key, name: key, text }]);
  return { key, id: stored?.id ?? 0 };
}

const newPerson = (database: Database, now: number) =>
  createUser(database, {
    name: `Person ${unique()}`,
    email: `${unique()}@example.org`,
    userType: 'Standard',
    passwordHash: '',
    mustChangePassword: false,
    createdTime: now,
  });

async function ownerOfSession(database: Database, id: number): Promise<number> {
  const rows = await queryRows(
    database,
    z.object({ userId: z.number() }),
    'select user_id as "userId" from sessions where id = $1',
    [id],
  );
  return rows[0]?.userId ?? 0;
}

async function newRun(database: Database, now: number): Promise<number> {
  await database.script('delete from sync_run');
  return (await addRun(database, 'almaLinux', 'Operator', now))?.id ?? 0;
}

async function newBundleKey(database: Database, now: number): Promise<string> {
  const publicKey = randomBytes(32).toString('base64');
  const fingerprint = sha256(publicKey).slice(0, 16);
  await addBundleKey(database, {
    name: unique(),
    publicKey,
    fingerprint,
    addedAt: now,
    addedBy: 'Operator',
  });
  return fingerprint;
}

const newResetLink = async (database: Database, now: number): Promise<string> =>
  issueResetLink(database, await newPerson(database, now), now, 60_000);

async function newKey(database: Database, userId: number, now: number): Promise<number> {
  const name = unique();
  const key = {
    userId,
    name,
    keyHash: sha256(name),
    prefix: name,
    scopes: ['read'] as const,
    createdTime: now,
    expiresTime: now + 60_000,
  };
  return (await addApiKey(database, key)) ?? 0;
}

async function newView(database: Database, ownerId: number, now: number): Promise<number> {
  await database.script('delete from saved_view');
  const search = { criteria: '', keyword: '', sort: null, columns: null };
  return (
    (await addView(
      database,
      ownerId,
      { list: 'almalinux_patch', name: unique(), shared: false, search },
      now,
    )) ?? 0
  );
}

async function newJob(
  database: Database,
  place: string,
  isImport: boolean,
  now: number,
): Promise<number> {
  await database.script('delete from download_job');
  const kind = isImport ? 'bundle_import' : 'logs';
  const options = isImport ? { step: 'check' } : {};
  const job = await addJob(
    database,
    { kind, place, about: '', askedBy: 'Operator', fileName: 'file', options },
    now,
  );
  return job.id;
}
