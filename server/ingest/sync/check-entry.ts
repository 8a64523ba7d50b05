/** What a feed yields is held against the list before it is kept: one reason for the first thing that is wrong, null when all is right. */
import type { Entry } from '@patch/catalogue/definition/feed.ts';
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Fields } from '@patch/catalogue/definition/fields.ts';

const longestLine = 100_000;
const maxProseLength = 5_000_000;
const maxElements = 50_000;
/** 1 January of the years 1 and 10000: what a date can be written as. */
const earliest = -62_135_596_800_000;
const latest = 253_402_300_800_000;

const isLine = (value: unknown, longest = longestLine) =>
  typeof value === 'string' && value.length <= longest;
const isLines = (value: unknown) =>
  Array.isArray(value) && value.length <= maxElements && value.every((element) => isLine(element));
const isWhole = (value: unknown) => Number.isSafeInteger(value);

const checks: Record<
  FieldKind,
  { readonly words: string; readonly holds: (value: unknown) => boolean }
> = {
  text: { words: 'a text', holds: (value) => isLine(value) },
  prose: { words: 'a text', holds: (value) => isLine(value, maxProseLength) },
  identifier: { words: 'a name', holds: (value) => isLine(value) },
  identifiers: { words: 'names', holds: isLines },
  tags: { words: 'words', holds: isLines },
  choice: { words: 'a word', holds: (value) => isLine(value) },
  number: { words: 'a whole number', holds: isWhole },
  decimal: { words: 'a number', holds: (value) => Number.isFinite(value) },
  size: { words: 'a number of bytes', holds: (value) => isWhole(value) && (value as number) >= 0 },
  date: {
    words: 'a date',
    holds: (value) => isWhole(value) && (value as number) >= earliest && (value as number) < latest,
  },
  flag: { words: 'yes or no', holds: (value) => typeof value === 'boolean' },
  link: {
    words: 'a web address',
    holds: (value) =>
      isLine(value) && URL.canParse(value as string) && /^https?:/i.test(value as string),
  },
};

export function problemOf({ list, key, formerKeys = [], row, detail }: Entry): string | null {
  const problem = [key, ...formerKeys].map(problemOfKey).find((words) => words !== null);
  return problem ?? problemOfRow(list.fields, row) ?? problemOfDetail(list.detail, detail);
}

function problemOfKey(key: string): string | null {
  if (typeof key !== 'string' || key.trim() === '') return 'It has nothing that names it.';
  if (key.includes('\0') || !key.isWellFormed()) return 'What names it is not plain text.';
  return key.length > 1000 ? 'What names it is longer than 1,000 characters.' : null;
}

function problemOfDetail(
  { facts, tables }: Entry['list']['detail'],
  detail: Entry['detail'],
): string | null {
  for (const [name, value] of Object.entries(detail)) {
    const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
    if (table === undefined) {
      const problem = problemOfRow(facts, { [name]: value });
      if (problem !== null) return problem;
      continue;
    }
    if (value === null || value === undefined) continue;
    if (!Array.isArray(value)) return `${table.label} is no table.`;
    for (const [place, row] of value.entries()) {
      const problem = problemOfRow(table.fields, row as Readonly<Record<string, unknown>>);
      if (problem !== null) return `${table.label}, row ${place + 1}: ${problem}`;
    }
  }
  return null;
}

function problemOfRow(fields: Fields, row: Readonly<Record<string, unknown>>): string | null {
  for (const [name, value] of Object.entries(row)) {
    if (value === null || value === undefined) continue;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) return `There is no field ${name}.`;
    const { words, holds } = checks[field.kind];
    if (!holds(value)) return `${field.label} is not ${words}: ${shown(value)}.`;
  }
  return null;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? typeof value);
  return text.length > 80
    ? `${text.slice(0, 80)}… (${text.length.toLocaleString('en')} characters)`
    : text;
}
