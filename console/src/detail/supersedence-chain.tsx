/** Drawing of a supersedence chain, from the oldest update to the one to install: boxes in steps, joined by lines. */

import { CheckCircleFilled, WarningFilled } from '@ant-design/icons-svg';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { dayDate } from '../values/day-date.ts';
import { formatCount } from '../widgets/format-number.ts';
import { Icon } from '../widgets/icon.tsx';
import { identifierPath, recordPath } from '../widgets/list-paths.ts';
import { addDates, type Chain, type ChainContradiction } from './chain-of-record.ts';
import {
  buildChainSteps,
  type ChainBox,
  type ChainStep,
  getLine,
  type Line,
} from './chain-steps.ts';
import { FoldSection } from './fold-section.tsx';
import styles from './supersedence-chain.module.css';
import { useChainRecords } from './use-chain-records.ts';

/** A step with more boxes shows the nearest ones and folds the rest. */
const maxUnfoldedBoxes = 4;
const nearestCount = 3;

interface SupersedenceChainProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
  readonly chain: Chain;
  readonly Heading: 'h2' | 'h3';
}

export function SupersedenceChain({
  list,
  record,
  chain: ownChain,
  Heading,
}: SupersedenceChainProps) {
  const records = useChainRecords(list, record, ownChain);
  const chain = addDates(ownChain, (name) => records.get(fold(name))?.releaseDate ?? null);
  const { older, newer, last } = chain;
  const updates = older.length + newer.length + (last === null ? 0 : 1);
  const getAddress = (name: string) => {
    const id = records.get(fold(name))?.id ?? null;
    return id === null ? identifierPath(name) : recordPath(list, id);
  };
  return (
    <FoldSection
      key={record.id}
      id="supersedence"
      Heading={Heading}
      title="Supersedence"
      {...(updates > 0 && { count: formatCount(updates, ['other update', 'other updates']) })}
      isOpen={chain.contradictions.length > 0}
    >
      <p className="text-dense text-pretty">{toSummary(chain, toProductText(list, record))}</p>
      {chain.evidence !== null && (
        <p className={`${styles['evidence']} text-quiet text-dense text-pretty`}>
          <strong>Evidence</strong> {chain.evidence}
        </p>
      )}
      {chain.contradictions.length > 0 && <Contradictions of={chain.contradictions} />}
      {updates === 0 ? null : (
        <div className={`${styles['window']} p-4 border rounded bg-canvas`}>
          <ol
            className={`${styles['chain']} flex flex-col min-w-0 plain-list`}
            aria-label="Oldest to newest"
          >
            {buildChainSteps(chain).map((step, index, steps) => (
              <Step
                key={step.label}
                {...step}
                getAddress={getAddress}
                lineBefore={index === 0 ? null : getLine(steps[index - 1], step)}
              />
            ))}
          </ol>
          <p
            className={`${styles['legend']} flex items-center gap-2 mt-4 text-quiet text-small`}
            aria-hidden="true"
          >
            <span data-line="directly" /> directly
            <span data-line="through others" /> indirectly
          </p>
        </div>
      )}
    </FoldSection>
  );
}

interface StepProps extends ChainStep {
  readonly getAddress: (name: string) => string;
  readonly lineBefore: Line | null;
}

function Step({ label, boxes, fold: folding, getAddress, lineBefore }: StepProps) {
  const [open, setOpen] = useState(false);
  const labelId = useId();
  const folded =
    folding === undefined || boxes.length <= maxUnfoldedBoxes ? 0 : boxes.length - nearestCount;
  const shown =
    open || folded === 0
      ? boxes
      : folding?.at === 'start'
        ? boxes.slice(folded)
        : boxes.slice(0, nearestCount);
  const button =
    folded === 0 || folding === undefined ? null : (
      <li key="fold">
        <button
          type="button"
          className={`${styles['fold']} w-full py-1 px-3 rounded text-dense`}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open
            ? `Hide ${folded} ${folding.words} updates`
            : `${folded} ${folding.words} ${folded === 1 ? 'update' : 'updates'}`}
        </button>
      </li>
    );
  return (
    <li className={`${styles['step']} flex flex-col min-w-0`}>
      {lineBefore !== null && (
        <span className={`${styles['line']} relative`} data-line={lineBefore} aria-hidden="true" />
      )}
      <div className="grid gap-1 min-w-0">
        <p id={labelId} className={`${styles['label']} text-quiet text-small text-balance`}>
          {label}
        </p>
        <ul
          className={`${styles['boxes']} grid gap-2 min-w-0 plain-list`}
          aria-labelledby={labelId}
        >
          {folding?.at === 'start' && button}
          {shown.map((box) => (
            <Box
              key={box.name}
              {...box}
              to={box.look === 'own' ? undefined : getAddress(box.name)}
            />
          ))}
          {folding?.at === 'end' && button}
        </ul>
      </div>
    </li>
  );
}

interface BoxProps extends ChainBox {
  /** Undefined for the record itself. */
  readonly to: string | undefined;
}

function Box({ name, releaseDate, fixedBuild, evidence, to, look, words = '' }: BoxProps) {
  return (
    <li
      className={`${styles['box']} grid py-1 px-2 rounded bg-surface text-dense leading-row`}
      data-look={look}
      title={evidence ?? undefined}
      aria-current={look === 'own' ? 'true' : undefined}
    >
      <span className={`${styles['name']} flex items-center gap-1 mono`}>
        {look === 'last' && <Icon of={CheckCircleFilled} />}
        {to === undefined ? <strong>{name}</strong> : <Link to={to}>{name}</Link>}
      </span>
      {releaseDate !== null && (
        <time className="text-quiet text-small" dateTime={new Date(releaseDate).toISOString()}>
          {dayDate(releaseDate, 'UTC')}
        </time>
      )}
      {fixedBuild && <span className="text-quiet text-small mono">{fixedBuild}</span>}
      {words !== '' && <span className="text-quiet text-small">{words}</span>}
    </li>
  );
}

function toProductText(list: ListDefinition, record: WireDetail): string {
  const within = list.detail.supersedence?.within;
  const product = within === undefined ? null : record[within];
  return typeof product === 'string' ? ` on ${product}` : '';
}

function toSummary({ name, older, newer, last, isLast }: Chain, within: string): string {
  const replaced =
    older.length === 0
      ? ''
      : ` It supersedes ${older.length === 1 ? 'one older update' : `${older.length} older updates`}.`;
  if (last !== null)
    return `${name} is superseded${within}; install ${last.name} instead.${replaced}`;
  if (newer.length === 0) return `${name} has no known successor${within}.${replaced}`;
  if (isLast)
    return `${name} and newer updates supersede each other${within}; install ${name}.${replaced}`;
  const newest = newer.at(-1)?.name;
  const by = newer.length === 1 ? newest : `${newest}, the latest of ${newer.length} newer updates`;
  return `${name} is superseded${within} by ${by}.${replaced}`;
}

function Contradictions({ of }: { readonly of: readonly ChainContradiction[] }) {
  return (
    <div role="note" className="warning-box flex gap-2 text-dense">
      <Icon of={WarningFilled} className="text-warning" />
      <div>
        <p>
          {of.length === 1
            ? 'The vendor contradicts itself:'
            : `The vendor contradicts itself in ${of.length} places:`}
        </p>
        <ul className="m-0 pl-4">
          {of.map(({ statement, source, against, againstSource }) => (
            <li key={`${statement} ${against}`}>
              {statement} <span className="text-quiet text-small">({source})</span>, but {against}{' '}
              <span className="text-quiet text-small">({againstSource})</span>.
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
