/**
 * Updates what depends on a changed file of a publication: its checksum and size in other files, names derived from its checksum,
 * and the signatures of those files.
 */
import { dirname } from 'node:path';
import { signer } from '../signed-text.ts';
import { isInRelease, payloadOf, sealedInRelease } from './inrelease-seal.ts';
import { bytesOf, openBytesOf, type PackedContent, sumOf } from './packed-content.ts';
import type { PublishedState } from './published-state.ts';
import { isRepomd, sealedRepomd } from './repomd-seal.ts';

type Files = PublishedState['files'];

/** The archives of all generated states sign with one key. */
const archiveKey = signer();
const signatures = new Map<string, string>();

/** Longer chains of files that tell of each other there are none. */
const maxPasses = 6;

/** `published` is what was published before the change: what its files tell of each other is right. */
export async function sealed(published: PublishedState, changed: Files): Promise<PublishedState> {
  let files = withAliases(published.files, changed);
  for (let pass = 0; pass < maxPasses; pass++) {
    const next = await sealedOnce(published.files, files);
    const same =
      next.size === files.size &&
      [...next].every(([path, file]) => sameBytes(file, files.get(path)));
    files = next;
    if (same) {
      const { publicKey } = await archiveKey;
      return {
        files: inOrder(files),
        trustedKeys: [...new Set([...published.trustedKeys, publicKey])],
      };
    }
  }
  throw new Error('The sums of the files do not come to an end');
}

async function sealedOnce(before: Files, changed: Files): Promise<Files> {
  const files = new Map(changed);
  for (const path of changed.keys()) {
    const file = files.get(path);
    if (file?.content.kind !== 'text') continue;
    const { text } = file.content;
    if (isRepomd(text)) {
      replaceText(files, path, sealedRepomd(text, dirname(dirname(path)), before, files));
    } else if (isInRelease(text)) {
      const payload = sealedInRelease(text, dirname(path), before, files) ?? payloadOf(text);
      const was = payloadOf(textOf(before.get(path) ?? file));
      if (payload !== was) replaceText(files, path, await signed(payload, was));
    }
  }
  for (const [path, text] of withPlainSums(before, files)) replaceText(files, path, text);
  return files;
}

function replaceText(files: Map<string, PackedContent>, path: string, text: string): void {
  const file = files.get(path);
  if (file?.content.kind === 'text' && file.content.text !== text)
    files.set(path, { ...file, content: { kind: 'text', text } });
}

/** A day later than what was published before. */
async function signed(payload: string, before: string): Promise<string> {
  const date = /^Date: (.*)$/m.exec(before)?.[1] ?? '';
  const dated = payload.replace(/^Date: .*$/m, `Date: ${dayAfter(date)}`);
  const known = signatures.get(dated) ?? (await (await archiveKey).sign(dated));
  signatures.set(dated, known);
  return known;
}

function textOf(file: PackedContent): string {
  return file.content.kind === 'text' ? file.content.text : '';
}

function dayAfter(written: string): string {
  return new Date(Date.parse(written) + 24 * 60 * 60 * 1000).toUTCString().replace('GMT', 'UTC');
}

/** Files that are nothing but sums, and sums in any other small text: whatever stood there for the old bytes stands there for the new ones. */
function withPlainSums(before: Files, files: Files): Map<string, string> {
  const sums = new Map<string, string>();
  for (const [path, file] of files) {
    const was = before.get(path);
    if (was === undefined || sameBytes(was, file)) continue;
    for (const algorithm of ['sha1', 'sha256', 'sha512'] as const) {
      sums.set(sumOf(bytesOf(was), algorithm), sumOf(bytesOf(file), algorithm));
      sums.set(
        sumOf(openBytesOf(was.content), algorithm),
        sumOf(openBytesOf(file.content), algorithm),
      );
    }
  }
  const texts = new Map<string, string>();
  if (sums.size === 0) return texts;
  for (const [path, { content }] of files) {
    const original = before.get(path)?.content;
    if (content.kind !== 'text' || original?.kind !== 'text' || content.text.length > 100_000)
      continue;
    if (isRepomd(content.text) || isInRelease(content.text)) continue;
    let { text } = content;
    for (const old of original.text.matchAll(/\b[\da-f]{40,128}\b/g)) {
      const sum = sums.get(old[0]);
      if (sum !== undefined) text = text.replaceAll(old[0], sum);
    }
    texts.set(path, text);
  }
  return texts;
}

/** The same file under several names, once plain and once by its sum, changes under all of them. */
function withAliases(before: Files, changed: Files): Files {
  const files = new Map(changed);
  for (const [path, file] of changed) {
    const was = before.get(path);
    if (was === undefined || sameBytes(was, file) || bytesOf(was).length < 50) continue;
    for (const [other, same] of changed)
      if (other !== path && same === before.get(other) && sameBytes(same, was))
        files.set(other, file);
  }
  return files;
}

function sameBytes(one: PackedContent, other: PackedContent | undefined): boolean {
  return other !== undefined && (one === other || bytesOf(one).equals(bytesOf(other)));
}

function inOrder(files: Files): Files {
  return new Map([...files].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
