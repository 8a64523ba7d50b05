/** Changes a JSON value at random, in one location. */
import { type Chance, pick } from './chance.ts';
import type { Mutation } from './mutation.ts';
import { oddValues } from './odd-values.ts';

type Fields = Record<string, unknown>;

interface Location {
  /** The object or array that contains the value. */
  readonly holder: Fields | unknown[];
  readonly key: string;
  readonly path: string;
}

export function mutatedJson(value: unknown, chance: Chance): Mutation {
  const copy = structuredClone(value);
  const places = [...listLocations(copy, '')];
  if (places.length === 0)
    return { content: JSON.stringify(pick(oddValues, chance)) ?? '', done: 'another document' };
  const location = pick(places, chance);
  const [done, change] = pick(changes, chance);
  const more = change(location, chance);
  return {
    content: JSON.stringify(copy),
    done: `${location.path} ${done}${more === undefined ? '' : ` ${more}`}`,
  };
}

function* listLocations(value: unknown, path: string): Generator<Location> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield { holder: value as Location['holder'], key, path: `${path}.${key}` };
    yield* listLocations(inner, `${path}.${key}`);
  }
}

type Change = readonly [
  done: string,
  change: (location: Location, chance: Chance) => string | undefined,
];

const odd: Change = [
  'is',
  ({ holder, key }, chance) => {
    const value = pick(oddValues, chance);
    (holder as Fields)[key] = value;
    return JSON.stringify(value)?.slice(0, 60);
  },
];
const gone: Change = [
  'gone',
  ({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
    return undefined;
  },
];
const twice: Change = [
  'twice',
  ({ holder, key }) => {
    if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]));
    else holder[`${key}2`] = holder[key];
    return undefined;
  },
];
const renamed: Change = [
  'renamed',
  ({ holder, key }, chance) => {
    if (Array.isArray(holder)) return void holder.push(holder.shift());
    const name = pick(['unknown', '__proto__', 'toString'], chance);
    const value = holder[key];
    delete holder[key];
    Object.defineProperty(holder, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return name;
  },
];
const listed: Change = [
  'in a list',
  ({ holder, key }) => void ((holder as Fields)[key] = [(holder as Fields)[key]]),
];

const changes: readonly Change[] = [odd, odd, odd, gone, gone, twice, renamed, listed];
