/** A command of several lines with a button that copies it. */
import { CopyOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import { Button } from '../widgets/button.tsx';
import { copyText } from '../widgets/copy-button.tsx';
import { Icon } from '../widgets/icon.tsx';
import styles from './band-install.module.css';

interface CommandToCopyProps {
  readonly label?: string;
  readonly command: string;
  /** Noun for the button: 'Copy better command'. */
  readonly what: string;
  readonly isPrimary?: boolean;
}

export function CommandToCopy({ label, command, what, isPrimary = false }: CommandToCopyProps) {
  const [copied, setCopied] = useState(false);
  return (
    <div
      className={`${styles['command']} grid items-start gap-2 my-2 p-2 border rounded bg-canvas`}
    >
      {label !== undefined && <span className="col-span-full">{label}</span>}
      <code>
        {command.split(/(?<= )/).map((argument, index) => (
          <span key={index}>{argument}</span>
        ))}
      </code>
      <Button
        {...(isPrimary && { look: 'primary' })}
        small
        icon={<Icon of={CopyOutlined} />}
        onClick={() => void copyText(command).then(setCopied)}
      >
        {copied ? 'Copied' : `Copy ${what}`}
      </Button>
    </div>
  );
}
