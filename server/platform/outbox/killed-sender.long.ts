/** `KILLS` senders that are killed, one after the other. */
import { testKilledSenders } from './testing/killed-sender-tests.ts';

testKilledSenders(Number(process.env['KILLS'] ?? 20));
