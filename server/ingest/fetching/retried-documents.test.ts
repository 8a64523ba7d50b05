import { join } from 'node:path';
import type { RunStage } from '@patch/contract/sources/run-message.ts';
import { runStageText } from '@patch/contract/sources/run-message-text.ts';
import { beforeEach, expect, test } from 'vitest';
import { activeRun } from '../runs/run-store.ts';
import type { RunningRun } from '../runs/running-run.ts';
import { smallFeed } from '../testing/small-feed.ts';
import { describeWithBench } from '../testing/sync-bench.ts';
import { folderUpstream } from './create-upstream.ts';
import { FailedAttempt, type Upstream } from './upstream.ts';

const address = 'small.example/one.json';

describeWithBench('a retried document', (bench) => {
  beforeEach(async () => {
    await bench.publish(address, [{ id: 'A', title: 'A' }]);
  });

  /** Answers 503 `times` times, then serves the folder of the mirror. */
  function failing(times: number): Upstream {
    const folder = folderUpstream(join(bench.folder, 'mirror'));
    let failures = 0;
    return {
      ...folder,
      origin: folder.origin,
      async request(url, have, signal) {
        if (failures++ < times)
          throw new FailedAttempt({ code: 'status', params: { status: 503 } });
        return folder.request(url, have, signal);
      },
      close: () => folder.close(),
    };
  }

  test('shows in the stage of the run until it has been fetched', async () => {
    const stages: (RunStage | null)[] = [];
    let running: RunningRun | undefined;
    await bench.sync(smallFeed, {
      upstream: failing(2),
      whileRunning: (run) => {
        running = run;
      },
      fetching: {
        random: () => 1,
        now: () => 10_000,
        sleep: async () => void stages.push(running?.stage ?? null),
      },
    });
    const common = {
      url: `https://${address}`,
      problem: { code: 'status', params: { status: 503 } },
    };
    expect(stages).toMatchObject([
      {
        code: 'retrying',
        params: { ...common, attempt: 2, attempts: 4, retryAt: 11_000, documents: 1, retries: 1 },
      },
      { code: 'retrying', params: { ...common, attempt: 3, retryAt: 12_000, retries: 2 } },
    ]);
    expect(running?.stage?.code).not.toBe('retrying');
  });

  test('shows to every process while the run waits', async () => {
    let seen: RunStage | null = null;
    await bench.sync(smallFeed, {
      upstream: failing(1),
      fetching: {
        sleep: async () => {
          await expect
            .poll(async () => (await activeRun(bench.database, 'almaLinux'))?.stage?.code, {
              timeout: 5000,
            })
            .toBe('retrying');
          seen = (await activeRun(bench.database, 'almaLinux'))?.stage ?? null;
        },
      },
    });
    expect(seen === null ? '' : runStageText(seen)).toMatch(
      /^Retrying .*: attempt 2 of 4\. https:\/\/small\.example\/one\.json answered 503\.$/,
    );
  });
});
