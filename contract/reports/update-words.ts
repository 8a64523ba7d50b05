/** Names, rates and marks an update: the same words in the ranking, in a month and in its files. */
import { isNamed } from '@patch/catalogue/definition/record-name.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { type Severity, severities } from '@patch/catalogue/schemas/severities.ts';
import type { WireRow } from '../base/row-schema.ts';
import type { MonthUpdate } from './month-endpoints.ts';

export interface UpdateWords {
  /** The title of an application or a system, which people call by it; else the identifier. */
  readonly name: string;
  readonly isCalledByTitle: boolean;
  /** Null where the name is the title. */
  readonly title: string | null;
  /** Null where nobody states one. */
  readonly severity: Severity | null;
  /** True where the severity follows from CVSS, not from the vendor. */
  readonly isByCvss: boolean;
}

/** @param row - of All patches */
export function readUpdateWords(row: WireRow): UpdateWords {
  const { id, identifier, title, severity: stated, ratedSeverity } = row;
  const list = catalogueLists.find(({ key }) => key === row['list']);
  const isCalledByTitle = list !== undefined && isNamed(list) && typeof title === 'string';
  const named = isCalledByTitle ? title : (identifier ?? title);
  const severity = severities.find((word) => word !== 'Unspecified' && word === ratedSeverity);
  return {
    name: String(named ?? `Record ${id}`),
    isCalledByTitle,
    title: typeof title === 'string' && title !== named ? title : null,
    severity: severity ?? null,
    isByCvss: severity !== undefined && severity !== stated,
  };
}

export const describeSeverity = ({
  severity,
  isByCvss,
}: Pick<UpdateWords, 'severity' | 'isByCvss'>): string =>
  severity === null ? 'severity not stated' : isByCvss ? `${severity} by CVSS` : severity;

export interface UpdateMark {
  readonly text: string;
  readonly tone: 'danger' | 'warning' | 'quiet';
}

/** Returns what makes an update urgent, or speaks against it. */
export const listMarks = ({
  row,
  publiclyKnown,
  install,
}: Pick<MonthUpdate, 'row' | 'publiclyKnown' | 'install'>): readonly UpdateMark[] => [
  ...(row['exploited'] === true ? [{ text: 'exploited', tone: 'danger' } as const] : []),
  ...(row['ransomware'] === true ? [{ text: 'ransomware', tone: 'danger' } as const] : []),
  ...(publiclyKnown === true ? [{ text: 'publicly known', tone: 'warning' } as const] : []),
  ...(row['superseded'] === true ? [{ text: 'superseded', tone: 'quiet' } as const] : []),
  ...(install === null ? [] : [{ text: `install ${install}`, tone: 'warning' } as const]),
];

export const nameProducts = (names: readonly string[]): string =>
  names.length === 0 ? 'Updates that name no product' : names.join('; ');
