import type { EndpointName } from '@storeport/core'
import { useId, useState } from 'react'
import { type View, type WireTab, wireTabs } from '../values/address.ts'
import { ChecksPanel } from '../checks/checks-panel.tsx'
import { useChecks } from '../checks/use-checks.ts'
import { Tabs } from '../parts/tabs.tsx'
import { useShop } from '../shop/shop-context.ts'
import { type Calls, type DoubleClick, doubleClicks } from '../shop/use-calls.ts'
import { texts } from '../texts/texts.ts'
import { CallList } from './call-list.tsx'
import { EndpointSwitches } from './endpoint-switches.tsx'
import { StatePanel } from './state-panel.tsx'
import type { ShownState } from './use-demo-state.ts'

/** The inspector: calls, the merchant's data, endpoints and conformance checks. */
export function WirePanel(props: {
  calls: Calls
  state: ShownState
  view: View
  onShow: (change: Partial<View>) => void
  hidden: readonly EndpointName[]
  onHide: (name: EndpointName, hide: boolean) => void
  onChecked: () => void
}) {
  const { calls, view, onShow } = props
  const { state: showsState } = useShop().config.demo
  const { run, start, stop } = useChecks(props.onChecked)
  // Stores the endpoint in the initial URL, so that later calls to the same endpoint are not expanded.
  const [linked] = useState(view.call)
  const names: readonly WireTab[] = showsState ? wireTabs : wireTabs.filter((name) => name !== 'shop')
  const open = names.includes(view.tab) ? view.tab : 'calls'
  return (
    <>
      <h2 className="unseen">{texts.wire.title}</h2>
      <Tabs
        label={texts.wire.title}
        names={names}
        titles={texts.wire.tabs}
        open={open}
        onOpen={(tab) => onShow({ tab })}
      >
        {(open === 'calls' || open === 'shop') && (
          <DoubleClickSwitch chosen={calls.doubleClick} onChoose={calls.onDoubleClick} />
        )}
        {open === 'calls' && (
          <CallList
            log={calls.log}
            onClear={calls.clearLog}
            linked={linked}
            onOpen={(call) => onShow({ call })}
            onLook={showsState ? () => onShow({ tab: 'shop' }) : null}
          />
        )}
        {open === 'shop' && <StatePanel state={props.state} />}
        {open === 'endpoints' && <EndpointSwitches hidden={props.hidden} onHide={props.onHide} />}
        {open === 'checks' && <ChecksPanel run={run} onStart={(mode) => void start(mode)} onStop={stop} />}
      </Tabs>
    </>
  )
}

/** Sets how each click is sent: once, twice in parallel, or again as if the first response was lost. */
function DoubleClickSwitch(props: { chosen: DoubleClick | null; onChoose: (how: DoubleClick | null) => void }) {
  const { config } = useShop()
  const { chosen } = props
  const id = useId()
  return (
    <fieldset className="twice stack" aria-describedby={chosen === null ? undefined : `${id}-hint`}>
      <legend className="section-title">{texts.twice.label}</legend>
      <div className="segments">
        {(['once', ...doubleClicks] as const).map((how) => (
          <label key={how} className="choice">
            <input
              type="radio"
              name={id}
              checked={how === (chosen ?? 'once')}
              onChange={() => props.onChoose(how === 'once' ? null : how)}
            />
            <span>{texts.twice.choices[how]}</span>
          </label>
        ))}
      </div>
      {chosen !== null && (
        <p id={`${id}-hint`} className="soft small">
          {texts.twice.hints[chosen]} {config.data === 'shop' && texts.twice.realShop}
        </p>
      )}
    </fieldset>
  )
}
