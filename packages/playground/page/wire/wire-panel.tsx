import type { EndpointName } from '@storeport/core'
import { useCallback, useId } from 'react'
import type { DemoState, HistoryLine } from '../../src/protocol.ts'
import { Segments } from '../parts/controls.tsx'
import { ReadNotice } from '../parts/notice.tsx'
import { askHost } from '../shop/host.ts'
import { useShop } from '../shop/shop-context.ts'
import { type Calls, clickWays } from '../shop/use-calls.ts'
import { type Loaded, useLoad } from '../shop/use-load.ts'
import { type WireTab, wireTabs } from '../values/address.ts'
import { formatDateTime } from '../values/days.ts'
import { CallList } from './call-list.tsx'
import { EndpointSwitches } from './endpoint-switches.tsx'
import { StatePanel } from './state-panel.tsx'

const tabTitles = { calls: 'Requests', shop: 'Shop', history: 'History', endpoints: 'Endpoints' } as const
const wayTitles = { once: 'Once', 'at-once': 'Twice in parallel', 'after-lost-answer': 'Twice, as a retry' } as const
const hints = {
  'at-once': 'Like a double click: two requests at the same time.',
  'after-lost-answer': 'Like a retry: the first response is lost, so the request is sent again.',
} as const

/** The inspector: calls, the merchant's data, recorded clicks and endpoints. */
export function WirePanel(props: {
  calls: Calls
  state: Loaded<DemoState>
  tab: WireTab
  onTab: (tab: WireTab) => void
  hidden: readonly EndpointName[]
  onHide: (name: EndpointName, hide: boolean) => void
}) {
  const { calls, onTab } = props
  const { history, demo } = useShop().config
  const isShown = { shop: demo, history, calls: true, endpoints: true }
  const open = isShown[props.tab] ? props.tab : 'calls'
  return (
    <>
      <h2 className="unseen">Inspector</h2>
      <Segments
        className="tabs"
        label="Inspector"
        names={wireTabs.filter((name) => isShown[name])}
        titles={tabTitles}
        chosen={open}
        onChoose={onTab}
      />
      <div className="tab-panel" role="region" aria-label={tabTitles[open]} tabIndex={0}>
        {(open === 'calls' || open === 'shop') && <ClickWays {...calls} />}
        {open === 'calls' && (
          <CallList log={calls.log} onClear={calls.clearLog} onLook={demo ? () => onTab('shop') : null} />
        )}
        {open === 'shop' && <StatePanel state={props.state} wasTwice={calls.lastClick.twice} />}
        {open === 'history' && <HistoryPanel click={calls.lastClick} />}
        {open === 'endpoints' && <EndpointSwitches hidden={props.hidden} onHide={props.onHide} />}
      </div>
    </>
  )
}

/** Sets how each click is sent: once, twice in parallel, or again as if the first response was lost. */
function ClickWays({ way, onWay }: Pick<Calls, 'way' | 'onWay'>) {
  const { config } = useShop()
  const id = useId()
  return (
    <div className="twice stack">
      <h3 className="section-title">Each click is sent</h3>
      <Segments
        label="Each click is sent"
        names={clickWays}
        titles={wayTitles}
        chosen={way}
        onChoose={onWay}
        describedBy={way === 'once' ? undefined : id}
      />
      {way !== 'once' && (
        <p id={id} className="soft small">
          {hints[way]} {config.data === 'shop' && 'This is a real shop. Duplicate clicks change real data.'}
        </p>
      )}
    </div>
  )
}

/** The recorded clicks of the customer, latest first. Loads them again after each click. */
function HistoryPanel({ click }: { click: Calls['lastClick'] }) {
  const { email } = useShop()
  const load = useCallback(
    () => askHost<readonly HistoryLine[]>('./playground/history', 'The history could not be loaded', { email }),
    [email, click],
  )
  const { data, ...read } = useLoad(load)
  return (
    <div className="stack" tabIndex={-1}>
      <p className="notice medium">{`The recorded clicks of ${email}, for the support desk.`}</p>
      <ReadNotice read={read} />
      {data?.length === 0 && <p className="soft small">No clicks are recorded.</p>}
      <ol className="stack" aria-label="Recorded clicks">
        {data?.toReversed().map(({ at, asked, result, failed, requestId }, index) => (
          <li key={`${at} ${index}`} className="receipt card stack">
            <p className="between medium">
              {asked}
              <span className={failed ? 'status bad' : 'status good'}>{failed ? 'Failed' : 'Done'}</span>
            </p>
            <p className="soft small">
              {formatDateTime(at)} → {result}
            </p>
            {failed && (
              <p className="soft small">
                Request <code>{requestId}</code>
              </p>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}
