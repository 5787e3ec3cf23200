import { useCallback, useId } from 'react'
import type { HistoryLine } from '../../src/protocol.ts'
import { usePage } from '../page-context.ts'
import { Segments } from '../parts/controls.tsx'
import { ReadNotice } from '../parts/notice.tsx'
import { askHost } from '../shop/host.ts'
import { clickWays } from '../shop/use-calls.ts'
import { useLoad } from '../shop/use-load.ts'
import { inspectorTabs } from '../values/address.ts'
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
export function InspectorPanel() {
  const { shop, view, show } = usePage()
  const { history, demo } = shop.config
  const isShown = { shop: demo, history, calls: true, endpoints: true }
  const open = isShown[view.tab] ? view.tab : 'calls'
  return (
    <>
      <h2 className="unseen">Inspector</h2>
      <Segments
        className="tabs"
        label="Inspector"
        names={inspectorTabs.filter((name) => isShown[name])}
        titles={tabTitles}
        chosen={open}
        onChoose={(tab) => show({ tab }, 'replaceState')}
      />
      <div className="tab-panel" role="region" aria-label={tabTitles[open]} tabIndex={0}>
        {(open === 'calls' || open === 'shop') && <ClickWays />}
        {open === 'calls' && <CallList />}
        {open === 'shop' && <StatePanel />}
        {open === 'history' && <HistoryPanel />}
        {open === 'endpoints' && <EndpointSwitches />}
      </div>
    </>
  )
}

/** Sets how each click is sent: once, twice in parallel, or again as if the first response was lost. */
function ClickWays() {
  const { shop, calls } = usePage()
  const { way, onWay } = calls
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
          {hints[way]} {shop.config.data === 'shop' && 'This is a real shop. Duplicate clicks change real data.'}
        </p>
      )}
    </div>
  )
}

/** The recorded clicks of the customer, latest first. Loads them again after each click. */
function HistoryPanel() {
  const { view, calls } = usePage()
  const { email } = view
  const load = useCallback(
    () => askHost<readonly HistoryLine[]>('./playground/history', 'The history could not be loaded', { email }),
    [email, calls.lastClick],
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
