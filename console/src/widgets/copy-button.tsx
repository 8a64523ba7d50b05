/** Copies a text and shows a tick for a moment. */

import { CheckOutlined, CopyOutlined } from '@ant-design/icons-svg';
import { useEffect, useState } from 'react';
import styles from './copy-button.module.css';
import { Icon } from './icon.tsx';

const tickMs = 1500;

export interface CopyButtonProps {
  readonly text: string;
  /** Noun for the label: 'KB number'. */
  readonly what: string;
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), tickMs);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      className={styles['button']}
      data-copied={copied || undefined}
      aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
      title={copied ? 'Copied' : `Copy ${what}`}
      onClick={(event) => {
        event.stopPropagation();
        void copyText(text).then(setCopied);
      }}
    >
      {copied ? <Icon of={CheckOutlined} /> : <Icon of={CopyOutlined} />}
    </button>
  );
}

/** Copies text to the clipboard, over plain http with the deprecated `execCommand`. Resolves to false on failure. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}
