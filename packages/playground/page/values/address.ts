import { type EndpointName, isEndpointName } from '@storeport/core'

/** The emails of the inbox, in order. */
export const messageNames = ['box', 'shelf', 'comeback', 'choices'] as const

/** One of the emails. */
export type MessageName = (typeof messageNames)[number]

/** The panels; on a narrow screen one of them is in view at a time. */
export const panelNames = ['inbox', 'email', 'wire'] as const

/** The tabs behind the email, in order. */
export const wireTabs = ['calls', 'shop', 'endpoints', 'checks'] as const

/** One of the tabs. */
export type WireTab = (typeof wireTabs)[number]

/** What the address of the page tells of it: whoever opens the same address sees the same. */
export interface View {
  /** Whose emails are read; empty for nobody. */
  readonly email: string
  /** Which email is open. */
  readonly message: MessageName
  /** Which panel is in view on a narrow screen. */
  readonly panel: (typeof panelNames)[number]
  /** Which tab is open behind the email. */
  readonly tab: WireTab
  /** Which question of the email is open, in words of its widget. */
  readonly widget: string | null
  /** Which endpoint's call was opened last. */
  readonly call: EndpointName | null
}

/** A view, and which parts of its address could not be followed. */
export interface ReadView {
  readonly view: View
  readonly lacks: readonly ('customer' | 'message')[]
}

/** Names of the view's parts in the address, in order. */
const names = { email: 'as', message: 'email', panel: 'panel', tab: 'tab', widget: 'widget', call: 'call' } as const
const parts = ['email', 'message', 'panel', 'tab', 'widget', 'call'] as const satisfies readonly (keyof View)[]

const longestEmail = 254

/** What the page shows when its address says nothing. */
export function firstView(email: string): View {
  return { email, message: 'box', panel: 'email', tab: 'calls', widget: null, call: null }
}

/** Reads the view from the fragment of an address: it is never sent to a server, so that no address of a customer gets into a log. */
export function readView(hash: string, first: View): ReadView {
  const said = new URLSearchParams(hash.slice(1))
  const choose = <Name extends string>(known: readonly Name[], part: keyof View) =>
    known.find((name) => name === said.get(names[part]))
  const email = said.get(names.email)
  const message = choose(messageNames, 'message')
  const call = said.get(names.call) ?? ''
  const isCustomer = email !== null && /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= longestEmail
  return {
    view: {
      email: isCustomer ? email : first.email,
      message: message ?? first.message,
      panel: choose(panelNames, 'panel') ?? first.panel,
      tab: choose(wireTabs, 'tab') ?? first.tab,
      widget: said.get(names.widget),
      call: isEndpointName(call) ? call : null,
    },
    lacks: [
      ...(email !== null && !isCustomer ? (['customer'] as const) : []),
      ...(said.has(names.message) && message === undefined ? (['message'] as const) : []),
    ],
  }
}

/** Writes a view into a fragment: only what differs from the first view is named, and what others put there stays. */
export function writeView(hash: string, view: View, first: View): string {
  const own = Object.values<string>(names)
  const others = pairsOf(hash).filter((pair) => !namesIn(pair).some((name) => own.includes(name)))
  const changed = parts.flatMap((part) => {
    const value = view[part]
    // An at sign needs no escape in a fragment, and people read the address too.
    const text = encodeURIComponent((value ?? '').toWellFormed()).replaceAll('%40', '@')
    return value === null || value === first[part] ? [] : [`${names[part]}=${text}`]
  })
  const all = [...changed, ...others]
  return all.length === 0 ? '' : `#${all.join('&')}`
}

/** An address without the token, which is only for the first request; everything else in it stays as it is. */
export function hideToken({ pathname, search, hash }: Record<'pathname' | 'search' | 'hash', string>): string {
  const others = pairsOf(search).filter((pair) => !namesIn(pair).includes('token'))
  return pathname + (others.length === 0 ? '' : `?${others.join('&')}`) + hash
}

function pairsOf(part: string): readonly string[] {
  const pairs = part.slice(1).split('&')
  return pairs.filter((pair) => pair !== '')
}

function namesIn(pair: string): readonly string[] {
  return [...new URLSearchParams(pair).keys()]
}
