/** A Containerfile's stages and what .dockerignore keeps out of them, as far as this repository uses either. */
import { matchesGlob } from 'node:path';

export interface Instruction {
  readonly word: string;
  readonly rest: string;
}

export interface Stage {
  readonly name: string;
  readonly image: string;
  readonly instructions: readonly Instruction[];
}

export interface Copy {
  /** The stage it is copied from; null: the repository. */
  readonly from: string | null;
  readonly sources: readonly string[];
  readonly target: string;
}

/** In their order; one without a name has its number. */
export function readContainerfile(text: string): readonly Stage[] {
  const stages: (Stage & { readonly instructions: Instruction[] })[] = [];
  for (const line of text.split('\n')) {
    const [, word, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (word === undefined || rest === undefined) continue;
    if (word === 'FROM') {
      const [image = '', , name = String(stages.length)] = rest.split(' ');
      stages.push({ name, image, instructions: [] });
    } else stages.at(-1)?.instructions.push({ word, rest });
  }
  return stages;
}

/** COPY a b target/, with --from=stage or without. */
export function copyOf(rest: string): Copy {
  const words = rest.split(' ');
  const from = words[0]?.startsWith('--from=')
    ? (words.shift()?.slice('--from='.length) ?? null)
    : null;
  const target = words.pop() ?? '';
  return { from, sources: words, target };
}

/** `path` is relative to the repository. */
export function ignoredBy(dockerignore: string): (path: string) => boolean {
  const patterns = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return (path) => patterns.some((pattern) => matchesGlob(path, pattern));
}
