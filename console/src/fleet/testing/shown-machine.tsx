/** Shows the panel of a machine with given missing records, as an administrator or a reader. */
import type { MachineJudgement } from '@patch/contract/fleet/assessment-endpoint.ts';
import { machineMissingEndpoint } from '@patch/contract/fleet/machine-endpoints.ts';
import type { HttpHandler } from 'msw/http';
import type { z } from 'zod';
import { reply } from '../../testing/fake-api.ts';
import { renderInApp } from '../../testing/render-in-app.tsx';
import { buildJudgement, missingRecord } from '../../testing/service-values.ts';
import { MachinePanel } from '../machine-panel.tsx';

export const due = {
  dueDate: Date.UTC(2024, 4, 1),
  overdueDays: 0,
  evidence: 'released 2024-04-01 + 30 days = due 2024-05-01',
};
export const record = {
  ...missingRecord,
  accepted: null,
  due,
  assignee: null,
  notes: 0,
  heldBack: null,
};

export const judgement: MachineJudgement = {
  ...buildJudgement(411),
  system: null,
  notJudged: [],
  noAdvisory: { count: 0, names: [], sources: [] },
  leftOut: [],
  machine: { packages: 411, kbs: 0, applications: 0 },
};
/** Accepted on all machines of its client. */
export const accepted = {
  ...record,
  recordId: 8,
  identifier: 'ALSA-2024:9',
  accepted: {
    exceptionId: 3,
    until: Date.UTC(2031, 4, 12, 12),
    reason: 'Behind a firewall',
    by: 'Ada',
    kind: 'accepted' as const,
    owner: { userId: 2, name: 'Grace', address: null },
    scope: 'client' as const,
  },
};

type Missing = z.output<typeof machineMissingEndpoint.reply>;

export const showMachine = (
  more: Partial<Missing> = {},
  userType: 'Admin' | 'Standard' = 'Admin',
  ...replies: readonly HttpHandler[]
) =>
  renderInApp(<MachinePanel id={67108865} />, {
    session: { userType },
    replies: [
      ...replies,
      reply(machineMissingEndpoint, {
        objList: [],
        totalCount: 0,
        acceptedCount: 0,
        bands: [],
        install: [],
        installCommand: null,
        overdueCount: 0,
        missingCount: (more.totalCount ?? 0) - (more.acceptedCount ?? 0),
        judgedOn: 1,
        reportedOn: Date.now(),
        notJudged: false,
        ring: null,
        judgement,
        ...more,
      }),
    ],
  });
