import type { EndpointName } from '@storeport/core'
import { useState } from 'react'
import { ChecksPanel } from '../checks/checks-panel.tsx'
import { useChecks } from '../checks/use-checks.ts'
import { Tabs } from '../parts/tabs.tsx'
import type { LogEntry } from '../shop/call-log.ts'
import { texts } from '../texts.ts'
import { CallList } from './call-list.tsx'
import { EndpointSwitches } from './endpoint-switches.tsx'

const tabNames = ['calls', 'endpoints', 'checks'] as const

/** What the customer does not see: the calls, the endpoints, the conformance checks. */
export function WirePanel(props: {
  log: readonly LogEntry[]
  onClear: () => void
  hidden: ReadonlySet<EndpointName>
  onHide: (name: EndpointName, hide: boolean) => void
  onChecked: () => void
}) {
  const [open, setOpen] = useState<(typeof tabNames)[number]>('calls')
  const { run, start, stop } = useChecks(props.onChecked)
  return (
    <Tabs label={texts.wire.title} names={tabNames} titles={texts.wire.tabs} open={open} onOpen={setOpen}>
      {open === 'calls' && <CallList log={props.log} onClear={props.onClear} />}
      {open === 'endpoints' && <EndpointSwitches hidden={props.hidden} onHide={props.onHide} />}
      {open === 'checks' && <ChecksPanel run={run} onStart={(mode) => void start(mode)} onStop={stop} />}
    </Tabs>
  )
}
