/** Compares entries with an independent reading of the feed mirror's documents; mirror-records.long.ts covers all parts. */
import { describeWithMirror } from './testing/describe-with-mirror.ts';
import { testMirrorRecords } from './testing/mirror-record-tests.ts';

describeWithMirror('the feed mirror', () => testMirrorRecords(({ isShort }) => isShort === true));
