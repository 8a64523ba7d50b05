/** Question of a confirmation dialog. */
import type { ReactNode } from 'react';

export interface Question {
  /** Default: 'Are you sure?' */
  readonly title?: string;
  /** States the affected object or count. */
  readonly body?: ReactNode;
  readonly icon?: ReactNode;
  readonly yes?: string;
  readonly no?: string;
  /** Shows Yes in red and focuses No. */
  readonly danger?: boolean;
  /** Word to type before Yes is enabled, for actions with a large effect. */
  readonly typed?: string;
  /** Action of Yes. The dialog stays open until it ends, and the question rejects when it throws. */
  readonly onYes?: () => Promise<unknown>;
}

export interface PendingQuestion extends Question {
  readonly id: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}
