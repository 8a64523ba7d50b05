/** The words a list is described with: text('Title'), date('Release date'), choice('Severity', severities). */
import type { FieldKind, ValueOfKind } from './field-kinds.ts';

export interface Field<Kind extends FieldKind = FieldKind, Value = ValueOfKind[Kind]> {
  readonly kind: Kind;
  readonly label: string;
  /** What the value means, where the label does not say it; shown as help and in the API reference. */
  readonly help?: string;
  /** The values of a choice, lowest rank first. Offered, never enforced: vendors invent words. */
  readonly choices?: readonly Value[];
  /** How the console draws a choice: 'severity' with icon and colour by rank. */
  readonly look?: 'severity';
  /** The engine fills it in when a row is first written (created) or when its content changes (updated); no feed writes it. */
  readonly stamped?: 'created' | 'updated';
  /** The engine fills it in when a record is read: when this part of the list's feed was last read. Of facts alone. */
  readonly lastReadOf?: string;
  /**
   * What the risk sources say of the CVEs that the record names: the highest, or whether any. It is joined when records are read,
   * is part of no record, and changes without it. A record that names no CVE has none.
   */
  readonly risk?: RiskMeasure;
  /** In a list that is a view: the value comes from a table that the view joins. */
  readonly joined?: true;
  /** Beside `risk`: a feed writes it too, and what the vendor says counts like what the risk sources say. */
  readonly alsoVendor?: true;
  /** Of a date: it is a calendar day, shown and searched as that day in every time zone. Its time of day in UTC says nothing. */
  readonly precision?: 'day';
  /** Something falls due on this date: it can be asked for what is overdue. */
  readonly dueBy?: true;
  /** A link built from the value: the vendor's page of a CVE or KB. `{}` stands for the value, `{digits}` for its digits. */
  readonly page?: string;
  /** What the console calls the values that it knows; any other is shown as it is. */
  readonly words?: Readonly<Record<string, string>>;
  /** Its values are CVE ids, sorted by their numbers: CVE-2024-999 before CVE-2024-10000. Only in a list that is a view. */
  readonly sortedByNumber?: true;
  /** Its values are versions, put in order as dpkg and rpm compare them. */
  readonly isVersion?: true;
  /** How many letters each value has, where all have as many: a column is wide enough for them. */
  readonly letters?: number;
  /** Most records have no such value, which says nothing about them: it is not listed among what the vendor left out. */
  readonly sparse?: true;
  /** It names the record to programs and says nothing to people: a record shows it below, with the facts of its storage. */
  readonly technical?: true;
  /**
   * Shown to administrators, and to their API keys with the scope `clients`. To everybody else it is masked, and they can neither
   * search nor sort by it. No keyword finds it, for anybody.
   */
  readonly restricted?: true;
  /** Stored encrypted, so that SQL can neither search nor sort by it. A sealed field is restricted too, and a line of text. */
  readonly sealed?: true;
  /** The console marks the records for which the flag holds, in every row and at the head of the record. */
  readonly badge?: Badge;
}

/** Known exploited; the highest probability of exploitation; the highest severity score. */
export type RiskMeasure = 'exploited' | 'epss' | 'cvss';

/** `danger` asks for attention. `muted` draws the whole row quieter, and the list offers to hide such records. */
export type Badge = 'danger' | 'muted';

export type Fields = Readonly<Record<string, Field<FieldKind, unknown>>>;

type Options<Kind extends FieldKind> = Partial<
  Pick<
    Field<Kind>,
    | 'help'
    | 'stamped'
    | 'lastReadOf'
    | 'risk'
    | 'alsoVendor'
    | 'joined'
    | 'dueBy'
    | 'page'
    | 'words'
    | 'letters'
    | 'sortedByNumber'
    | 'isVersion'
    | 'sparse'
    | 'technical'
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

/** A calendar day without a time: the same day in every time zone. Its value is the day's midnight in UTC. */
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
  options: Options<'choice'> & Partial<Pick<Field<'choice'>, 'look'>> = {},
): Field<'choice', Choice> {
  return { kind: 'choice', label, choices, ...options };
}
