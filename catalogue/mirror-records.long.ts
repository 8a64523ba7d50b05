/** Runs mirror-records.test.ts for all parts. */
import { describeWithMirror } from './testing/describe-with-mirror.ts';
import { testMirrorRecords } from './testing/mirror-record-tests.ts';

describeWithMirror('the feed mirror', () => testMirrorRecords(({ isShort }) => isShort !== true));
