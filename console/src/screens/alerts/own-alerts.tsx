/** The alerts of the user's own saved views: contents, time, problems and deletion. A section of the account screen. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import {
  alertsEndpoint,
  endAlertEndpoint,
  type ViewAlert,
} from '@patch/contract/reports/alert-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/api-query.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { Loaded } from '../../resources/loaded.tsx';
import { ResourceRows, RowButton } from '../../resources/resource-list.tsx';
import { percentText } from '../../values/share-text.ts';
import { listPath } from '../../widgets/list-paths.ts';
import { Notice } from '../../widgets/notice.tsx';
import styles from '../../widgets/row-list.module.css';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';

export function OwnAlerts() {
  const alerts = useQuery(apiQuery(queryKeys.alerts.all(), alertsEndpoint));
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
  return (
    <Loaded query={alerts} what="alerts" rows={2}>
      {({ objList, mailConfigured }) =>
        objList.length === 0 ? (
          <p>No alerts yet. Save a view of a list, then set an alert in its menu of views.</p>
        ) : (
          <>
            {mailConfigured ? null : (
              <Notice
                kind="warning"
                title="No email is sent until the mail server is configured."
              />
            )}
            <ResourceRows
              label="Alerts"
              items={objList.map((alert) => ({ id: alert.view.id, alert }))}
              action={({ alert }) => (
                <RowButton
                  label="Remove"
                  object={`the alert on ${alert.view.name}`}
                  onClick={() => void end(alert)}
                />
              )}
            >
              {({ alert }) => <AlertSummary alert={alert} />}
            </ResourceRows>
          </>
        )
      }
    </Loaded>
  );
}

function AlertSummary({ alert }: { readonly alert: ViewAlert }) {
  const { view, problem } = alert;
  const list = catalogueLists.find(({ key }) => key === view.list);
  return (
    <>
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
    </>
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
