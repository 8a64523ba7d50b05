/** Validates entries of feeds against their list. Returns the first problem, or null for a valid entry. */
import type { Entry } from '@patch/catalogue/definition/feed.ts';
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Fields } from '@patch/catalogue/definition/fields.ts';

const maxLineLength = 100_000;
const maxProseLength = 5_000_000;
const maxElements = 50_000;
/** 1 January of the years 1 and 10000, the range of dates with four-digit years. */
const earliest = -62_135_596_800_000;
const latest = 253_402_300_800_000;

const isLine = (value: unknown, maxLength = maxLineLength) =>
  typeof value === 'string' && value.length <= maxLength;
const isLines = (value: unknown) =>
  Array.isArray(value) && value.length <= maxElements && value.every((element) => isLine(element));
const isInteger = (value: unknown) => Number.isSafeInteger(value);

const checks: Record<
  FieldKind,
  { readonly words: string; readonly isValid: (value: unknown) => boolean }
> = {
  text: { words: 'a text', isValid: (value) => isLine(value) },
  prose: { words: 'a text', isValid: (value) => isLine(value, maxProseLength) },
  identifier: { words: 'a name', isValid: (value) => isLine(value) },
  identifiers: { words: 'names', isValid: isLines },
  tags: { words: 'words', isValid: isLines },
  choice: { words: 'a word', isValid: (value) => isLine(value) },
  number: { words: 'a whole number', isValid: isInteger },
  decimal: { words: 'a number', isValid: (value) => Number.isFinite(value) },
  size: {
    words: 'a number of bytes',
    isValid: (value) => isInteger(value) && (value as number) >= 0,
  },
  date: {
    words: 'a date',
    isValid: (value) =>
      isInteger(value) && (value as number) >= earliest && (value as number) < latest,
  },
  flag: { words: 'yes or no', isValid: (value) => typeof value === 'boolean' },
  link: {
    words: 'a web address',
    isValid: (value) =>
      isLine(value) && URL.canParse(value as string) && /^https?:/i.test(value as string),
  },
};

export function findProblem({ list, key, formerKeys = [], row, detail }: Entry): string | null {
  const problem = [key, ...formerKeys].map(findKeyProblem).find((words) => words !== null);
  return problem ?? findRowProblem(list.fields, row) ?? findDetailProblem(list.detail, detail);
}

function findKeyProblem(key: string): string | null {
  if (typeof key !== 'string' || key.trim() === '') return 'It has no identifier.';
  if (key.includes('\0') || !key.isWellFormed()) return 'Its identifier is not plain text.';
  return key.length > 1000 ? 'Its identifier is longer than 1,000 characters.' : null;
}

function findDetailProblem(
  { facts, tables }: Entry['list']['detail'],
  detail: Entry['detail'],
): string | null {
  for (const [name, value] of Object.entries(detail)) {
    const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
    if (table === undefined) {
      const problem = findRowProblem(facts, { [name]: value });
      if (problem !== null) return problem;
      continue;
    }
    if (value === null || value === undefined) continue;
    if (!Array.isArray(value)) return `${table.label} is not a table.`;
    for (const [index, row] of value.entries()) {
      const problem = findRowProblem(table.fields, row as Readonly<Record<string, unknown>>);
      if (problem !== null) return `${table.label}, row ${index + 1}: ${problem}`;
    }
  }
  return null;
}

function findRowProblem(fields: Fields, row: Readonly<Record<string, unknown>>): string | null {
  for (const [name, value] of Object.entries(row)) {
    if (value === null || value === undefined) continue;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) return `Unknown field ${name}.`;
    const { words, isValid } = checks[field.kind];
    if (!isValid(value)) return `${field.label} is not ${words}: ${formatValue(value)}.`;
  }
  return null;
}

function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? typeof value);
  return text.length > 80
    ? `${text.slice(0, 80)}… (${text.length.toLocaleString('en')} characters)`
    : text;
}
