/** Loads a part of a page on first use. A part that loads long says so, and one that failed offers to try again. */
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { isChunkFailure, limitChunkLoading } from '../theme/chunk-in-time.ts';
import { durations } from '../theme/tokens.ts';
import { Button } from './button.tsx';
import styles from './lazy-part.module.css';
import { Spinner } from './spinner.tsx';

/** Each failed part adds the function that makes it load again. */
const restartFailed = new Set<() => void>();

/** `lazy` of React keeps a failure for ever; this one loads again after `LazyPart` was told to try again. */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const begin = () =>
    lazy(async () => {
      try {
        return { default: await limitChunkLoading(load()) };
      } catch (failure) {
        restartFailed.add(() => {
          Late = begin();
        });
        throw failure;
      }
    }) as unknown as ComponentType<Props>;
  let Late = begin();
  return function LazyComponent(props: Props) {
    return <Late {...props} />;
  };
}

interface LazyPartProps {
  /** True for a part in the flow of the page. The others lie over it, as dialogs do. */
  readonly wheel?: boolean;
  /** Shown in place of the sign that the part loads. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

interface LazyPartState {
  readonly failure: unknown;
}

/** Surrounds lazy components. */
export class LazyPart extends Component<LazyPartProps, LazyPartState> {
  override readonly state: LazyPartState = { failure: undefined };

  static getDerivedStateFromError(failure: unknown): LazyPartState {
    return { failure };
  }

  readonly #tryAgain = (): void => {
    for (const restart of restartFailed) restart();
    restartFailed.clear();
    this.setState({ failure: undefined });
  };

  override render(): ReactNode {
    const { failure } = this.state;
    const { wheel = false, fallback = <Loading wheel={wheel} />, children } = this.props;
    if (failure === undefined) return <Suspense fallback={fallback}>{children}</Suspense>;
    if (!isChunkFailure(failure)) throw failure;
    return <Failed wheel={wheel} onTryAgain={this.#tryAgain} />;
  }
}

/** Appears after 400 ms, so that a part that arrives sooner does not flash. */
function Loading({ wheel }: { readonly wheel: boolean }) {
  return (
    <span
      role="status"
      aria-label="Loading"
      className={styles[wheel ? 'inline' : 'loading']}
      style={{ animationDelay: `${durations.lazyShowsLoading}ms` }}
    >
      <Spinner />
      {wheel ? null : 'Loading…'}
    </span>
  );
}

interface FailedProps {
  readonly wheel: boolean;
  readonly onTryAgain: () => void;
}

function Failed({ wheel, onTryAgain }: FailedProps) {
  return (
    <div role="alert" className={styles[wheel ? 'failedInline' : 'failed']}>
      <p>
        <strong>ChunkLoadError.</strong> A part of the console could not be loaded. The service may
        be out of reach, or was updated since this page was opened.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" small onClick={onTryAgain}>
          Try again
        </Button>
        <Button small onClick={() => location.reload()}>
          Reload the page
        </Button>
      </div>
    </div>
  );
}
