/** Copies a text and shows a tick for a moment. */

import { CheckOutlined, CopyOutlined } from '@ant-design/icons-svg';
import { useEffect, useState } from 'react';
import styles from './copy-button.module.css';
import { copyText } from './copy-text.ts';
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
