/** SUSE's archive of CSAF documents, one for each bulletin, as far as they touch openSUSE Leap. */
import { z } from 'zod';
import type { Document } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { BrokenTar, tarFiles } from '../../parsers/tar-files.ts';
import { webAddressOf } from '../../values/vendor-words.ts';

export interface SuseCsaf {
  readonly id: string;
  /** Where it was announced. */
  readonly page: string | null;
  /** The names that the repositories have for it. */
  readonly patches: readonly string[];
  /** Of openSUSE Leap: 15.6. */
  readonly releases: ReadonlySet<string>;
}

/** A document that cannot be read comes as its path. */
export async function* suseCsafDocuments(archive: Document): AsyncGenerator<SuseCsaf | string> {
  let documents = 0;
  try {
    for await (const { path, content } of tarFiles(archive.bytes())) {
      if (!path.endsWith('.json')) continue;
      documents += 1;
      const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
      // Most are of other products, and reading JSON is what takes the time.
      if (bytes.includes('openSUSE Leap')) yield csafOf(bytes) ?? path;
    }
  } catch (error) {
    throw error instanceof BrokenTar
      ? new BrokenDocument(archive.url, error.message, { cause: error })
      : error;
  }
  if (documents === 0) throw new BrokenDocument(archive.url, 'there is no document in it');
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

function csafOf(bytes: Buffer): SuseCsaf | null {
  const read = form.safeParse(jsonOf(bytes));
  if (!read.success) return null;
  const { document, product_tree } = read.data;
  const { id } = document.tracking;
  return {
    id,
    page: webAddressOf(
      document.references?.find(({ summary }) => summary === `URL for ${id}`)?.url,
    ),
    patches: (document.notes ?? [])
      .filter(({ title }) => title === 'Patchnames')
      .flatMap(({ text }) => text.split(','))
      .map((name) => name.trim()),
    releases: new Set(leapReleases(product_tree?.branches ?? [])),
  };
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}

/** openSUSE Leap 15.3 NonFree is of 15.3. */
function* leapReleases(branches: readonly Branch[]): Generator<string> {
  for (const { category, name, branches: inner } of branches) {
    const release =
      category === 'product_name' ? /^openSUSE Leap (\d+\.\d+)\b/.exec(name ?? '')?.[1] : undefined;
    if (release !== undefined) yield release;
    if (inner !== undefined) yield* leapReleases(inner);
  }
}
