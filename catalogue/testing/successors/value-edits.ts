/** How a vendor changes a value: to one that another record has, to a later day, to a larger number, to other words. */
import { type Chance, oneOf } from '../chance.ts';
import type { PlacedValue, ValuePlace } from './record-places.ts';

const day = 24 * 60 * 60 * 1000;

/** A replacement text for a value; null where none can be made. `words` are new ones, in no document yet. */
export function editedValue(
  value: PlacedValue,
  { values }: ValuePlace,
  chance: Chance,
  words: string,
): string | null {
  const { text, name } = value;
  const others = values.filter((other) => other.name === name && other.text !== text);
  if (others.length > 0 && chance() < 0.35) return oneOf(others, chance).text;
  const date = /^\d{4}-\d\d-\d\d(?=\D|$)/.exec(text)?.[0];
  if (date !== undefined) return laterDay(date) + text.slice(date.length);
  if (/^\d{1,15}$/.test(text)) return String(Number(text) + 1);
  if (/^(?:true|false|null)$/.test(text)) return null;
  if (/\s/.test(text.trim())) return `${text.trimEnd()} ${words}`;
  // A word alone may be one of a vendor's few; a version is not.
  return /^[\w:~+-]*\d\.\d[\w.:~+-]*$/.test(text) ? `${text}.1` : null;
}

function laterDay(date: string): string {
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(time) ? date : new Date(time + day).toISOString().slice(0, 10);
}

/** Every date in a text a day later: what an index tells of a file that has changed. */
export function laterDates(text: string): string {
  return text.replaceAll(/(?<![\d-])\d{4}-\d\d-\d\d(?=\D|$)/g, laterDay);
}
