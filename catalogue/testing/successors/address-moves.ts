/** How a vendor moves a file: the index that leads to it names it otherwise. */
import { type Chance, oneOf } from '../chance.ts';
import type { PublishedState } from './published-state.ts';

type Files = PublishedState['files'];

/** Part of a file's path that a text names. */
export interface Mention {
  /** Where it is named. */
  readonly index: string;
  readonly path: string;
  /** The steps of the path that stand there together. */
  readonly steps: readonly string[];
  readonly from: number;
}

const shortestName = 6;

/** Each path that another file's text leads to. `paths` are those that a reader asks for. */
export function mentionsIn(files: Files, paths: readonly string[]): Mention[] {
  const asked = [...new Set(paths)].filter((path) => files.has(path));
  const texts = asked.flatMap((path) => {
    const content = files.get(path)?.content;
    return content?.kind === 'text' && content.text.length < 2_000_000
      ? [{ path, text: content.text }]
      : [];
  });
  return asked.flatMap((path) =>
    texts.flatMap(({ path: index, text }) => (index === path ? [] : mentionIn(text, index, path))),
  );
}

/** The longest run of steps that the text has; a step alone only when it is long enough to be no accident. */
function mentionIn(text: string, index: string, path: string): Mention[] {
  const steps = path.split('@', 1)[0]?.split('/') ?? [];
  for (let length = steps.length; length >= 1; length--) {
    for (let from = steps.length - length; from >= 0; from--) {
      const run = steps.slice(from, from + length);
      // What the folders of both have in common leads nowhere.
      if (
        run.join('/').length < shortestName ||
        index.startsWith(steps.slice(0, from + length).join('/'))
      )
        continue;
      if (new RegExp(`(?<![\\w.-])${escaped(run.join('/'))}(?![\\w.-])`).test(text))
        return [{ index, path, steps: run, from }];
    }
  }
  return [];
}

/** One step of the path called otherwise, wherever the index names it, and all files below it moved. */
export function withMove(
  files: Files,
  { index, steps, path, from }: Mention,
  chance: Chance,
): Files {
  const step = oneOf(
    steps.filter((name) => name.length >= 2),
    chance,
  );
  const at = from + steps.indexOf(step);
  const renamed = renamedStep(step, chance);
  const run = steps.join('/');
  const newRun = steps.map((name) => (name === step ? renamed : name)).join('/');
  const above = path.split('/').slice(0, at + 1);
  const start = above.join('/');
  const movedTo = (name: string) => {
    const below = name === start || /^[/@]/.test(name.slice(start.length));
    return name.startsWith(start) && below
      ? [...above.slice(0, -1), renamed].join('/') + name.slice(start.length)
      : name;
  };
  const moved = new Map([...files].map(([name, file]) => [movedTo(name), file]));
  const named = new RegExp(`(?<![\\w.-])${escaped(run)}(?![\\w.-])`, 'g');
  return withTextOf(moved, index, (text) => text.replaceAll(named, () => newRun));
}

function renamedStep(step: string, chance: Chance): string {
  const number = Math.floor(chance() * 90) + 10;
  return /\d$/.test(step) && !/^[\da-f]{16,}$/.test(step)
    ? step.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))
    : `m${number}-${step}`;
}

export function withTextOf(files: Files, path: string, change: (text: string) => string): Files {
  const file = files.get(path);
  if (file?.content.kind !== 'text') return files;
  return new Map(files).set(path, {
    ...file,
    content: { kind: 'text', text: change(file.content.text) },
  });
}

export const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
