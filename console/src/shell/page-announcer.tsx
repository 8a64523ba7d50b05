/** After a page change, focuses the heading and announces the title. A change of the search parameters alone has no effect. */
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { headingId } from '../widgets/page-header.tsx';

export const mainId = 'main';

export function PageAnnouncer() {
  const router = useRouter();
  const [title, setTitle] = useState('');
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || fromLocation === undefined) return;
        const target = document.getElementById(headingId) ?? document.getElementById(mainId);
        target?.focus({ preventScroll: true });
        setTitle(document.title);
      }),
    [router],
  );
  return (
    <div className="visually-hidden" aria-live="polite">
      {title}
    </div>
  );
}
