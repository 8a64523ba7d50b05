/** A sender that is killed once or twice; killed-sender.long.ts kills more. */
import { testKilledSenders } from './testing/killed-sender-tests.ts';

testKilledSenders(2);
