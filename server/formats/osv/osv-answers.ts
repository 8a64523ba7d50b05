/** Answers queries of osv.dev by the same judgement as "Check a machine". */

import { namesOfTarget } from '@patch/catalogue/formats/osv-ecosystem.ts';
import { osvId } from '@patch/catalogue/formats/osv-id.ts';
import { osvLists } from '@patch/catalogue/formats/osv-lists.ts';
import {
  type OsvTarget,
  ReleaseRecords,
  withOwnSource,
} from '@patch/catalogue/formats/osv-query.ts';
import {
  type CataloguedRelease,
  cataloguedRelease,
  machineOfRelease,
} from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import { InstalledPackages } from '@patch/catalogue/machines/judgement/installed-packages.ts';
import { type RecordReference, toRecordKey } from '../../machines/machine-records-store.ts';
import { findNewerFixes } from '../../machines/newer-fix-store.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { readReleases } from '../advisories/advisory-store.ts';
import { type AdvisoryStamp, advisoriesOfRecords } from './osv-advisory-store.ts';

/** An advisory that affects a package, with its id in OSV. */
export interface AffectingAdvisory extends AdvisoryStamp {
  readonly id: string;
}

/** A package to look up, with the words that name its query in a message. */
export interface QueriedTarget extends OsvTarget {
  readonly label: string;
}

/**
 * Returns the advisories that affect each package, in the order of the packages, those of a package by their ids.
 * @throws AppError `invalid_osv_query` for a release without records and for a package of an unknown source, of which nothing can be
 * said.
 */
export async function advisoriesAffecting(
  database: Queryable,
  targets: readonly QueriedTarget[],
  signal: AbortSignal,
): Promise<readonly (readonly AffectingAdvisory[])[]> {
  const found = targets.map(() => new Set<string>());
  const sources = new Set<number>();
  const references = new Map<string, RecordReference>();
  for (const { release, own } of await targetsByRelease(database, targets)) {
    const machines = own.map(({ target }) => new InstalledPackages([target.installed]));
    const { records, known } = await findNewerFixes(database, release, machines);
    signal.throwIfAborted();
    const byName = new ReleaseRecords(
      release,
      records.map(({ list, recordId, record }) => {
        const key = toRecordKey(list, recordId);
        references.set(key, { list, recordId });
        return { key, ...record };
      }),
    );
    for (const { index, target } of own) {
      const isSource = known.get(target.installed.name)?.isSource === true;
      if (isSource) sources.add(index);
      const judged = isSource && target.statedSource === 'none' ? withOwnSource(target) : target;
      for (const key of byName.affecting(judged)) found[index]?.add(key);
    }
  }
  for (const [index, target] of targets.entries())
    if (target.statedSource === 'none' && !sources.has(index) && found[index]?.size === 0)
      throw unknownSource(target);
  const affecting = new Set(found.flatMap((own) => [...own]));
  const advisories = await advisoriesOfRecords(
    database,
    [...references].flatMap(([key, reference]) => (affecting.has(key) ? [reference] : [])),
  );
  return found.map((own) => {
    const byId = new Map<string, AffectingAdvisory>();
    for (const key of own) {
      const advisory = advisories.get(key);
      if (advisory === undefined) continue;
      const id = osvId(advisory.identifier);
      byId.set(id, { ...advisory, id });
    }
    return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  });
}

/**
 * Tools omit a source that has the package's own name: where one query states another source, those that state none are taken to
 * have theirs, as "Check a machine" reads an inventory.
 */
export function resolveSources(targets: readonly QueriedTarget[]): readonly QueriedTarget[] {
  if (targets.every(({ statedSource }) => statedSource !== 'upstream')) return targets;
  return targets.map((target) =>
    target.statedSource === 'none' ? { ...target, ...withOwnSource(target) } : target,
  );
}

function unknownSource({ label, installed: { name } }: QueriedTarget): AppError {
  return new AppError(
    'invalid_osv_query',
    `${label}The source package of '${name}' is not known, so nothing can be said about it: advisories name source packages. Add the qualifier upstream with the source, such as upstream=openssl or upstream=openssl@3.0.9-1, or arch=source if '${name}' is the source.`,
  );
}

interface TargetsOfRelease {
  readonly release: CataloguedRelease;
  readonly own: { readonly index: number; readonly target: QueriedTarget }[];
}

/** The targets with their indexes by release: a query without a release is one for each release of its distribution. */
async function targetsByRelease(
  database: Queryable,
  targets: readonly QueriedTarget[],
): Promise<Iterable<TargetsOfRelease>> {
  const releases = await readReleases(database, osvLists);
  const byName = new Map<string, TargetsOfRelease>();
  for (const [index, target] of targets.entries())
    for (const release of releasesOfTarget(target, releases)) {
      const key = release.names.join('\n');
      const known = byName.get(key) ?? { release, own: [] };
      byName.set(key, known);
      known.own.push({ index, target });
    }
  return byName.values();
}

function releasesOfTarget(
  target: OsvTarget,
  releases: readonly string[],
): readonly CataloguedRelease[] {
  const { distribution, release, group } = target;
  const machines =
    release === null
      ? releases.flatMap((written) => {
          const machine = machineOfRelease(written);
          return machine?.distribution === distribution ? [machine] : [];
        })
      : [{ distribution, release }];
  const catalogued = machines
    .flatMap((machine) => cataloguedRelease(machine) ?? [])
    .map((known) => ({ ...known, names: namesOfTarget(target, known.names) }))
    .filter(({ names }) => names.some((name) => releases.includes(name)));
  if (catalogued.length === 0) {
    const words = [distribution, release ?? '', group].filter((word) => word !== '').join(' ');
    throw new AppError(
      'invalid_osv_query',
      `This catalogue has no records of ${words}, so nothing can be said about its packages.`,
    );
  }
  return catalogued;
}
