/** Where records and values lie in a text. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One value: a string without its quotation marks, a number, the text of an element, an attribute, a field of a stanza. */
export interface ValueSpan extends Span {
  /** Of the member, element, attribute or field: values of one name are alike. */
  readonly name: string;
}

/** Records beside each other. */
export interface RecordGroup {
  readonly records: readonly Span[];
  /** What stands between two of them. */
  readonly separator: string;
  /** The room that they fill alone, separators included; null where other things lie between them. */
  readonly room: Span | null;
  /** What the group is called where it lies: the member's or the element's name. */
  readonly name: string;
  /** How many records of other groups it lies in. */
  readonly depth: number;
}

export interface TextOutline {
  readonly groups: readonly RecordGroup[];
  readonly values: readonly ValueSpan[];
}
