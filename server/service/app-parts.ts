/** The parts from which the HTTP application is assembled. */
import type { Intake } from '../fleet/intake/intake.ts';
import type { Assessments } from '../formats/start-assessments.ts';
import type { SyncControl } from '../ingest/sync/start-sync.ts';
import type { TreeParts } from '../licensing/tree/tree-place.ts';
import type { Downloads } from '../operations/downloads/start-downloads.ts';
import type { EventTimes } from '../platform/http/event-stream.ts';
import type { ServicePhase } from '../platform/http/health-routes.ts';
import type { PlatformParts } from '../platform/platform-context.ts';

export interface AppParts extends PlatformParts {
  readonly sync: SyncControl;
  /** Null: this process makes no downloads. */
  readonly downloads?: Downloads | null;
  /** Folder of the files of open formats; a temporary one, when absent. */
  readonly formatsFolder?: string;
  /** Processes the machines that clients report; absent: in the same thread. */
  readonly intake?: Intake;
  /** Judges large inventories and batches; absent: in the same thread. */
  readonly assessments?: Assessments;
  /** The published tree; absent: there is none. */
  readonly tree?: TreeParts | null;
  /** The phase that load balancers see; absent: ready. */
  readonly phase?: () => ServicePhase;
  /** The setting METRICS_TOKEN. */
  readonly metricsToken?: string | null;
  readonly eventTimes?: EventTimes;
  /** The folder of the built console. */
  readonly consoleFolder?: string;
}
