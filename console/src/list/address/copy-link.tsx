/** Copies a link with search, order, page size and columns of the list. */

import { CheckOutlined, LinkOutlined } from '@ant-design/icons-svg';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button } from '../../widgets/button.tsx';
import { copyText } from '../../widgets/copy-button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import type { ListSearch } from './list-url.ts';

const tickMs = 1500;

interface CopyLinkProps {
  readonly search: ListSearch;
  /** Shows the icon without its word. */
  readonly narrow: boolean;
}

export function CopyLink({ search, narrow }: CopyLinkProps) {
  const router = useRouter();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), tickMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const label = copied ? 'Link copied' : 'Copy link';
  return (
    <Button
      look="quiet"
      icon={copied ? <Icon of={CheckOutlined} /> : <Icon of={LinkOutlined} />}
      aria-label={label}
      title={label}
      onClick={() => {
        const { href } = router.buildLocation({ to: '.', search: search as never });
        void copyText(new URL(href, location.origin).href).then(setCopied);
      }}
    >
      {!narrow && label}
    </Button>
  );
}
