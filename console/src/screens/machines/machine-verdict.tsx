/** The verdict on a machine in one sentence, everything that makes it incomplete, and what to do with it. */
import { DownloadOutlined, PrinterOutlined } from '@ant-design/icons-svg';
import { distributionName } from '@patch/catalogue/machines/inventory/distribution-names.ts';
import { type Assessment, assessmentEndpoint } from '@patch/contract/fleet/assessment-endpoint.ts';
import {
  comparedText,
  installText,
  isWeak,
  scopeTexts,
  sourceSentences,
  verdictSentence,
} from '@patch/contract/fleet/assessment-words.ts';
import { countedMissing } from '@patch/contract/fleet/missing-counts.ts';
import { useMutation } from '@tanstack/react-query';
import { callForFile } from '../../api/call-api.ts';
import { takeText } from '../../api/take-file.ts';
import { CommandToCopy } from '../../fleet/command-to-copy.tsx';
import { dayDate } from '../../values/day-date.ts';
import { Button } from '../../widgets/button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { Icon } from '../../widgets/icon.tsx';
import styles from './check-machine-screen.module.css';

interface MachineVerdictProps {
  readonly answer: Assessment;
  readonly inventory: string;
}

export function MachineVerdict({ answer, inventory }: MachineVerdictProps) {
  const { machine, sources, missing, bands, install, advice } = answer;
  const concerns = sources.filter(({ concern }) => concern !== null);
  const isLimited = concerns.length > 0 || sources.length === 0 || isWeak(answer);
  const commands = advice.map(({ command }) => command).filter((command) => command !== null);
  const [betterCommand] = isWeak(answer) ? commands : [];
  return (
    <section
      aria-label="Result"
      aria-live="polite"
      className={`${styles['part']} min-w-0 p-4 border rounded bg-surface`}
    >
      <h2
        className={`${styles['verdict']} mb-2 text-title font-600`}
        data-limited={isLimited || undefined}
      >
        {verdictSentence(answer)}
      </h2>
      {sources.length === 0 && (
        <p className="mb-2 text-warning font-600">{sourceSentences(answer)}.</p>
      )}
      {concerns.map(({ service, label, concern }) => (
        <p key={service} className="mb-2 text-warning font-600">
          {label}: {concern}
        </p>
      ))}
      {machine.endOfLife !== null && <SupportEnded day={machine.endOfLife} />}
      {missing.length > 0 && (
        <p className="mb-2">
          {describeCounts(answer.counts)}
          {install.length > 0 && `. ${installText(bands, install.length)}.`}
        </p>
      )}
      <p className="text-quiet text-dense">
        {getMachineName(machine)} · {comparedText(answer)}
      </p>
      <Warnings answer={answer} />
      {betterCommand !== undefined && (
        <CommandToCopy
          label="For a better answer, run this on the machine and paste its output"
          command={betterCommand}
          what="better command"
          isPrimary
        />
      )}
      {missing.length > 0 && <Files inventory={inventory} />}
    </section>
  );
}

/** After the end of support, missing records are only a part of the risk. */
function SupportEnded({ day }: { readonly day: number }) {
  return (
    <p className="my-2 text-danger font-600">
      The vendor ended its support on {dayDate(day, 'UTC')}. Fixes since then need an extended
      contract, or do not exist.
    </p>
  );
}

/** Everything that makes the result incomplete. */
function Warnings({ answer }: { readonly answer: Assessment }) {
  const { machine, advice } = answer;
  const rows = [
    ...(machine.rebootPending === true
      ? [
          machine.restartDue === true
            ? 'The system says that a restart is due.'
            : 'A newer kernel is installed than the one running. Reboot to use it.',
        ]
      : []),
    ...scopeTexts(answer),
    ...advice.map(({ text }) => text),
  ];
  if (rows.length === 0) return null;
  return (
    <ul className="m-0 my-2 pl-4">
      {rows.map((row) => (
        <li key={row}>{row}</li>
      ))}
    </ul>
  );
}

function Files({ inventory }: { readonly inventory: string }) {
  const saving = useMutation({
    mutationFn: () =>
      callForFile(assessmentEndpoint, { query: { format: 'csv' }, body: { text: inventory } }),
    onSuccess: (text) => takeText(text, 'text/csv', 'missing-patches.csv'),
    // The request contains the inventory, so it is removed from the cache at once.
    gcTime: 0,
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon={<Icon of={PrinterOutlined} />} onClick={() => window.print()}>
        Print report
      </Button>
      <Button
        icon={<Icon of={DownloadOutlined} />}
        loading={saving.isPending}
        onClick={() => saving.mutate()}
      >
        CSV
      </Button>
    </div>
  );
}

/** Texts about the result of a machine check. */
export function getMachineName({ distribution, release, build }: Assessment['machine']): string {
  const system = distribution === null ? 'Unknown machine' : distributionName(distribution);
  return [system, release, build].filter((word) => word !== null).join(' ');
}

/** Returns for example '2 known exploited, 1 critical, 3 important, 4 uncertain'. */
export function describeCounts(counts: Assessment['counts']): string {
  return countedMissing(counts)
    .map(([count, word]) => `${formatNumber(count)} ${word}`)
    .join(', ');
}
