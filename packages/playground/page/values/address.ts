/** Names of the emails in the inbox, in display order. */
export const messageNames = ['box', 'shelf', 'comeback', 'choices'] as const

export type MessageName = (typeof messageNames)[number]

/** Panels of the page. A narrow screen shows only one panel. */
export const panelNames = ['inbox', 'email', 'inspector'] as const

/** Tabs of the inspector, in display order. */
export const inspectorTabs = ['calls', 'shop', 'history', 'endpoints'] as const

export type InspectorTab = (typeof inspectorTabs)[number]

/** The part of the page state that is in the URL. */
export interface View {
  /** Email address of the customer; empty for none. */
  readonly email: string
  /** Name of the open email. */
  readonly message: MessageName
  /** Visible panel on a narrow screen. */
  readonly panel: (typeof panelNames)[number]
  /** Name of the open tab of the inspector. */
  readonly tab: InspectorTab
  /** Name of the open dialog in the email; `null` for none. */
  readonly widget: string | null
}

/** A view that was read from a URL, and the invalid parts of the URL. */
export interface ReadView {
  readonly view: View
  readonly invalid: readonly ('customer' | 'message')[]
}

/** Fields of the view, with their parameter names in the URL fragment. */
const parameters = [
  ['email', 'as'],
  ['message', 'email'],
  ['panel', 'panel'],
  ['tab', 'tab'],
  ['widget', 'widget'],
] as const satisfies readonly (readonly [keyof View, string])[]

/** Returns the view for a URL without a fragment. */
export function firstView(email: string): View {
  return { email, message: 'box', panel: 'email', tab: 'calls', widget: null }
}

/** Reads the view from a URL fragment. Browsers do not send fragments, so server logs do not contain emails. */
export function readView(hash: string, first: View): ReadView {
  const said = new URLSearchParams(hash.slice(1))
  const choose = <Name extends string>(known: readonly Name[], parameter: string) =>
    known.find((name) => name === said.get(parameter))
  const email = said.get('as')
  const message = choose(messageNames, 'email')
  const isCustomer = email !== null && /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254
  return {
    view: {
      email: isCustomer ? email : first.email,
      message: message ?? first.message,
      panel: choose(panelNames, 'panel') ?? first.panel,
      tab: choose(inspectorTabs, 'tab') ?? first.tab,
      widget: said.get('widget'),
    },
    invalid: [
      ...(email !== null && !isCustomer ? (['customer'] as const) : []),
      ...(said.has('email') && message === undefined ? (['message'] as const) : []),
    ],
  }
}

/** Writes a view into a URL fragment, without default values. */
export function writeView(view: View, first: View): string {
  const changed = parameters.filter(([part]) => view[part] !== null && view[part] !== first[part])
  // Does not escape the at sign, so that the email address in the URL stays readable.
  const escape = (value: string) => encodeURIComponent(value.toWellFormed()).replaceAll('%40', '@')
  const pairs = changed.map(([part, parameter]) => `${parameter}=${escape(view[part] ?? '')}`)
  return pairs.length === 0 ? '' : `#${pairs.join('&')}`
}

/** Removes the token from a URL and preserves other parameters. */
export function hideToken(href: string): string {
  const url = new URL(href)
  url.searchParams.delete('token')
  return url.href
}
