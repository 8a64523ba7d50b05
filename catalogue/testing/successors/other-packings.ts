/** The same content in another packing: the index of the repository names it by another extension, and so it lies at another address. */
import { dirname } from 'node:path';
import { type Chance, oneOf } from '../chance.ts';
import { escaped, type Mention, withTextOf } from './address-moves.ts';
import { isInRelease } from './inrelease-seal.ts';
import { bytesOf, type PackedContent, type Packing, sumOf } from './packed-content.ts';
import type { PublishedState } from './published-state.ts';
import { isRepomd } from './repomd-seal.ts';

type Files = PublishedState['files'];

const extensions: Readonly<Record<Packing, string>> = {
  plain: '',
  gzip: '.gz',
  bzip2: '.bz2',
  xz: '.xz',
  zstd: '.zst',
};

/** Null where the index is of another kind, or does not name the file by its packing. */
export function withOtherPacking(
  files: Files,
  { index, path }: Mention,
  chance: Chance,
): Files | null {
  const file = files.get(path);
  const text = textAt(files, index);
  if (file === undefined || (!isInRelease(text) && !isRepomd(text))) return null;
  const offered: readonly Packing[] = isRepomd(text)
    ? ['gzip', 'xz', 'zstd']
    : ['plain', 'gzip', 'xz'];
  const packing = oneOf(
    offered.filter((other) => other !== file.packing),
    chance,
  );
  const packed = { packing, content: file.content };
  return isRepomd(text)
    ? inRepository(files, { index, path }, packed)
    : inSuite(files, { index, path }, packed);
}

type Listed = Pick<Mention, 'index' | 'path'>;

function inRepository(files: Files, { index, path }: Listed, packed: PackedContent): Files | null {
  const old = extensions[files.get(path)?.packing ?? 'plain'];
  if (!path.endsWith(old)) return null;
  const renamed = path.slice(0, path.length - old.length) + extensions[packed.packing];
  return withTextOf(moved(files, path, renamed, packed), index, (text) =>
    text.replaceAll(nameOf(path), nameOf(renamed)),
  );
}

/** Other forms of the file, listed and not kept, are listed no longer. */
function inSuite(files: Files, { index, path }: Listed, packed: PackedContent): Files | null {
  const file = files.get(path);
  if (file === undefined) return null;
  const listed = new RegExp(`^ ${sumOf(bytesOf(file), 'sha256')} +\\d+ (\\S+)$`, 'm').exec(
    textAt(files, index),
  )?.[1];
  const old = extensions[file.packing];
  if (listed === undefined || !listed.endsWith(old)) return null;
  const stem = listed.slice(0, listed.length - old.length);
  const sum = sumOf(bytesOf(packed), 'sha256');
  const renamed = path.includes('/by-hash/')
    ? `${dirname(path)}/${sum}`
    : `${dirname(index)}/${stem}${extensions[packed.packing]}`;
  const line = ` ${sum} ${bytesOf(packed).length} ${stem}${extensions[packed.packing]}\n`;
  const forms = new RegExp(`^ [\\da-f]{64} +\\d+ ${escaped(stem)}(?:\\.(?:gz|xz|bz2))?\\n`, 'gm');
  return withTextOf(moved(files, path, renamed, packed), index, (text) =>
    text.replaceAll(forms, (form) => (form.endsWith(` ${listed}\n`) ? line : '')),
  );
}

function moved(files: Files, path: string, renamed: string, file: PackedContent): Files {
  return new Map([...files].filter(([other]) => other !== path)).set(renamed, file);
}

function textAt(files: Files, path: string): string {
  const content = files.get(path)?.content;
  return content?.kind === 'text' ? content.text : '';
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
