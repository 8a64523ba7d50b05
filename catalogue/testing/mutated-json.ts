/** A JSON value changed by chance, in one place. */
import { type Chance, oneOf } from './chance.ts';
import type { Mutation } from './mutation.ts';
import { oddValues } from './odd-values.ts';

type Fields = Record<string, unknown>;

interface Place {
  /** The object or array that holds it. */
  readonly holder: Fields | unknown[];
  readonly key: string;
  readonly path: string;
}

export function mutatedJson(value: unknown, chance: Chance): Mutation {
  const copy = structuredClone(value);
  const places = [...placesIn(copy, '')];
  if (places.length === 0)
    return { content: JSON.stringify(oneOf(oddValues, chance)) ?? '', done: 'another document' };
  const place = oneOf(places, chance);
  const [done, change] = oneOf(changes, chance);
  const more = change(place, chance);
  return {
    content: JSON.stringify(copy),
    done: `${place.path} ${done}${more === undefined ? '' : ` ${more}`}`,
  };
}

function* placesIn(value: unknown, path: string): Generator<Place> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield { holder: value as Place['holder'], key, path: `${path}.${key}` };
    yield* placesIn(inner, `${path}.${key}`);
  }
}

type Change = readonly [done: string, change: (place: Place, chance: Chance) => string | undefined];

const odd: Change = [
  'is',
  ({ holder, key }, chance) => {
    const value = oneOf(oddValues, chance);
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
    const name = oneOf(['unknown', '__proto__', 'toString'], chance);
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
