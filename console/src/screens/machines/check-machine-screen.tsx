/** Checks which patches a machine lacks from pasted or uploaded tool output. Neither the console nor the server stores it. */
import { inventoryText } from '@patch/catalogue/machines/inventory/inventory-text.ts';
import { assessmentEndpoint } from '@patch/contract/assessment-endpoint.ts';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { ownPreferences, updateFrame } from '../../api/preferences.ts';
import { useSources } from '../../api/use-sources.ts';
import { Button } from '../../widgets/button.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import styles from './check-machine-screen.module.css';
import { MachineAnswer } from './machine-answer.tsx';
import { MachineCommands } from './machine-commands.tsx';
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
      <div className={styles['screen']}>
        <form className={styles['form']} onSubmit={submit}>
          <label htmlFor={field}>Output of the machine’s tools</label>
          <textarea
            id={field}
            className={styles['text']}
            value={text}
            rows={assessing.data === undefined ? 12 : 4}
            spellCheck={false}
            autoComplete="off"
            placeholder={'ID="almalinux"\nVERSION_ID="9.4"\nbash 0:5.1.8-9.el9 x86_64 (none)\n…'}
            onChange={(event) => setText(event.target.value)}
          />
          <div className={styles['actions']}>
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
          <p className={styles['failure']} role="alert">
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
