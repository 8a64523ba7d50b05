/** Builders for the fields of a list: text('Title'), date('Release date'), choice('Severity', severities). */
import type { FieldKind, ValueOfKind } from './field-kinds.ts';

export interface Field<Kind extends FieldKind = FieldKind, Value = ValueOfKind[Kind]> {
  readonly kind: Kind;
  readonly label: string;
  /** Explains the value where the label does not; shown as help and in the API reference. */
  readonly help?: string;
  /** The values of a choice, lowest rank first. They are offered, not enforced: vendors invent words. */
  readonly choices?: readonly Value[];
  /** How the console draws a choice: 'severity' with icon and colour by rank. */
  readonly look?: 'severity';
  /** The severity of each choice on the scale that all lists share. The console shows it, and the vendor's word in a tooltip. */
  readonly severityScale?: Readonly<Record<string, string>>;
  /** The engine sets it when a row is first written (created) or when its content changes (updated); no feed writes it. */
  readonly stamped?: 'created' | 'updated';
  /** The engine sets it when a record is read: the time of this part's last reading. For facts only. */
  readonly lastReadOf?: string;
  /**
   * Joins the risk sources' facts about the CVEs that the record mentions: the highest value, or whether there is any. The value
   * is read with the record but not stored in it, so it changes without it. It is empty for a record without CVEs.
   */
  readonly risk?: RiskMeasure;
  /** The field with what the vendor states. A value of this field that is not the vendor's was derived, and the console says so. */
  readonly stated?: string;
  /** Set in a list that is a view when the value comes from a table that the view joins. */
  readonly joined?: true;
  /** Beside `risk`: a feed writes the field too, and the vendor's value counts like that of the risk sources. */
  readonly alsoVendor?: true;
  /** Marks a date as a calendar day: shown and searched as that day in every time zone. Its time of day in UTC is meaningless. */
  readonly precision?: 'day';
  /** Marks a due date: overdue records can be searched for. */
  readonly dueBy?: true;
  /** A link built from the value: the vendor's page of a CVE or KB. `{}` stands for the value, `{digits}` for its digits. */
  readonly page?: string;
  /** The console's labels for known values; any other value is shown as it is. */
  readonly words?: Readonly<Record<string, string>>;
  /** The release that known values belong to, by which All patches names it; any other value names the release itself. */
  readonly releases?: Readonly<Record<string, string>>;
  /** The name of a release by its number, by which All patches calls it: `macOS {}`, where `{}` stands for the value. */
  readonly releaseName?: string;
  /** The values are CVE ids, sorted by their numbers: CVE-2024-999 before CVE-2024-10000. Only in a list that is a view. */
  readonly sortedByNumber?: true;
  /** The values are shares from 0 to 1, shown as a percentage; a rank is shown as the share of higher values: top 2 %. */
  readonly share?: 'probability' | 'rank';
  /** The values are versions, ordered as dpkg and rpm compare them. */
  readonly isVersion?: true;
  /** The fixed number of letters of each value; sets the column's width. */
  readonly letters?: number;
  /** Most records have no value, which is meaningless: the field is not listed among those that the vendor left out. */
  readonly sparse?: true;
  /** Identifies the record to programs only: a record shows it below, with the facts of its storage. */
  readonly technical?: true;
  /** Set in a criterion that finds rows which stand for an update. The others also find the records that are folded under them. */
  readonly ofUpdates?: true;
  /**
   * Shown to administrators, and to their API keys with the scope `clients`. Everybody else sees a mask and can neither search
   * nor sort by it. No keyword finds it, for anybody.
   */
  readonly restricted?: true;
  /** Stored encrypted: nobody sorts by it, and its criteria are computed. A sealed field is also restricted, and one line of text. */
  readonly sealed?: true;
  /** The console marks records whose flag is set, in every row and at the head of the record. */
  readonly badge?: Badge;
}

/** Known exploited; the highest probability of exploitation; the highest severity score; the severity that follows from scores. */
export type RiskMeasure = 'exploited' | 'ransomware' | 'epss' | 'cvss' | 'severity';

/** `danger` draws attention. `muted` dims the row, and the list offers to hide such records. */
export type Badge = 'danger' | 'muted';

export type Fields = Readonly<Record<string, Field<FieldKind, unknown>>>;

type Options<Kind extends FieldKind> = Partial<
  Pick<
    Field<Kind>,
    | 'help'
    | 'stamped'
    | 'lastReadOf'
    | 'risk'
    | 'stated'
    | 'alsoVendor'
    | 'joined'
    | 'dueBy'
    | 'page'
    | 'words'
    | 'releases'
    | 'releaseName'
    | 'letters'
    | 'sortedByNumber'
    | 'isVersion'
    | 'share'
    | 'sparse'
    | 'technical'
    | 'ofUpdates'
    | 'restricted'
    | 'sealed'
  >
>;

const field =
  <Kind extends FieldKind>(kind: Kind) =>
  (label: string, options: Options<Kind> = {}): Field<Kind> => ({ kind, label, ...options });

export const text = field('text');
export const prose = field('prose');
export const identifier = field('identifier');
export const identifiers = field('identifiers');
export const tags = field('tags');
export const number = field('number');
export const decimal = field('decimal');
export const size = field('size');
export const date = field('date');

/** A calendar day: the same day in every time zone, that of its value in UTC. A vendor may state a time within the day, which is not shown. */
export const day = (label: string, options: Options<'date'> = {}): Field<'date'> => ({
  ...date(label, options),
  precision: 'day',
});
export const link = field('link');

export function flag(
  label: string,
  options: Options<'flag'> & Partial<Pick<Field<'flag'>, 'badge'>> = {},
): Field<'flag'> {
  return { kind: 'flag', label, ...options };
}

export function choice<const Choice extends string>(
  label: string,
  choices: readonly Choice[],
  options: Options<'choice'> & Partial<Pick<Field<'choice'>, 'look' | 'severityScale'>> = {},
): Field<'choice', Choice> {
  return { kind: 'choice', label, choices, ...options };
}
