/** A record as an email shows it: its name, and the text of a few columns. */
import { dateZone } from '@patch/catalogue/definition/date-zone.ts';
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { AlertItem } from '@patch/contract/alert-endpoints.ts';
import type { WireValue } from '@patch/contract/row-schema.ts';
import type { FoundRecord } from './view-search.ts';

const maxFacts = 4;
const maxValueLength = 120;
const maxNameLength = 200;

export function toAlertItem(
  list: ListDefinition,
  { row, recordsOfUpdate }: FoundRecord,
  columns: readonly string[] | null,
  timeZone: string,
): AlertItem {
  const naming = list.identity.find((name) => hasValue(row[name]));
  const facts = (columns ?? list.columns)
    .filter(
      (name) =>
        name !== 'id' &&
        name !== naming &&
        !isRestricted(list, name) &&
        isBrief(list, name) &&
        hasValue(row[name]),
    )
    .slice(0, maxFacts)
    .map(
      (name) =>
        `${fieldOf(list, name).label}: ${cut(words(list, name, row[name], timeZone), maxValueLength)}`,
    );
  const others = recordsOfUpdate - 1;
  if (others > 0) facts.push(`and ${others} more ${others === 1 ? 'record' : 'records'}`);
  const name =
    naming === undefined
      ? `Record ${row.id}`
      : cut(words(list, naming, row[naming], timeZone), maxNameLength);
  return { id: row.id, name, about: facts.join(' · ') };
}

const hasValue = (value: WireValue) =>
  value !== null &&
  value !== undefined &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0);

/** Long prose, addresses and bare numbers say little in one line of an email. */
function isBrief(list: ListDefinition, name: string): boolean {
  // A view saved by an older version may have a column that is no longer a field.
  if (!Object.hasOwn(list.fields, name)) return false;
  return !['prose', 'link', 'size'].includes(fieldOf(list, name).kind);
}

function words(list: ListDefinition, name: string, value: WireValue, timeZone: string): string {
  const field = fieldOf(list, name);
  if (field.kind === 'date') return dayWords(Number(value), dateZone(field, timeZone));
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return Array.isArray(value) ? value.join(', ') : String(value as string | number);
}

/** In the console's format: 'Mar 12, 2024'. */
function dayWords(at: number, timeZone: string): string {
  if (Number.isNaN(new Date(at).getTime())) return String(at);
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    month: 'short',
    day: '2-digit',
    year: 'numeric',
  }).format(at);
}

/** On one line, truncated. */
function cut(text: string, most: number): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line;
}
