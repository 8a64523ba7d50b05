/** Compares entries with the records of the feed mirror's documents, read by other means; mirror-records.long.ts has all parts. */
import { describeWithMirror } from './testing/describe-with-mirror.ts';
import { testMirrorRecords } from './testing/mirror-record-tests.ts';

describeWithMirror('the feed mirror', () => testMirrorRecords(({ isShort }) => isShort === true));
