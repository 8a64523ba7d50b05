/** The files of the repositories of errata that dnf, yum and zypper read. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  type ErrataRelease,
  errataLists,
  findErrataRelease,
  toErrataRelease,
} from '@patch/catalogue/formats/errata-releases.ts';
import { updateinfoFileEndpoint } from '@patch/contract/formats/updateinfo-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { FileStream, type RouteRegistrar, Unchanged } from '../../platform/http/route.ts';
import { readReleases } from '../advisories/advisory-store.ts';
import { type ErrataRepositories, emptyFiles } from './errata-repositories.ts';

export interface UpdateinfoParts {
  readonly database: Queryable;
  readonly repositories: ErrataRepositories;
}

export function updateinfoRoutes(
  route: RouteRegistrar,
  { database, repositories }: UpdateinfoParts,
): void {
  route(
    updateinfoFileEndpoint,
    async ({ params: { distribution, release: version, file }, knows }) => {
      const release = await findRelease(database, distribution, version);
      if (file === 'repomd.xml') {
        const text = await repositories.repomd(release);
        const tag = createHash('sha256').update(text).digest('hex');
        if (knows(tag)) return new Unchanged(tag);
        const body = Readable.from([Buffer.from(text)]);
        return new FileStream(file, 'text/xml; charset=utf-8', body, Buffer.byteLength(text), tag);
      }
      // The name of a file has the hash of its content.
      const tag = /^([\da-f]{64})-[a-z]+\.xml\.gz$/.exec(file)?.[1];
      const empty = emptyFiles.get(file);
      const made = tag === undefined ? null : await repositories.findFile(release, file);
      if (tag === undefined || (empty === undefined && made === null))
        throw new AppError(
          'not_found',
          `${file} does not exist here. Read repomd.xml and the files that it names.`,
        );
      if (knows(tag)) return new Unchanged(tag);
      const [body, bytes] =
        empty === undefined
          ? [createReadStream(made?.path ?? ''), made?.bytes ?? 0]
          : [Readable.from([empty]), empty.length];
      return new FileStream(file, 'application/gzip', body, bytes, tag);
    },
  );
}

/** @throws AppError for a release without errata: an empty repository would mean that no update is missing. */
async function findRelease(
  database: Queryable,
  distribution: string,
  version: string,
): Promise<ErrataRelease> {
  const releases = await readReleases(database, errataLists);
  const found = findErrataRelease(distribution, version);
  if (found !== null && releases.includes(found.release)) return found;
  const paths = releases.flatMap((release) => toErrataRelease(release)?.path ?? []);
  throw new AppError(
    'not_found',
    `There are no errata of ${distribution}/${version}. There are: ${paths.join(', ') || 'none yet'}.`,
  );
}
