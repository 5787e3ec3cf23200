/** Names of the emails in the inbox, in display order. */
export const messageNames = ['box', 'shelf', 'comeback', 'choices'] as const

export type MessageName = (typeof messageNames)[number]

/** Panels of the page. A narrow screen shows only one panel. */
export const panelNames = ['inbox', 'email', 'inspector'] as const

/** Tabs of the inspector, in display order. */
export const inspectorTabs = ['calls', 'shop', 'history', 'endpoints'] as const

/** The part of the page state that is in the URL. */
export type View = ReturnType<typeof readView>['view']

/** Reads the view from a URL fragment. Browsers do not send fragments, so server logs do not contain emails. */
export function readView(hash: string, firstEmail: string) {
  const said = new URLSearchParams(hash.slice(1))
  const choose = <Name extends string>(known: readonly Name[], parameter: string) =>
    known.find((name) => name === said.get(parameter))
  const email = said.get('as')
  const message = choose(messageNames, 'email')
  const isCustomer = email !== null && /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254
  return {
    view: {
      /** Email address of the customer; empty for none. */
      email: isCustomer ? email : firstEmail,
      message: message ?? 'box',
      panel: choose(panelNames, 'panel') ?? 'email',
      tab: choose(inspectorTabs, 'tab') ?? 'calls',
      /** Name of the open dialog in the email; `null` for none. */
      widget: said.get('widget'),
    },
    /** Invalid parts of the URL. */
    invalid: [
      ...(email !== null && !isCustomer ? (['customer'] as const) : []),
      ...(said.has('email') && message === undefined ? (['message'] as const) : []),
    ],
  }
}

/** Writes a view into a URL fragment, without default values. */
export function writeView({ email, message, panel, tab, widget }: View, firstEmail: string): string {
  const { view: first } = readView('', firstEmail)
  const parameters = [
    ['as', email, first.email],
    ['email', message, first.message],
    ['panel', panel, first.panel],
    ['tab', tab, first.tab],
    ['widget', widget, null],
  ] as const
  const changed = parameters.filter(([, value, usual]) => value !== usual)
  // Does not escape the at sign, so that the email address in the URL stays readable.
  const escape = (value: string) => encodeURIComponent(value.toWellFormed()).replaceAll('%40', '@')
  return changed.map(([name, value], index) => `${index === 0 ? '#' : '&'}${name}=${escape(value ?? '')}`).join('')
}

/** Removes the token from a URL and preserves other parameters. */
export function hideToken(href: string): string {
  const url = new URL(href)
  url.searchParams.delete('token')
  return url.href
}
