/**
 * Finds the bulletin of a patch: updateinfo names patches (`openSUSE-SLE-15.5-2024-91`), people know the bulletins
 * (`SUSE-SU-2024:0140-1`), which list their patches.
 */

import { z } from 'zod';
import { createRemark, type Document, type Remark } from '../../definition/feed.ts';
import { BrokenDocument, convertFaults } from '../../parsers/create-document.ts';
import { readOnce } from '../../parsers/read-once.ts';
import { BrokenTar, tarFiles } from '../../parsers/tar-files.ts';
import { toWebAddress } from '../../values/vendor-words.ts';

type SuseBulletin = Pick<SuseCsaf, 'id' | 'page'>;

export interface SuseBulletins {
  readonly remarks: readonly Remark[];
  /** Returns the highest bulletin that lists the patch and the release, else the highest that lists the patch. */
  findBulletin(patch: string, release: string): SuseBulletin | undefined;
}

/** Finds no bulletin without an archive. */
export const readSuseBulletins = readOnce(async (archives): Promise<SuseBulletins> => {
  const known = new Map<string, SuseBulletin>();
  const remarks: Remark[] = [];
  for (const archive of archives) {
    for await (const csaf of readSuseCsafDocuments(archive)) {
      if (typeof csaf === 'string') {
        remarks.push(
          createRemark(`${archive.url}: ${csaf} is not a CSAF document that can be read`),
        );
        continue;
      }
      const { id, page, patches, releases } = csaf;
      for (const patch of patches.filter(isRepositoryPatch)) {
        for (const release of [...releases, ''])
          setHighest(known, `${patch} ${release}`, { id, page });
      }
    }
  }
  return {
    remarks,
    findBulletin: (patch, release) => known.get(`${patch} ${release}`) ?? known.get(`${patch} `),
  };
});

/** Most patches are of SUSE's other products. */
function isRepositoryPatch(patch: string): boolean {
  return /^(?:openSUSE-(?:SLE-)?|SUSE-)\d/.test(patch);
}

const { compare } = new Intl.Collator('en', { numeric: true });

function setHighest(highest: Map<string, SuseBulletin>, key: string, bulletin: SuseBulletin): void {
  const known = highest.get(key);
  if (known === undefined || compare(bulletin.id, known.id) > 0) highest.set(key, bulletin);
}

interface SuseCsaf {
  readonly id: string;
  /** Address of the announcement. */
  readonly page: string | null;
  /** Names of the bulletin's patches in the repositories. */
  readonly patches: readonly string[];
  /** Releases of openSUSE Leap: 15.6. */
  readonly releases: ReadonlySet<string>;
}

/**
 * Reads SUSE's archive of CSAF documents, one per bulletin, limited to openSUSE Leap.
 * Yields the path of a document that cannot be read.
 */
async function* readSuseCsafDocuments(archive: Document): AsyncGenerator<SuseCsaf | string> {
  let documents = 0;
  const files = convertFaults(archive.url, BrokenTar, tarFiles(archive.bytes()));
  for await (const { path, content } of files) {
    if (!path.endsWith('.json')) continue;
    documents += 1;
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    // Most documents are of other products, and parsing JSON takes most of the time.
    if (bytes.includes('openSUSE Leap')) yield parseCsaf(bytes) ?? path;
  }
  if (documents === 0) throw new BrokenDocument(archive.url, 'it contains no document');
}

interface Branch {
  readonly category?: string | undefined;
  readonly name?: string | undefined;
  readonly branches?: readonly Branch[] | undefined;
}

const branch: z.ZodType<Branch> = z.object({
  category: z.string().optional(),
  name: z.string().optional(),
  get branches() {
    return z.array(branch).optional();
  },
});

const form = z.object({
  document: z.object({
    tracking: z.object({ id: z.string().trim().min(1) }),
    notes: z.array(z.object({ title: z.string().optional(), text: z.string() })).optional(),
    references: z.array(z.object({ summary: z.string().optional(), url: z.string() })).optional(),
  }),
  product_tree: z.object({ branches: z.array(branch).optional() }).optional(),
});

function parseCsaf(bytes: Buffer): SuseCsaf | null {
  const read = form.safeParse(parseJson(bytes));
  if (!read.success) return null;
  const { document, product_tree } = read.data;
  const { id } = document.tracking;
  return {
    id,
    page: toWebAddress(
      document.references?.find(({ summary }) => summary === `URL for ${id}`)?.url,
    ),
    patches: (document.notes ?? [])
      .filter(({ title }) => title === 'Patchnames')
      .flatMap(({ text }) => text.split(','))
      .map((name) => name.trim()),
    releases: new Set(findLeapReleases(product_tree?.branches ?? [])),
  };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}

/** Counts openSUSE Leap 15.3 NonFree as 15.3. */
function* findLeapReleases(branches: readonly Branch[]): Generator<string> {
  for (const { category, name, branches: inner } of branches) {
    const release =
      category === 'product_name' ? /^openSUSE Leap (\d+\.\d+)\b/.exec(name ?? '')?.[1] : undefined;
    if (release !== undefined) yield release;
    if (inner !== undefined) yield* findLeapReleases(inner);
  }
}
