import type { SourceKey } from '@patch/catalogue/sources.ts';
import { testMirrorEndpoint } from '@patch/contract/sources/source-settings-endpoints.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { describeMirrorTest } from '../../runs/mirror-test-text.ts';
import { Button } from '../../widgets/button.tsx';
import styles from './first-steps.module.css';

type Reply = { readonly text: string; readonly hasFailed: boolean };

/** Sources that are tested at a time, so that slow ones do not delay the others and no vendor receives many requests at once. */
const testsAtOnce = 4;

interface SourceReachabilityProps {
  readonly sources: readonly SourceState[];
  /** Receives whether every source was reached. */
  readonly onTested: (allReached: boolean) => void;
}

/** Tests every source, and shows each answer as it arrives. */
export function SourceReachability({ sources, onTested }: SourceReachabilityProps) {
  const [replies, setReplies] = useState<ReadonlyMap<SourceKey, Reply>>(new Map());
  const [isTesting, setTesting] = useState(false);
  const answer = (source: SourceKey, reply: Reply) =>
    setReplies((before) => new Map(before).set(source, reply));
  async function testAll(): Promise<void> {
    setTesting(true);
    setReplies(new Map());
    onTested(false);
    let failures = 0;
    const waiting = sources.map(({ source }) => source);
    const testNext = async (): Promise<void> => {
      const source = waiting.shift();
      if (source === undefined) return;
      try {
        const result = await callApi(testMirrorEndpoint, { params: { source } });
        const hasFailed = result.problem !== null;
        failures += Number(hasFailed);
        answer(source, { text: describeMirrorTest(result), hasFailed });
      } catch (error) {
        failures += 1;
        answer(source, { text: (error as Error).message, hasFailed: true });
      }
      await testNext();
    };
    await Promise.all(Array.from({ length: testsAtOnce }, testNext));
    setTesting(false);
    onTested(failures === 0);
  }
  const reached = [...replies.values()].filter(({ hasFailed }) => !hasFailed).length;
  return (
    <>
      <Button loading={isTesting} onClick={() => void testAll()}>
        Test {sources.length} sources
      </Button>
      <p className="text-quiet text-dense" role="status">
        {replies.size === 0
          ? isTesting
            ? 'Testing…'
            : ''
          : `${reached} of ${replies.size} tested sources can be reached.`}
      </p>
      {replies.size > 0 && (
        <ul
          className={`${styles['replies']} grid gap-y-2 gap-x-6 w-full plain-list text-dense break-anywhere`}
        >
          {sources.flatMap(({ source, label }) => {
            const reply = replies.get(source);
            return reply === undefined
              ? []
              : [
                  <li key={source} data-failed={reply.hasFailed || undefined}>
                    <strong>{label}</strong> {reply.text}
                  </li>,
                ];
          })}
        </ul>
      )}
    </>
  );
}
