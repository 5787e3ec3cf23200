import { useId } from 'react'
import type { HistoryLine } from '../../src/protocol.ts'
import { usePage } from '../page-context.ts'
import { Segments } from '../parts/controls.tsx'
import { ReadNotice } from '../parts/notice.tsx'
import { askHost } from '../shop/host.ts'
import { clickWays } from '../shop/use-calls.ts'
import { useLoad } from '../shop/use-load.ts'
import { inspectorTabs } from '../values/address.ts'
import { formatTime } from '../values/days.ts'
import { CallList } from './call-list.tsx'
import { EndpointSwitches } from './endpoint-switches.tsx'
import { StatePanel } from './state-panel.tsx'

const tabs = {
  calls: { title: 'Requests', Panel: CallList },
  shop: { title: 'Shop', Panel: StatePanel },
  history: { title: 'History', Panel: HistoryPanel },
  endpoints: { title: 'Endpoints', Panel: EndpointSwitches },
} as const

const ways = {
  once: { title: 'Once', hint: '' },
  'at-once': { title: 'Twice in parallel', hint: 'Like a double click: two requests at the same time.' },
  'after-lost-answer': {
    title: 'Twice, as a retry',
    hint: 'Like a retry: the first response is lost, so the request is sent again.',
  },
} as const

/** The inspector: calls, the merchant's data, recorded clicks and endpoints. */
export function InspectorPanel() {
  const { shop, view, show } = usePage()
  const { history, demo } = shop.config
  const isShown = { shop: demo, history, calls: true, endpoints: true }
  const open = isShown[view.tab] ? view.tab : 'calls'
  const { title, Panel } = tabs[open]
  return (
    <>
      <h2 className="unseen">Inspector</h2>
      <Segments
        className="tabs"
        label="Inspector"
        options={inspectorTabs.filter((name) => isShown[name]).map((name) => [name, tabs[name].title])}
        chosen={open}
        onChoose={(tab) => show({ tab }, 'replaceState')}
      />
      <div className="tab-panel" role="region" aria-label={title} tabIndex={0}>
        {(open === 'calls' || open === 'shop') && <ClickWays />}
        <Panel />
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
        options={clickWays.map((name) => [name, ways[name].title])}
        chosen={way}
        onChoose={onWay}
        describedBy={way === 'once' ? undefined : id}
      />
      {way !== 'once' && (
        <p id={id} className="soft small">
          {ways[way].hint} {shop.config.data === 'shop' && 'This is a real shop. Duplicate clicks change real data.'}
        </p>
      )}
    </div>
  )
}

/** The recorded clicks of the customer, latest first. Loads them again after each click. */
function HistoryPanel() {
  const { view, calls } = usePage()
  const { email } = view
  const load = () =>
    askHost<readonly HistoryLine[]>('./playground/history', 'The history could not be loaded', { email })
  const { data, ...read } = useLoad(load, [email, calls.lastClick])
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
              {formatTime(at, 'medium')} → {result}
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
