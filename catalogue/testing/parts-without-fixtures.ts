/** The parts of a feed that no fixture shows, each with the part whose fixtures show how it is read. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Feed, Part } from '../definition/feed.ts';
import { fixturesOf } from './vendor-fixtures.ts';

/** In the vendor's folder: `{ "10": "9" }` says that part 10 has no fixtures, and is read exactly like part 9. */
export const declaration = 'parts-without-fixtures.json';

const Declared = z.record(z.string(), z.string());

/** What is wrong with the fixtures of a feed's parts, by name; `shown` are the keys of the parts that the fixtures have. */
export function partComplaints(feed: Feed, shown: ReadonlySet<string>): string[] {
  const folder = dirname(fixturesOf(feed));
  const file = join(folder, declaration);
  const place = `catalogue/vendors/${basename(folder)}`;
  const declared = existsSync(file) ? Declared.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
  const partOf = (key: string) => feed.parts.find((part) => part.key === key);
  const missing = feed.parts
    .filter(({ key }) => !shown.has(key) && !Object.hasOwn(declared, key))
    .map(
      ({ key, label }) =>
        `${place}/fixtures has nothing for the part ${key} (${label}): add fixtures, or name in ${declaration} the part that it is read like.`,
    );
  const wrong = Object.entries(declared).flatMap(([key, like]) => {
    const [part, model] = [partOf(key), partOf(like)];
    const told = (problem: string) => [`${place}/${declaration}: ${key}: ${problem}`];
    if (part === undefined) return told('the feed has no such part.');
    if (shown.has(key)) return told('the fixtures show it; remove the line.');
    if (model === undefined || !shown.has(like)) return told(`the fixtures show no part ${like}.`);
    return sameCode(part, model)
      ? []
      : told(`it is read by other code than ${like}: add fixtures.`);
  });
  return [...missing, ...wrong];
}

/** Two parts that the same function of the feed made differ in their addresses alone. */
function sameCode(one: Part, other: Part): boolean {
  return String(one.contents) === String(other.contents) && String(one.read) === String(other.read);
}
