/** Repositories of errata, one for each release: made when one is asked for after a change of its list, then served as files. */
import { createHash, type Hash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import type { ErrataRelease } from '@patch/catalogue/formats/errata-releases.ts';
import {
  emptyMetadata,
  type RepositoryFile,
  repomdXml,
  repositoryFileName,
} from '@patch/catalogue/formats/repomd-xml.ts';
import { updatesEnd, updatesStart, updateXml } from '@patch/catalogue/formats/updateinfo-xml.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { writeAtomically } from '../../platform/files/atomic-file.ts';
import { type MadeFiles, writePieces } from '../../platform/files/made-files.ts';
import { listState } from '../advisories/advisory-store.ts';
import { epochLists, epochsOfRelease, errataOfRelease } from './errata-store.ts';

export interface ErrataParts {
  readonly database: Queryable;
  readonly files: MadeFiles;
}

export interface ErrataFile {
  readonly path: string;
  readonly bytes: number;
}

export class ErrataRepositories {
  readonly #parts: ErrataParts;

  constructor(parts: ErrataParts) {
    this.#parts = parts;
  }

  /**
   * Returns the current repomd.xml.
   * @throws AppError for a release of which no erratum is listed: an empty repository would mean that no update is missing.
   */
  async repomd(release: ErrataRelease): Promise<string> {
    const { database, files } = this.#parts;
    const lists = [release.list, ...epochLists(release.list)];
    const name = `repomd-${toFolderName(release).replaceAll('.', '-')}`;
    const { path } = await files.get({ name, extension: 'xml' }, async () => {
      const states = await Promise.all(lists.map((list) => listState(database, list)));
      return {
        tag: states.join('.'),
        make: (repomd) => this.#make(release, repomd),
      };
    });
    return readFile(path, 'utf8');
  }

  /**
   * Returns a file that the current repomd.xml names, or the one before it; null without such a file.
   * @param name - With the hash of its content: `<sha256>-updateinfo.xml.gz`.
   */
  async findFile(release: ErrataRelease, name: string): Promise<ErrataFile | null> {
    const path = join(await this.#folderOf(release), name);
    const found = await stat(path).catch(() => null);
    return found === null ? null : { path, bytes: found.size };
  }

  async #make(release: ErrataRelease, path: string): Promise<object> {
    const folder = await this.#folderOf(release);
    const unnamed = join(folder, 'updateinfo');
    const { file, changed, errata } = await this.#writeUpdateinfo(release, unnamed);
    if (errata === 0) {
      await rm(unnamed);
      throw new AppError('not_found', `There are no errata of ${release.path} any more.`);
    }
    await rename(unnamed, join(folder, repositoryFileName(file)));
    await writePieces(path, [
      repomdXml([...emptyMembers.map((member) => member.file), file], changed),
    ]);
    await removeEarlier(folder);
    return { errata };
  }

  async #writeUpdateinfo(release: ErrataRelease, path: string) {
    const { database } = this.#parts;
    const epochs = await epochsOfRelease(database, release);
    const context = { list: release.list, release: release.release, epochs };
    const [hash, openHash] = [createHash('sha256'), createHash('sha256')];
    let [changed, errata, openSize] = [0, 0, 0];
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from(updatesStart);
      for await (const page of errataOfRelease(database, release)) {
        const updates = page.map((erratum) => updateXml(erratum, context));
        errata += updates.filter((update) => update !== '').length;
        changed = Math.max(changed, ...page.map((erratum) => erratum.changed));
        yield Buffer.from(updates.join(''));
      }
      yield Buffer.from(updatesEnd);
    }
    const size = await writeAtomically(path, (file) =>
      pipeline(
        Readable.from(pieces()),
        hashed(openHash, (bytes) => (openSize += bytes)),
        createGzip(),
        hashed(hash),
        file,
      ),
    );
    const file: RepositoryFile = {
      type: 'updateinfo',
      checksum: hash.digest('hex'),
      openChecksum: openHash.digest('hex'),
      size,
      openSize,
    };
    return { file, changed, errata };
  }

  async #folderOf(release: ErrataRelease): Promise<string> {
    const own = join(await this.#parts.files.folder(), 'updateinfo', toFolderName(release));
    await mkdir(own, { recursive: true, mode: 0o700 });
    return own;
  }
}

const toFolderName = ({ path }: ErrataRelease) => path.replace('/', '-');

/** Passes bytes on and adds them to a hash. */
function hashed(hash: Hash, onBytes: (bytes: number) => void = () => undefined) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const bytes of source) {
      hash.update(bytes);
      onBytes(bytes.length);
      yield bytes;
    }
  };
}

const emptyMembers = Object.entries(emptyMetadata).map(([type, text]) => {
  const bytes = gzipSync(text);
  const file: RepositoryFile = {
    type,
    checksum: toSha256(bytes),
    openChecksum: toSha256(text),
    size: bytes.length,
    openSize: Buffer.byteLength(text),
  };
  return { file, bytes };
});

/** Metadata without packages by file name, the same in every repository. */
export const emptyFiles: ReadonlyMap<string, Buffer> = new Map(
  emptyMembers.map(({ file, bytes }) => [repositoryFileName(file), bytes]),
);

function toSha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Files of updateinfo that stay: machines that read the index a moment ago fetch the previous one. */
const filesToKeep = 2;

async function removeEarlier(folder: string): Promise<void> {
  const names = await readdir(folder);
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.xml.gz'))
      .map(async (name) => ({ name, made: (await stat(join(folder, name))).mtimeMs })),
  );
  const old = files.toSorted((a, b) => b.made - a.made).slice(filesToKeep);
  for (const { name } of old) await rm(join(folder, name), { force: true });
}
