/** Numbers of licensed clients: licences that end or have ended, and clients that have not updated for a long time. */
import type { ClientFigures as Figures } from '@patch/contract/reports/dashboard-endpoint.ts';
import { FigureLink } from '../../widgets/figure-link.tsx';
import styles from './client-figures.module.css';

export function ClientFigures({ figures }: { readonly figures: Figures }) {
  const { clients, licencesEnding, licencesEnded, silentClients } = figures;
  if (clients.totalCount === 0) return <p className="text-quiet">No clients registered yet.</p>;
  const lines = [
    { figure: silentClients, words: 'behind: not updated for 7 days' },
    { figure: clients, words: 'registered' },
    { figure: licencesEnding, words: 'licences end within 30 days' },
    { figure: licencesEnded, words: 'licences have ended' },
  ];
  return (
    <dl className={`${styles['figures']} grid gap-4 m-0`}>
      {lines.map(({ figure, words }) => (
        <div key={words} className={styles['figure']}>
          <dt className="text-quiet text-small">{words}</dt>
          <dd className="m-0 text-title font-600">
            <FigureLink figure={figure} counts={words} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
