/**
 * The records that every vendor publishes in the tests of "fresh equals upgraded", and their changes from one publication to the
 * next.
 */

export interface StatedRecord {
  /** Each format derives its vendor's id from it. */
  readonly number: number;
  readonly title: string;
  /** Null when the vendor leaves the field empty. */
  readonly text: string | null;
  readonly severity: 'Important' | 'Low';
  /** The version that fixes it. */
  readonly version: string;
  /** Position in the first or second of two documents, releases or repositories. */
  readonly position: 0 | 1;
}

export interface Publishing {
  readonly name: string;
  readonly records: readonly StatedRecord[];
}

const lantern: StatedRecord = {
  number: 1,
  title: 'Important: lantern security update',
  text: 'An overflow of the wick.',
  severity: 'Important',
  version: '4.1',
  position: 0,
};
const candle: StatedRecord = {
  number: 2,
  title: 'Low: candle security update',
  text: 'It burns at both ends.',
  severity: 'Low',
  version: '0.9',
  position: 0,
};
const wick: StatedRecord = {
  number: 3,
  title: 'Important: wick security update',
  text: 'It frays.',
  severity: 'Important',
  version: '7.3',
  position: 1,
};
const snuffer: StatedRecord = { ...candle, number: 4, title: 'Low: snuffer bug fix', version: '2' };
const all = [lantern, candle, wick, snuffer];

/** Each publication succeeds the one before it. */
export const publishings: readonly Publishing[] = [
  { name: 'the first state', records: all },
  {
    name: 'a title and a severity changed',
    records: [{ ...lantern, title: 'Low: lantern update', severity: 'Low' }, candle, wick, snuffer],
  },
  {
    name: 'a fixed version changed',
    records: [lantern, { ...candle, version: '0.10' }, wick, snuffer],
  },
  { name: 'a record removed', records: [lantern, wick, snuffer] },
  { name: 'a record returned', records: all },
  { name: 'an id renamed', records: [{ ...lantern, number: 5 }, candle, wick, snuffer] },
  { name: 'a record moved', records: [lantern, { ...candle, position: 1 }, wick, snuffer] },
  { name: 'the records reordered', records: all.toReversed() },
  {
    name: 'the documents split anew',
    records: all.map((record, index) => ({ ...record, position: index % 2 === 0 ? 1 : 0 })),
  },
  { name: 'a field emptied', records: [{ ...lantern, text: null }, candle, wick, snuffer] },
  { name: 'a document emptied', records: [lantern, candle, snuffer] },
];

/**
 * Combines all changes in three steps: a title, a severity, a version, an id, a position, a field, the order, and a removed
 * record; then back; then an emptied document.
 */
export const shortPublishings: readonly Publishing[] = [
  { name: 'the first state', records: all },
  {
    name: 'much changed at once',
    records: [
      { ...wick, version: '7.10', text: null, position: 0 },
      { ...candle, number: 5, position: 1 },
      { ...lantern, title: 'Low: lantern update', severity: 'Low' },
    ],
  },
  { name: 'a record returned', records: all },
  { name: 'a document emptied', records: [lantern, candle, snuffer] },
];

export const atPosition = (records: readonly StatedRecord[], position: number) =>
  records.filter((record) => record.position === position);

export const getCve = ({ number }: StatedRecord) => `CVE-2031-${20_000 + number}`;
