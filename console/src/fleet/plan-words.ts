/** Words of plans: what they close, and how far they are. */
import {
  type PlanChoice,
  type PlanSummary,
  planChoices,
  type TaskState,
  taskStates,
} from '@patch/contract/fleet/machine-plan-endpoints.ts';
import { formatCount } from '../widgets/format-number.ts';

export const choiceWords: Readonly<Record<PlanChoice, string>> = {
  exploited: 'Exploited now',
  overdue: 'Overdue',
  serious: 'Exploited, critical and important',
  all: 'Everything that is missing',
  records: 'Chosen records',
};

/** The choices of a plan that is not about chosen records. */
export const offeredChoices = planChoices.filter((choice) => choice !== 'records');

export const stateWords: Readonly<Record<TaskState, string>> = {
  failed: 'Failed',
  open: 'Open',
  waiting: 'No report since the window',
  scheduled: 'Scheduled',
  moved: 'Moved to another release',
  unknown: 'Not known',
  notNeeded: 'Not needed any more',
  done: 'Done',
};

/** States in the order in which they need a person. */
export const stateOrder = Object.keys(stateWords) as readonly TaskState[];

const inSentence: Readonly<Record<TaskState, string>> = {
  failed: 'failed',
  open: 'open',
  waiting: 'without a report since the window',
  scheduled: 'scheduled',
  moved: 'moved to another release',
  unknown: 'not known',
  notNeeded: 'not needed any more',
  done: 'done',
};

/** Returns '12 of 40 machines done, 3 failed, 25 open'. */
export function progressWords({ states }: Pick<PlanSummary, 'states'>): string {
  const all = taskStates.reduce((sum, state) => sum + states[state], 0);
  if (all === 0) return 'No machine has anything to install';
  const others = stateOrder.filter((state) => state !== 'done' && states[state] > 0);
  return [
    `${states.done} of ${formatCount(all, ['machine', 'machines'])} done`,
    ...others.map((state) => `${states[state]} ${inSentence[state]}`),
  ].join(', ');
}

/** Returns what a plan does not cover; empty when it covers all. The first one begins a sentence. */
export function gapWords({
  unjudged,
  unclosed,
  leftOut,
  mayMiss,
}: Pick<PlanSummary, 'unjudged' | 'unclosed' | 'leftOut' | 'mayMiss'>): readonly string[] {
  const records = (count: number) => formatCount(count, ['record', 'records']);
  const words = [
    ...(unjudged === 0
      ? []
      : [`nothing is known of ${formatCount(unjudged, ['machine', 'machines'])}`]),
    ...(mayMiss === 0
      ? []
      : [
          `${formatCount(mayMiss, ['machine', 'machines'])} with nothing to install may miss records, or ${mayMiss === 1 ? 'needs' : 'need'} a subscription`,
        ]),
    ...(unclosed === 0 ? [] : [`no known update closes ${records(unclosed)}`]),
    ...(leftOut === 0 ? [] : [`rings do not have or decline ${records(leftOut)}`]),
  ];
  return words.map((each, at) => (at === 0 ? each.charAt(0).toUpperCase() + each.slice(1) : each));
}
