/** Shows a record in an email: its name, and the text of a few columns. */
import { dateZone } from '@patch/catalogue/definition/date-zone.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { WireValue } from '@patch/contract/base/row-schema.ts';
import type { AlertItem } from '@patch/contract/reports/alert-endpoints.ts';
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
  const nameField = list.identity.find((name) => hasValue(row[name]));
  const facts = (columns ?? list.columns)
    .filter(
      (name) =>
        name !== 'id' &&
        name !== nameField &&
        !isRestricted(list, name) &&
        isBrief(list, name) &&
        hasValue(row[name]),
    )
    .slice(0, maxFacts)
    .map(
      (name) =>
        `${getField(list, name).label}: ${cut(words(list, name, row[name], timeZone), maxValueLength)}`,
    );
  const otherRecords = recordsOfUpdate - 1;
  if (otherRecords > 0)
    facts.push(`and ${otherRecords} more ${otherRecords === 1 ? 'record' : 'records'}`);
  const name =
    nameField === undefined
      ? `Record ${row.id}`
      : cut(words(list, nameField, row[nameField], timeZone), maxNameLength);
  return { id: row.id, name, about: facts.join(' · ') };
}

const hasValue = (value: WireValue) =>
  value !== null &&
  value !== undefined &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0);

/** Returns false for long prose, addresses and bare numbers, which say little in one line of an email. */
function isBrief(list: ListDefinition, name: string): boolean {
  // A view saved by an older version may have a column that is not a field any more.
  if (!Object.hasOwn(list.fields, name)) return false;
  return !['prose', 'link', 'size'].includes(getField(list, name).kind);
}

function words(list: ListDefinition, name: string, value: WireValue, timeZone: string): string {
  const field = getField(list, name);
  if (field.kind === 'date') return dayWords(Number(value), dateZone(field, timeZone));
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return Array.isArray(value) ? value.join(', ') : String(value as string | number);
}

/** Formats as the console does: 'Mar 12, 2024'. */
function dayWords(at: number, timeZone: string): string {
  if (Number.isNaN(new Date(at).getTime())) return String(at);
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    month: 'short',
    day: '2-digit',
    year: 'numeric',
  }).format(at);
}

/** Returns one line, truncated to `maxLength` characters. */
function cut(text: string, maxLength: number): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
}
