/** Many random sequences of syncs, withdrawals, reports, deletions and killed workers. */
import { testStandingJudgement } from './testing/standing-judgement-tests.ts';

testStandingJudgement(60);
