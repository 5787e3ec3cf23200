import { type EndpointName, isEndpointName } from '@storeport/core'
import { type MessageName, messageNames } from '../inbox/message-name.ts'
import { type PanelName, panelNames } from '../panel-name.ts'
import { type WireTab, wireTabs } from '../wire/wire-tab.ts'

/** What the address of the page tells of it: whoever opens the same address sees the same. */
export interface View {
  /** Whose emails are read; empty for nobody. */
  readonly email: string
  /** Which email is open. */
  readonly message: MessageName
  /** Which panel is in view on a narrow screen. */
  readonly panel: PanelName
  /** Which tab is open behind the email. */
  readonly tab: WireTab
  /** Which question of the email is open, in words of its widget. */
  readonly widget: string | null
  /** Which endpoint's call was opened last. */
  readonly call: EndpointName | null
}

/** What an address names that there is not. */
export type Lack = 'customer' | 'message'

/** A view, and what of its address could not be followed. */
export interface ReadView {
  readonly view: View
  readonly lacks: readonly Lack[]
}

/** Names of the view's parts in the address. */
const names = {
  email: 'as',
  message: 'email',
  panel: 'panel',
  tab: 'tab',
  widget: 'widget',
  call: 'call',
} as const satisfies Record<keyof View, string>

/** What the page shows when its address says nothing. */
export function firstView(email: string): View {
  return { email, message: 'box', panel: 'email', tab: 'calls', widget: null, call: null }
}

/** Reads the view from the fragment of an address: it is never sent to a server, so that no address of a customer gets into a log. */
export function readView(hash: string, first: View): ReadView {
  const said = new URLSearchParams(hash.slice(1))
  const email = said.get(names.email)
  const message = said.get(names.message)
  const known = messageNames.find((name) => name === message)
  const call = said.get(names.call) ?? ''
  const isCustomer = email !== null && /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= longestEmail
  return {
    view: {
      email: isCustomer ? email : first.email,
      message: known ?? first.message,
      panel: panelNames.find((name) => name === said.get(names.panel)) ?? first.panel,
      tab: wireTabs.find((name) => name === said.get(names.tab)) ?? first.tab,
      widget: said.get(names.widget),
      call: isEndpointName(call) ? call : null,
    },
    lacks: [
      ...(email !== null && !isCustomer ? (['customer'] as const) : []),
      ...(message !== null && known === undefined ? (['message'] as const) : []),
    ],
  }
}

/** Writes a view into a fragment: only what differs from the first view is named, and what others put there stays. */
export function writeView(hash: string, view: View, first: View): string {
  const own = Object.values<string>(names)
  const others = hash
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && ![...new URLSearchParams(pair).keys()].some((name) => own.includes(name)))
  const pairs = (['email', 'message', 'panel', 'tab', 'widget', 'call'] as const).flatMap((part) => {
    const value = view[part]
    return value === null || value === first[part] ? [] : [`${names[part]}=${readable(value)}`]
  })
  const all = [...pairs, ...others]
  return all.length === 0 ? '' : `#${all.join('&')}`
}

const longestEmail = 254

/** An at sign needs no escape in a fragment, and an address is to be read by people too. */
function readable(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll('%40', '@')
}
