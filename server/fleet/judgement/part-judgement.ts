/** Judges what parts of inventories miss, by the functions that judge one machine. Reads the catalogue, writes nothing. */
import { namesOfFix } from '@patch/catalogue/fleet/inventory-part.ts';
import type { MissingState } from '@patch/catalogue/fleet/missing-finding.ts';
import {
  InstalledApplications,
  judgeApplication,
} from '@patch/catalogue/machines/judgement/application-judgement.ts';
import {
  type CataloguedRelease,
  cataloguedRelease,
} from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import { InstalledPackages } from '@patch/catalogue/machines/judgement/installed-packages.ts';
import { judgePackages } from '@patch/catalogue/machines/judgement/judge-packages.ts';
import type {
  FixEvidence,
  PackageRecord,
  RecordVerdict,
} from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { judgeMacRelease } from '@patch/catalogue/machines/judgement/macos-judgement.ts';
import {
  applicationRelease,
  macRelease,
  windowsUpdate,
} from '@patch/catalogue/machines/judgement/update-record.ts';
import { judgeWindows } from '@patch/catalogue/machines/judgement/windows-judgement.ts';
import { productOfMachine } from '@patch/catalogue/machines/judgement/windows-products.ts';
import { getLacking } from '../../machines/machine-findings.ts';
import {
  findRecordsByField,
  type RecordOfList,
  type RecordReference,
  readAllRecords,
  toRecordKey,
} from '../../machines/machine-records-store.ts';
import { findNewerFixes } from '../../machines/newer-fix-store.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { StoredPart } from '../parts/inventory-part-store.ts';
import {
  macReleases,
  readApplicationsByName,
  readProductNames,
  windowsUpdates,
} from './judged-record-store.ts';

/** A record that a part misses. */
export interface PartFinding extends RecordReference {
  readonly partId: number;
  readonly state: MissingState;
  readonly evidence: readonly FixEvidence[];
}

/** Judges parts of one kind and scope against the complete catalogue. */
export async function judgeParts(
  database: Queryable,
  parts: readonly StoredPart[],
  signal: AbortSignal,
): Promise<readonly PartFinding[]> {
  switch (parts[0]?.kind) {
    case 'packages':
      return judgePackageParts(database, parts, signal);
    case 'windows':
      return judgeWindowsParts(database, parts, signal);
    case 'macos':
      return judgeMacParts(await readAllRecords(database, macReleases, signal), parts);
    case 'applications':
      return judgeApplicationParts(database, parts, signal);
    case undefined:
      return [];
  }
}

const getRelease = ({ machine }: StoredPart): CataloguedRelease | null =>
  cataloguedRelease(machine);

async function judgePackageParts(
  database: Queryable,
  parts: readonly StoredPart[],
  signal: AbortSignal,
): Promise<readonly PartFinding[]> {
  const [first] = parts;
  const release = first === undefined ? null : getRelease(first);
  if (release === null) return [];
  const installed = parts.map(({ machine }) => new InstalledPackages(machine.packages));
  const { records } = await findNewerFixes(database, release, installed);
  signal.throwIfAborted();
  const toJudge = records.map(({ list, recordId, record }) => ({
    list,
    recordId,
    record: { key: toRecordKey(list, recordId), ...record },
  }));
  return judgePackageRecords(toJudge, release, parts);
}

/** The fixes of a record on the release, or the part of it that may be missing. */
export interface RecordToJudge extends RecordReference {
  readonly record: PackageRecord;
}

/** Judges these records only: verdicts about packages do not depend on other records. */
export function judgePackageRecords(
  records: readonly RecordToJudge[],
  release: CataloguedRelease,
  parts: readonly StoredPart[],
): readonly PartFinding[] {
  const partsByName = Map.groupBy(
    parts.flatMap((part) => part.names.map((name) => ({ name, part }))),
    ({ name }) => name,
  );
  const concerned = new Map<StoredPart, PackageRecord[]>();
  for (const { record } of records) {
    const names = new Set(record.fixes.flatMap(({ name }) => namesOfFix(name)));
    const own = new Set(
      [...names].flatMap((name) => partsByName.get(name) ?? []).map(({ part }) => part),
    );
    for (const part of own) {
      const known = concerned.get(part);
      if (known === undefined) concerned.set(part, [record]);
      else known.push(record);
    }
  }
  const byKey = new Map(records.map((one) => [one.record.key, one]));
  return [...concerned].flatMap(([part, own]) =>
    toFindings(part, judgePackages(part.machine, release, own), byKey),
  );
}

function toFindings(
  { id }: StoredPart,
  verdicts: ReadonlyMap<string, RecordVerdict>,
  records: ReadonlyMap<string, RecordReference>,
): readonly PartFinding[] {
  return getLacking(verdicts).flatMap(({ key, verdict: { kind: state, evidence } }) => {
    const record = records.get(key);
    if (record === undefined) return [];
    return [{ partId: id, list: record.list, recordId: record.recordId, state, evidence }];
  });
}

const groupByKey = (records: readonly RecordOfList[]) =>
  new Map(records.map((record) => [record.key, record]));

async function judgeWindowsParts(
  database: Queryable,
  parts: readonly StoredPart[],
  signal: AbortSignal,
): Promise<readonly PartFinding[]> {
  const product = parts[0]?.scope ?? '';
  if (product === '') return [];
  const values = await readProductNames(database, product);
  const column = 'product_name_folded';
  const records = await findRecordsByField(database, windowsUpdates, { column, values }, signal);
  const updates = records
    .map(({ key, content }) => windowsUpdate({ key, ...content }))
    .filter((update) => update !== null);
  const byKey = groupByKey(records);
  return parts
    .filter(({ machine }) => productOfMachine(machine) === product)
    .flatMap((part) => toFindings(part, judgeWindows(part.machine, updates), byKey));
}

function judgeMacParts(
  records: readonly RecordOfList[],
  parts: readonly StoredPart[],
): readonly PartFinding[] {
  const byKey = groupByKey(records);
  const releases = records.map(({ key, content }) => macRelease({ key, ...content }));
  return parts
    .filter(({ machine }) => machine.release !== null)
    .flatMap((part) =>
      toFindings(
        part,
        new Map(releases.map((release) => [release.key, judgeMacRelease(release, part.machine)])),
        byKey,
      ),
    );
}

/** As for one machine, a release affects a part when the index has it under one of the part's names. */
async function judgeApplicationParts(
  database: Queryable,
  parts: readonly StoredPart[],
  signal: AbortSignal,
): Promise<readonly PartFinding[]> {
  const names = [...new Set(parts.flatMap((part) => part.names))];
  const found = await readApplicationsByName(database, names, signal);
  const byKey = groupByKey(found.map(({ record }) => record));
  const releases = found.map(({ record: { key, content }, names: own }) => ({
    names: own,
    release: applicationRelease({ key, ...content }),
  }));
  return parts.flatMap((part) => {
    const installed = new InstalledApplications(part.machine.applications);
    const verdicts = releases
      .filter((one) => part.names.some((name) => one.names.has(name)))
      .map(({ release }) => [release.key, judgeApplication(release, installed)] as const);
    return toFindings(part, new Map(verdicts), byKey);
  });
}
