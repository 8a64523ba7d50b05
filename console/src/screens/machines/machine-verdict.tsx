/** The verdict on a machine in one sentence, everything that makes it incomplete, and what to do with it. */
import { DownloadOutlined, PrinterOutlined } from '@ant-design/icons-svg';
import { type Assessment, assessmentEndpoint } from '@patch/contract/assessment-endpoint.ts';
import {
  comparedText,
  installText,
  isWeak,
  scopeTexts,
  verdictSentence,
} from '@patch/contract/assessment-words.ts';
import { useMutation } from '@tanstack/react-query';
import { callForFile } from '../../api/call-api.ts';
import { takeText } from '../../api/take-file.ts';
import { CommandToCopy } from '../../fleet/command-to-copy.tsx';
import { dayDate } from '../../values/day-date.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import styles from './check-machine-screen.module.css';
import { describeCounts, getMachineName } from './machine-words.ts';

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
    <section aria-label="Result" aria-live="polite" className={styles['part']}>
      <h2 className={styles['verdict']} data-limited={isLimited || undefined}>
        {verdictSentence(answer)}
      </h2>
      {sources.length === 0 && (
        <p className={styles['concern']}>No source has records of this machine.</p>
      )}
      {concerns.map(({ service, label, concern }) => (
        <p key={service} className={styles['concern']}>
          {label}: {concern}
        </p>
      ))}
      {machine.endOfLife !== null && <SupportEnded day={machine.endOfLife} />}
      {missing.length > 0 && (
        <p className={styles['counts']}>
          {describeCounts(answer.counts)}
          {install.length > 0 && `. ${installText(bands, install.length)}.`}
        </p>
      )}
      <p className={styles['quiet']}>
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
    <p className={styles['ended']}>
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
      ? ['A newer kernel is installed than the one running. Reboot to use it.']
      : []),
    ...scopeTexts(answer),
    ...advice.map(({ text }) => text),
  ];
  if (rows.length === 0) return null;
  return (
    <ul className={styles['warnings']}>
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
    <div className={styles['actions']}>
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
