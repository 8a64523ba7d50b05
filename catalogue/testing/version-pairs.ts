/** Generates pairs of versions, similar enough that every rule of their order decides some. */
import { type Chance, createChance, pick } from './chance.ts';

export type VersionPair = readonly [a: string, b: string];

const segments = ['0', '1', '2', '9', '10', '01', '007', '20230101', 'a', 'b', 'rc', 'Z', 'el8'];
const separators = ['.', '.', '.', '+', '~', '', '~~'];
const rpmSeparators = [...separators, '^', '_', '..'];

/** dpkg requires an upstream version that begins with a digit; epochs are small. */
export function dpkgPairs(count: number, seed: number): VersionPair[] {
  return pairs(count, seed, (chance) => {
    const epoch = chance() < 0.2 ? `${Math.floor(chance() * 3)}:` : '';
    const revision = chance() < 0.6 ? `-${part(chance, separators)}` : '';
    return `${epoch}${Math.floor(chance() * 12)}${part(chance, [...separators, '-'], '.')}${revision}`;
  });
}

/** Generates epoch, version and release as rpm accepts them. */
export function rpmPairs(count: number, seed: number): VersionPair[] {
  return pairs(count, seed, (chance) => {
    const epoch = chance() < 0.2 ? `${Math.floor(chance() * 3)}:` : '';
    return `${epoch}${part(chance, rpmSeparators)}-${part(chance, rpmSeparators)}`;
  });
}

function part(chance: Chance, between: readonly string[], start = ''): string {
  let text = start;
  const length = 1 + Math.floor(chance() * 4);
  for (let number = 0; number < length; number += 1) {
    if (number > 0) text += pick(between, chance);
    text += pick(segments, chance);
  }
  return chance() < 0.1 ? `${text}~` : text;
}

/** Half of the pairs are two changes apart, the others independent. */
function pairs(count: number, seed: number, version: (chance: Chance) => string): VersionPair[] {
  const chance = createChance(seed);
  return Array.from({ length: count }, () => {
    const a = version(chance);
    return [a, chance() < 0.5 ? version(chance) : changed(a, chance)];
  });
}

/** Replaces one segment behind the epoch and the first dot, so that the version stays valid. */
function changed(version: string, chance: Chance): string {
  const start = Math.max(version.indexOf(':'), version.indexOf('.'));
  const found = [...version.matchAll(/[A-Za-z0-9]+/g)].filter(({ index }) => index > start);
  const one = pick(found, chance);
  const rest = version.slice(one.index + one[0].length);
  return `${version.slice(0, one.index)}${pick(segments, chance)}${rest}`;
}
