/** Reads SUSE's archive of CSAF documents, one per bulletin, limited to openSUSE Leap. */
import { z } from 'zod';
import type { Document } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { BrokenTar, tarFiles } from '../../parsers/tar-files.ts';
import { toWebAddress } from '../../values/vendor-words.ts';

export interface SuseCsaf {
  readonly id: string;
  /** Address of the announcement. */
  readonly page: string | null;
  /** Names of the bulletin's patches in the repositories. */
  readonly patches: readonly string[];
  /** Releases of openSUSE Leap: 15.6. */
  readonly releases: ReadonlySet<string>;
}

/** Yields the path of a document that cannot be read. */
export async function* readSuseCsafDocuments(archive: Document): AsyncGenerator<SuseCsaf | string> {
  let documents = 0;
  try {
    for await (const { path, content } of tarFiles(archive.bytes())) {
      if (!path.endsWith('.json')) continue;
      documents += 1;
      const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
      // Most documents are of other products, and parsing JSON takes most of the time.
      if (bytes.includes('openSUSE Leap')) yield parseCsaf(bytes) ?? path;
    }
  } catch (error) {
    throw error instanceof BrokenTar
      ? new BrokenDocument(archive.url, error.message, { cause: error })
      : error;
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
