/** What a run added, changed and withdrew; each record is a link, each changed field says what it was and is. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { type RunChange, runChangesCall } from '@patch/contract/sync-calls.ts';
import { Link } from '@tanstack/react-router';
import { makeCall } from '../../api/make-call.ts';
import type { ColourName } from '../../theme/tokens.ts';
import { colour } from '../../theme/tokens.ts';
import { recordPath } from '../../widgets/list-paths.ts';
import { changedValueWords } from './changed-value-words.ts';
import styles from './run-changes.module.css';
import { RunPage } from './run-page.tsx';

const kindLooks: Readonly<Record<RunChange['kind'], { readonly word: string; readonly colour: ColourName }>> = {
  added: { word: 'Added', colour: 'success' },
  changed: { word: 'Changed', colour: 'accent' },
  withdrawn: { word: 'Withdrawn', colour: 'warning' },
  returned: { word: 'Returned', colour: 'success' },
};

export function RunChanges({ run, expected }: { readonly run: number; readonly expected: number }) {
  return (
    <RunPage
      queryKey={['run changes', run]}
      ask={(query, signal) => makeCall(runChangesCall, { params: { runId: String(run) }, query, signal })}
      none="It changed nothing."
      expected={expected}
      rowOf={(change) => <OneChange key={change.id} change={change} />}
    />
  );
}

function OneChange({ change }: { readonly change: RunChange }) {
  const list = catalogueLists.find(({ key }) => key === change.list);
  const look = kindLooks[change.kind];
  const fields = Object.entries(change.fields);
  return (
    <li>
      <div className={styles['line']}>
        <span className={styles['kind']} style={{ color: colour(look.colour) }}>
          {look.word}
        </span>
        {list === undefined ? change.identity : <Link to={recordPath(list, change.rowId)}>{change.identity}</Link>}
        <span className={styles['list']}>{list?.label ?? change.list}</span>
      </div>
      {fields.length === 0 ? null : (
        <dl className={styles['fields']}>
          {fields.map(([name, { was, is }]) => {
            const field = list?.fields[name] ?? list?.detail.facts[name];
            return (
              <div key={name}>
                <dt>{field?.label ?? list?.detail.tables[name]?.label ?? name}</dt>
                <dd>
                  <del>{changedValueWords(was, field?.kind)}</del> <ins>{changedValueWords(is, field?.kind)}</ins>
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </li>
  );
}
