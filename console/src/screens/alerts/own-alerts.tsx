/** The alerts of the user's own saved views: contents, time, problems and deletion. A section of the account screen. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import {
  alertsEndpoint,
  endAlertEndpoint,
  type ViewAlert,
} from '@patch/contract/alert-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { percentText } from '../../values/share-text.ts';
import { Button } from '../../widgets/button.tsx';
import { listPath } from '../../widgets/list-paths.ts';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { Notice } from '../../widgets/notice.tsx';
import styles from '../../widgets/row-list.module.css';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';

export function OwnAlerts() {
  const alerts = useQuery({
    queryKey: queryKeys.alerts.all(),
    queryFn: ({ signal }) => callApi(alertsEndpoint, { signal }),
  });
  const end = useConfirmedAction({
    question: ({ view }: ViewAlert) => ({
      title: `Remove the alert on ${view.name}?`,
      body: 'You no longer receive emails about this view. The view stays.',
      danger: true,
      yes: 'Remove it',
    }),
    run: ({ view }) => callApi(endAlertEndpoint, { params: { id: String(view.id) } }),
    success: ({ view }) => `The alert on '${view.name}' has been removed.`,
    invalidates: [queryKeys.alerts.all()],
  });
  if (alerts.isPending) return <Skeleton rows={2} />;
  if (alerts.data === undefined)
    return (
      <LoadFailure what="alerts" failure={alerts.error} onReload={() => void alerts.refetch()} />
    );
  const { objList, mailConfigured } = alerts.data;
  if (objList.length === 0)
    return <p>No alerts yet. Save a view of a list, then set an alert in its menu of views.</p>;
  return (
    <>
      {mailConfigured ? null : (
        <Notice kind="warning" title="No email is sent until the mail server is configured." />
      )}
      <ul className={styles['list']} aria-label="Alerts">
        {objList.map((alert) => (
          <AlertRow key={alert.view.id} alert={alert} onEnd={() => void end(alert)} />
        ))}
      </ul>
    </>
  );
}

function AlertRow({ alert, onEnd }: { readonly alert: ViewAlert; readonly onEnd: () => void }) {
  const { view, problem } = alert;
  const list = catalogueLists.find(({ key }) => key === view.list);
  return (
    <li className={styles['row']}>
      <div className={styles['words']}>
        <strong>
          {list === undefined ? (
            view.name
          ) : (
            <Link to={listPath(list)} search={{ view: view.id } as never}>
              {view.name}
            </Link>
          )}
        </strong>
        <p className={styles['quiet']}>
          {list?.label ?? view.list} · {listOccasions(alert).join(', ')} · {describeSchedule(alert)}
        </p>
        {problem === '' ? null : <p>{problem}</p>}
      </div>
      <Button small onClick={onEnd}>
        Remove<span className="visually-hidden"> the alert on {view.name}</span>
      </Button>
    </li>
  );
}

/** Lists what an alert reports. */
function listOccasions({ exploited, epssAbove }: ViewAlert): string[] {
  return [
    'new records',
    ...(exploited ? ['records that become known exploited'] : []),
    ...(epssAbove === null ? [] : [`EPSS over ${percentText(epssAbove)}`]),
  ];
}

const describeSchedule = ({ mode, hour, timeZone }: ViewAlert): string =>
  mode === 'at_once' ? 'at once' : `daily at ${String(hour).padStart(2, '0')}:00 (${timeZone})`;
