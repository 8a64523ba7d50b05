/** What the vendors of the law "fresh equals upgraded" publish: a few records, and what becomes of them from one publication to the next. */

export interface StatedRecord {
  /** From which each format makes an id of its vendor's. */
  readonly number: number;
  readonly title: string;
  /** Null where the vendor leaves the field empty. */
  readonly text: string | null;
  readonly severity: 'Important' | 'Low';
  /** The version that fixes it. */
  readonly version: string;
  /** In which of two documents, releases or repositories it stands. */
  readonly place: 0 | 1;
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
  place: 0,
};
const candle: StatedRecord = {
  number: 2,
  title: 'Low: candle security update',
  text: 'It burns at both ends.',
  severity: 'Low',
  version: '0.9',
  place: 0,
};
const wick: StatedRecord = {
  number: 3,
  title: 'Important: wick security update',
  text: 'It frays.',
  severity: 'Important',
  version: '7.3',
  place: 1,
};
const snuffer: StatedRecord = { ...candle, number: 4, title: 'Low: snuffer bug fix', version: '2' };
const all = [lantern, candle, wick, snuffer];

/** One after the other: each is the successor of the one before it. */
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
  { name: 'a record moved', records: [lantern, { ...candle, place: 1 }, wick, snuffer] },
  { name: 'the records reordered', records: all.toReversed() },
  {
    name: 'the documents split anew',
    records: all.map((record, index) => ({ ...record, place: index % 2 === 0 ? 1 : 0 })),
  },
  { name: 'a field emptied', records: [{ ...lantern, text: null }, candle, wick, snuffer] },
  { name: 'a document emptied', records: [lantern, candle, snuffer] },
];

/** All of it in three steps: a title, a severity, a version, an id, a place, a field, the order, and a record less; then back; then a document emptied. */
export const shortPublishings: readonly Publishing[] = [
  { name: 'the first state', records: all },
  {
    name: 'much changed at once',
    records: [
      { ...wick, version: '7.10', text: null, place: 0 },
      { ...candle, number: 5, place: 1 },
      { ...lantern, title: 'Low: lantern update', severity: 'Low' },
    ],
  },
  { name: 'a record returned', records: all },
  { name: 'a document emptied', records: [lantern, candle, snuffer] },
];

export const inPlace = (records: readonly StatedRecord[], place: number) =>
  records.filter((record) => record.place === place);

export const cveOf = ({ number }: StatedRecord) => `CVE-2031-${20_000 + number}`;
