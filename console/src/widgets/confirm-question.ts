/** What is asked before something happens. */
import type { ReactNode } from 'react';

export interface Question {
  /** 'Are you sure?' when absent. */
  readonly title?: string;
  /** Names the object and the count. */
  readonly body?: ReactNode;
  readonly icon?: ReactNode;
  readonly yes?: string;
  readonly no?: string;
  /** Paints Yes in red and puts the focus on No. */
  readonly danger?: boolean;
  /** What has to be typed before Yes can be pressed: for what touches much. */
  readonly typed?: string;
  /** What Yes does; the dialog stays until it is done, and closes rejected when it throws. */
  readonly onYes?: () => Promise<unknown>;
}

export interface Asked extends Question {
  readonly id: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}
