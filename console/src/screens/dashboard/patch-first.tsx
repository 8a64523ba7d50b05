/** The updates to patch first, one sentence each, with the rule of their rank and the link to the complete list. */
import { BellOutlined } from '@ant-design/icons-svg';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { patchFirst } from '@patch/catalogue/records/all-patches-list.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type {
  RankedUpdate,
  PatchFirst as Ranking,
} from '@patch/contract/reports/dashboard-endpoint.ts';
import { readUpdateWords } from '@patch/contract/reports/update-words.ts';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { findRecordElsewhere } from '../../list/table/record-elsewhere.ts';
import { buttonClass } from '../../widgets/button.tsx';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { FigureLink } from '../../widgets/figure-link.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { Icon } from '../../widgets/icon.tsx';
import { homePath, listPath } from '../../widgets/list-paths.ts';
import { SeverityIcon } from '../../widgets/severity-icon.tsx';
import styles from './patch-first.module.css';
import { RankedProducts } from './ranked-products.tsx';
import { describeUpdate } from './update-sentence.ts';

const allPatches: CatalogueList = getList('all_patches');

export function PatchFirst({ ranking }: { readonly ranking: Ranking }) {
  const { own, figure, updates, others } = ranking;
  const hasMachines = updates.some(({ machines }) => machines !== null);
  const hasProducts = others !== null;
  return (
    <>
      <RankedProducts own={own} />
      {updates.length === 0 ? (
        <p className="mt-2 text-quiet text-dense">
          {hasProducts
            ? 'No update of your products is open: none was read, or each one is superseded.'
            : 'Nothing to rank yet: no update has been read.'}
        </p>
      ) : (
        <>
          <ol className="plain-list divide-y">
            {updates.map((update) => (
              <Update key={update.row.id} update={update} ownProducts={own?.names ?? []} />
            ))}
          </ol>
          <p className="underlined-links mt-2 text-quiet text-dense">
            Ranked by {hasMachines ? 'what machines miss, then ' : ''}known exploited, the newest
            first, then severity and date; superseded updates are left out.{' '}
            <Link to={listPath(allPatches)} search={toSearch(figure.criteria, patchFirst)}>
              All {formatNumber(figure.totalCount)}
              {hasProducts ? ' of these products' : ''}
              {hasMachines ? ', ranked without machines' : ' in this order'}
            </Link>
          </p>
        </>
      )}
      {hasProducts && (
        <p className="underlined-links mt-1 text-quiet text-dense">
          <Link to={listPath(allPatches)} search={toSearch(others.criteria, patchFirst)}>
            Also for products{' '}
            {own?.from === 'machines' ? 'that no machine runs' : 'you have not chosen'}:{' '}
            {formatNumber(others.totalCount)}
          </Link>
        </p>
      )}
    </>
  );
}

interface UpdateProps {
  readonly update: RankedUpdate;
  readonly ownProducts: readonly string[];
}

function Update({ update, ownProducts }: UpdateProps) {
  const { row } = update;
  const { name, severity } = readUpdateWords(row);
  const page = findRecordElsewhere(allPatches, row) ?? homePath;
  return (
    <li className={`${styles['update']} flex items-baseline gap-3 py-2 text-body leading-row`}>
      <span className={`${styles['severity']} flex-none leading-row`} aria-hidden="true">
        <SeverityIcon severity={severity ?? 'Unspecified'} />
      </span>
      <p className={`${styles['sentence']} flex-1 min-w-0 break-anywhere`}>
        <Link to={page} className="font-mono font-600">
          {name}
        </Link>
        {describeUpdate(update, ownProducts).map(({ text, tone, figure, isOnPage }) => (
          <Fragment key={text}>
            {'\u00A0· '}
            <span data-tone={tone}>
              {figure !== undefined ? (
                <FigureLink figure={figure} counts={`for ${name}, ${text}`}>
                  {text}
                </FigureLink>
              ) : isOnPage === true ? (
                <Link to={page} className="underline">
                  {text}
                </Link>
              ) : (
                text
              )}
            </span>
          </Fragment>
        ))}
      </p>
      <span className={`${styles['actions']} flex flex-none items-center gap-1`}>
        <CopyButton text={name} what={name} />
        <Link
          to={listPath(allPatches)}
          search={toSearch(getSimilarCriteria(row))}
          className={buttonClass({ small: true, look: 'quiet' })}
          aria-label={`Alert: updates like ${name}`}
          data-tip="Alert: opens the updates of this product; save them as a view with an alert"
        >
          <Icon of={BellOutlined} />
        </Link>
        <Link to={page} className={buttonClass({ small: true })} aria-label={`Open ${name}`}>
          Open
        </Link>
      </span>
    </li>
  );
}

/** Updates of the same product, or of the same vendor where no product is stated. */
function getSimilarCriteria(row: RankedUpdate['row']): readonly FieldCriterion[] {
  const release: unknown = Array.isArray(row['release']) ? row['release'][0] : undefined;
  if (typeof release === 'string')
    return [{ paramName: 'release', operator: 'equal', value: release }];
  return typeof row['vendor'] === 'string'
    ? [{ paramName: 'vendor', operator: 'equal', value: row['vendor'] }]
    : [];
}

/** The link must use these criteria, not the user's default view. */
const toSearch = (criteria: readonly FieldCriterion[], sort?: string) =>
  ({
    ...(criteria.length > 0 && { criteria: writeCriteria(allPatches, criteria) }),
    ...(sort !== undefined && { sort }),
    view: 'all',
  }) as never;
