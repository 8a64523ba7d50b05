/** A few random sequences; standing-judgement.long.ts runs more. */
import { testStandingJudgement } from './testing/standing-judgement-tests.ts';

testStandingJudgement(8);
