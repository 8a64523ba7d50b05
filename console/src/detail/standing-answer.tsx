/** State of the record, what to install, and the evidence. */

import {
  ArrowRightOutlined,
  CheckCircleFilled,
  ExclamationCircleOutlined,
  MinusCircleOutlined,
  StopOutlined,
} from '@ant-design/icons-svg';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import {
  freshnessText,
  getFreshness,
  isConcern,
} from '@patch/contract/sources/source-freshness.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSources } from '../api/use-sources.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import { Icon } from '../widgets/icon.tsx';
import { identifierPath, recordPath } from '../widgets/list-paths.ts';
import { useNow } from '../widgets/ticking-clock.ts';
import { TimeAgo } from '../widgets/time-ago.tsx';
import { absoluteTime } from '../widgets/time-text.ts';
import { Answer } from './answer.tsx';
import type { Chain, ChainLink } from './chain-of-record.ts';
import { InstallFacts } from './install-facts.tsx';
import { getVendor } from './record-cves.ts';
import type { Standing, StandingState } from './record-standing.ts';
import { ScrollButton } from './scroll-button.tsx';
import styles from './standing-answer.module.css';
import { useChainRecords } from './use-chain-records.ts';
import { useRecord } from './use-record.ts';

interface StandingAnswerProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
  readonly chain: Chain | null;
  readonly standing: Standing;
}

/** `unconfirmed`: current by the records here, but its source is old, silent or not read at all. */
type ShownState = StandingState | 'unconfirmed';

const stateLabels: Readonly<
  Record<ShownState, { readonly word: string; readonly icon: ReactNode }>
> = {
  withdrawn: { word: 'Withdrawn', icon: <Icon of={StopOutlined} /> },
  superseded: { word: 'Superseded', icon: <Icon of={ArrowRightOutlined} /> },
  current: { word: 'Current', icon: <Icon of={CheckCircleFilled} /> },
  unconfirmed: { word: 'Last known as current', icon: <Icon of={ExclamationCircleOutlined} /> },
  unstated: { word: 'Not stated', icon: <Icon of={MinusCircleOutlined} /> },
};

export function StandingAnswer(props: StandingAnswerProps) {
  const { list, record, chain, standing } = props;
  const { install } = standing;
  const { data: sources } = useSources();
  const source = sources?.find((state) => state.source === list.source);
  const now = useNow();
  const freshness = source && getFreshness(source, now);
  const isConfirmed = freshness === 'fresh' || freshness === 'rhythm_unknown';
  const state = standing.state === 'current' && !isConfirmed ? 'unconfirmed' : standing.state;
  const { word, icon } = stateLabels[state];
  return (
    <>
      <Answer label="State">
        <span
          className={`${styles['state']} inline-flex items-center gap-1 font-600`}
          data-state={state}
        >
          {icon} {word}
        </span>{' '}
        <StateSentence {...props} />
      </Answer>
      {standing.state === 'current' || standing.state === 'unstated' ? (
        <Answer label="Install">
          <InstallFacts list={list} record={record} withName />
        </Answer>
      ) : null}
      {install.kind === 'other' && chain !== null ? (
        <Answer label={labelOther(standing.state, install.isEnd)}>
          <Replacement list={list} record={record} chain={chain} link={install.link} />
        </Answer>
      ) : null}
      <Answer label="Evidence">
        <Evidence {...props} source={source} />
      </Answer>
    </>
  );
}

function labelOther(state: StandingState, isEnd: boolean): string {
  if (state === 'current') return 'Or install';
  return isEnd ? 'Install instead' : 'Superseded by';
}

function StateSentence({ list, record, chain, standing }: StandingAnswerProps) {
  const zone = useReaderZone();
  const vendor = getVendor(list, record);
  const { state, install } = standing;
  if (state === 'withdrawn')
    return (
      <span role="note">
        The vendor has not listed this record since{' '}
        {absoluteTime(Number(record.withdrawnTime), zone)}. This is its last known version.
      </span>
    );
  if (state === 'current' && install.kind === 'other')
    return 'No update supersedes it. Machines that cannot take it install another one.';
  if (state === 'current')
    return chain !== null && chain.newer.length > 0
      ? 'It and newer updates supersede each other; it is the one to install.'
      : 'No successor is known.';
  if (state === 'unstated' && Object.hasOwn(list.fields, 'superseded'))
    return `The data of ${vendor} does not say whether another record replaces it.`;
  if (state === 'unstated')
    return `${vendor} does not publish which records replace others; a later record may replace it.`;
  if (install.kind === 'unknown') return `${vendor} does not say what replaces it.`;
  return null;
}

/** Link to the update to install instead, with its facts. */
function Replacement({
  list,
  record,
  chain,
  link,
}: Omit<StandingAnswerProps, 'standing' | 'chain'> & {
  readonly chain: Chain;
  readonly link: ChainLink;
}) {
  const known = useChainRecords(list, record, chain).get(fold(link.name));
  const id = known?.id ?? undefined;
  const { data: replacement } = useRecord(list, id);
  return (
    <>
      <Link
        to={id === undefined ? identifierPath(link.name) : recordPath(list, id)}
        className="font-600 mono"
      >
        {link.name}
      </Link>{' '}
      <InstallFacts
        list={list}
        record={replacement ?? null}
        releaseDate={link.releaseDate ?? known?.releaseDate ?? null}
        build={link.fixedBuild}
      />
    </>
  );
}

/** Source of the state, its freshness, and whether the end of the chain is known. */
function Evidence({
  list,
  record,
  chain,
  standing: { install },
  source,
}: StandingAnswerProps & { readonly source: SourceState | undefined }) {
  const now = useNow();
  const openEndText =
    install.kind === 'other' && !install.isEnd
      ? ' The end of the chain is not known: a newer update may replace this one too.'
      : '';
  return (
    <span className="text-quiet">
      According to {getVendor(list, record)}
      {source === undefined ? (
        '.'
      ) : source.lastSuccessAt === null ? (
        ', never synced here.'
      ) : (
        <>
          , read <TimeAgo value={source.lastSuccessAt} />.
        </>
      )}
      {source !== undefined &&
        source.lastSuccessAt !== null &&
        isConcern(getFreshness(source, now)) &&
        ` ${freshnessText(source, now)}: later publications are not known here.`}
      {openEndText}
      {chain !== null && (
        <>
          {' '}
          <ScrollButton to="supersedence">
            {chain.evidence === null ? 'The chain' : 'Full evidence'}
          </ScrollButton>
        </>
      )}
    </span>
  );
}
