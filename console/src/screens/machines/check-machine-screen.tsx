/** Checks which patches a machine lacks from pasted or uploaded tool output. Neither the console nor the server stores it. */
import { inventoryText } from '@patch/catalogue/machines/inventory/inventory-text.ts';
import { assessmentEndpoint } from '@patch/contract/fleet/assessment-endpoint.ts';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { ownPreferences, updateFrame } from '../../api/preferences.ts';
import { useSources } from '../../api/use-sources.ts';
import { Button } from '../../widgets/button.tsx';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import styles from './check-machine-screen.module.css';
import { MachineAnswer } from './machine-answer.tsx';
import { type SampleMachine, selectSampleMachine } from './sample-machines.ts';

export function CheckMachineScreen() {
  const [text, setText] = useState('');
  const field = useId();
  const assessing = useMutation({
    mutationFn: (inventory: string) => callApi(assessmentEndpoint, { body: { text: inventory } }),
    // The request contains the inventory, so it is removed from the cache at once.
    gcTime: 0,
    // One of the first steps of the dashboard.
    onSuccess: () => {
      const { frame, loading } = ownPreferences();
      // Saving replaces the whole frame, which must be known before.
      if (!loading && frame.machine !== 'checked') updateFrame({ machine: 'checked' });
    },
  });
  const check = (inventory: string) => {
    setText(inventory);
    assessing.mutate(inventory);
  };
  const sample = useSampleMachine(check);
  const appendFiles = async (files: readonly File[]) => {
    const texts = await Promise.all(
      files.map(async (file) => inventoryText(new Uint8Array(await file.arrayBuffer()))),
    );
    setText((before) => [before, ...texts].filter((part) => part !== '').join('\n'));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') assessing.mutate(text);
  };
  const clear = () => {
    setText('');
    assessing.reset();
  };

  return (
    <>
      <PageHeader title="Check a machine" beside="Pasted text is not stored" />
      <div className={`${styles['screen']} grid gap-4 mt-3`}>
        <form className="grid gap-2" onSubmit={submit}>
          <label htmlFor={field}>Output of the machine’s tools</label>
          <textarea
            id={field}
            className={`${styles['text']} w-full p-2 border rounded bg-surface text-dense`}
            value={text}
            rows={assessing.data === undefined ? 12 : 4}
            spellCheck={false}
            autoComplete="off"
            placeholder={'ID="almalinux"\nVERSION_ID="9.4"\nbash 0:5.1.8-9.el9 x86_64 (none)\n…'}
            onChange={(event) => setText(event.target.value)}
          />
          <div className="flex flex-wrap gap-2">
            <Button
              look="primary"
              type="submit"
              loading={assessing.isPending}
              disabled={text.trim() === ''}
            >
              Check
            </Button>
            <FileChoice onChosen={(files) => void appendFiles(files)} />
            <SampleButton sample={sample} onCheck={check} />
            <Button look="link" disabled={text === ''} onClick={clear}>
              Clear
            </Button>
          </div>
        </form>
        {assessing.error === null ? null : (
          <p className="text-danger" role="alert">
            {assessing.error.message}
          </p>
        )}
        {assessing.data === undefined ? (
          <MachineCommands />
        ) : (
          <MachineAnswer answer={assessing.data} inventory={assessing.variables} />
        )}
      </div>
    </>
  );
}

function FileChoice({ onChosen }: { readonly onChosen: (files: readonly File[]) => void }) {
  const fileInput = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => fileInput.current?.click()}>Choose files</Button>
      <input
        ref={fileInput}
        type="file"
        multiple
        hidden
        aria-label="Files with inventories"
        onChange={({ target }) => {
          onChosen([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </>
  );
}

interface SampleButtonProps {
  readonly sample: SampleMachine | null;
  readonly onCheck: (inventory: string) => void;
}

const SampleButton = ({ sample, onCheck }: SampleButtonProps) =>
  sample === null ? null : (
    <Button onClick={() => onCheck(sample.text)}>{`Check a sample: ${sample.name}`}</Button>
  );

/** Returns a machine that the synced sources can judge, or null. Checks it at once when the address asks for it. */
function useSampleMachine(check: (text: string) => void): SampleMachine | null {
  const { sample: isRequested } = useSearch({ strict: false });
  const sources = useSources().data;
  const sample = useMemo(() => selectSampleMachine(sources ?? []), [sources]);
  const hasChecked = useRef(false);
  useEffect(() => {
    if (isRequested !== true || sample === null || hasChecked.current) return;
    hasChecked.current = true;
    check(sample.text);
  }, [isRequested, sample, check]);
  return sample;
}

/** Commands by platform whose output describes a machine best. */
const commands = [
  {
    platform: 'RPM distributions',
    command: String.raw`cat /etc/os-release; uname -r; rpm -qa --qf '%{NAME} %{EPOCHNUM}:%{VERSION}-%{RELEASE} %{ARCH} %{MODULARITYLABEL}\n'`,
  },
  {
    platform: 'Debian, Ubuntu, Pardus',
    command:
      "cat /etc/os-release; uname -r; dpkg-query -W -f='${Package} ${Version} ${Architecture} ${db:Status-Abbrev} ${source:Package} ${source:Version}\\n'",
  },
  { platform: 'Windows', command: 'cmd /c "ver & systeminfo"' },
  { platform: 'macOS', command: 'sw_vers' },
] as const;

function MachineCommands() {
  return (
    <section
      aria-label="Commands"
      className={`${styles['part']} min-w-0 p-4 border rounded bg-surface`}
    >
      <h2 className="mb-2 text-lead font-600">Run on the machine and paste the output</h2>
      <ul className="grid gap-2 plain-list">
        {commands.map(({ platform, command }) => (
          <li key={platform} className={`${styles['command']} grid items-center gap-2`}>
            <span>{platform}</span>
            <code className="text-dense break-anywhere">{command}</code>
            <CopyButton text={command} what={`command for ${platform}`} />
          </li>
        ))}
      </ul>
      <p>
        Also accepted: rpm -qa, dpkg -l, apt list, Get-HotFix, wmic qfe, winget list or export, and
        SBOMs in CycloneDX or SPDX. Several outputs can be pasted together.
      </p>
    </section>
  );
}
