/** Notice above the content it concerns. Screen readers announce it when it appears. */
import {
  CheckCircleFilled,
  CloseCircleFilled,
  CloseOutlined,
  ExclamationCircleFilled,
  InfoCircleFilled,
} from '@ant-design/icons-svg';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './notice.module.css';

const drawings = {
  success: CheckCircleFilled,
  info: InfoCircleFilled,
  warning: ExclamationCircleFilled,
  error: CloseCircleFilled,
} as const;

interface NoticeProps {
  readonly kind: keyof typeof drawings;
  readonly title: string;
  readonly description?: ReactNode;
  /** Adds a close button. */
  readonly onClose?: () => void;
  readonly className?: string | undefined;
}

export function Notice({ kind, title, description, onClose, className = '' }: NoticeProps) {
  return (
    <div className={`${styles['notice']} ${className}`} role="alert" data-kind={kind}>
      <Icon of={drawings[kind]} className={styles['icon']} />
      <div className={styles['words']}>
        <p className={description === undefined ? undefined : styles['title']}>{title}</p>
        {description === undefined ? null : <div>{description}</div>}
      </div>
      {onClose === undefined ? null : (
        <Button
          look="quiet"
          small
          aria-label="Close"
          icon={<Icon of={CloseOutlined} />}
          onClick={onClose}
        />
      )}
    </div>
  );
}
