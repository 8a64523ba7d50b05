/** Checks the parts of a feed without fixtures, each of which must name the part whose fixtures show how it is read. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Feed, Part } from '../definition/feed.ts';
import { findFixtures } from './vendor-fixtures.ts';

/** A file in the vendor's folder: `{ "10": "9" }` states that part 10 has no fixtures and is read exactly like part 9. */
export const declaration = 'parts-without-fixtures.json';

const Declared = z.record(z.string(), z.string());

/** Returns complaints about the fixtures of a feed's parts; `shown` are the keys of the parts that the fixtures contain. */
export function partComplaints(feed: Feed, shown: ReadonlySet<string>): string[] {
  const folder = dirname(findFixtures(feed));
  const file = join(folder, declaration);
  const path = `catalogue/vendors/${basename(folder)}`;
  const declared = existsSync(file) ? Declared.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
  const findPart = (key: string) => feed.parts.find((part) => part.key === key);
  const missing = feed.parts
    .filter(({ key }) => !shown.has(key) && !Object.hasOwn(declared, key))
    .map(
      ({ key, label }) =>
        `${path}/fixtures has nothing for the part ${key} (${label}): add fixtures, or name in ${declaration} the part that it is read like.`,
    );
  const wrong = Object.entries(declared).flatMap(([key, like]) => {
    const [part, model] = [findPart(key), findPart(like)];
    const complain = (problem: string) => [`${path}/${declaration}: ${key}: ${problem}`];
    if (part === undefined) return complain('the feed has no such part.');
    if (shown.has(key)) return complain('the fixtures show it; remove the line.');
    if (model === undefined || !shown.has(like))
      return complain(`the fixtures show no part ${like}.`);
    return sameCode(part, model)
      ? []
      : complain(`it is read by other code than ${like}: add fixtures.`);
  });
  return [...missing, ...wrong];
}

/** Two parts created by the same function of the feed differ only in their addresses. */
function sameCode(a: Part, b: Part): boolean {
  return String(a.contents) === String(b.contents) && String(a.read) === String(b.read);
}
