import { endpoints } from './index.ts'
import type { ButtonName, Endpoint, WidgetName } from './endpoint.ts'
import { endpointNames } from './endpoint-names.ts'
import type { EndpointName } from '../store-port.ts'

/** What the caller will show: a widget is ready when every endpoint that it needs is offered, a button when its own is too. */
export interface Widgets {
  /** In-email product cards. */
  readonly upsells: { readonly ready: boolean; readonly undoButton: boolean }
  /** The subscription page and its buttons. */
  readonly portal: {
    readonly ready: boolean
    readonly sendNowButton: boolean
    readonly delayButton: boolean
    readonly swapButton: boolean
  }
  /** The come-back list. */
  readonly reactivate: { readonly ready: boolean }
  /** Custom buttons. */
  readonly customAction: { readonly ready: boolean }
  /** Discount codes in the other widgets. */
  readonly discounts: { readonly ready: boolean }
}

const rows = endpointNames.map((name): [EndpointName, Endpoint] => [name, endpoints[name]])

/** Derives from the contract table what the caller will show when these endpoints are offered. */
export function widgetsFor(offered: readonly EndpointName[]): Widgets {
  const ready = (widget: WidgetName) =>
    rows.every(([name, row]) => row.widget !== widget || row.button !== undefined || offered.includes(name))
  const button = (wanted: ButtonName) =>
    rows.some(([name, row]) => row.button === wanted && offered.includes(name) && ready(row.widget))
  return {
    upsells: { ready: ready('upsells'), undoButton: button('undoButton') },
    portal: {
      ready: ready('portal'),
      sendNowButton: button('sendNowButton'),
      delayButton: button('delayButton'),
      swapButton: button('swapButton') && offered.includes('listProducts'),
    },
    reactivate: { ready: ready('reactivate') },
    customAction: { ready: ready('customAction') },
    discounts: { ready: ready('discounts') },
  }
}
