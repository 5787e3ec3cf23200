import {
  type ButtonName,
  type EndpointName,
  endpointNames,
  type Endpoint,
  endpoints,
  type WidgetName,
  widgetsFor,
} from '@storeport/core'
import type { ShownPart } from './report.ts'

/** What the widgets of the caller are called. */
export const widgetTitles: Readonly<Record<WidgetName, string>> = {
  upsells: 'Upsell products',
  portal: 'Customer portal',
  reactivate: 'Reactivation list',
  customAction: 'Custom action buttons',
  discounts: 'Discount codes',
}

const buttons: readonly { readonly name: ButtonName; readonly widget: WidgetName; readonly title: string }[] = [
  { name: 'undoButton', widget: 'upsells', title: 'Undo button' },
  { name: 'sendNowButton', widget: 'portal', title: 'Send Now button' },
  { name: 'delayButton', widget: 'portal', title: 'Delay Subscription button' },
  { name: 'swapButton', widget: 'portal', title: 'Swap button' },
]

/** The widgets and buttons that the caller shows or hides when these endpoints are offered, each widget before its buttons. */
export function shownParts(offered: readonly EndpointName[]): readonly ShownPart[] {
  const { upsells, portal, reactivate, customAction, discounts } = widgetsFor(offered)
  const ready: Readonly<Record<WidgetName, boolean>> = {
    upsells: upsells.ready,
    portal: portal.ready,
    reactivate: reactivate.ready,
    customAction: customAction.ready,
    discounts: discounts.ready,
  }
  const hasButton: Readonly<Record<ButtonName, boolean>> = { ...upsells, ...portal }
  const isMissing = (name: EndpointName) => !offered.includes(name)

  const widgetPart = (widget: WidgetName): ShownPart => ({
    widget,
    title: widgetTitles[widget],
    isButton: false,
    shown: ready[widget],
    missing: endpointsOf(widget).filter(isMissing),
  })
  const buttonPart = ({ name, widget, title }: (typeof buttons)[number]): ShownPart => {
    const needed = [...endpointsOf(widget), ...endpointNames.filter((endpoint) => buttonOf(endpoint) === name)]
    // The products to choose from come from the list.
    if (name === 'swapButton') needed.push('listProducts')
    return { widget, title, isButton: true, shown: hasButton[name], missing: needed.filter(isMissing) }
  }
  return widgetOrder.flatMap((widget) => [
    widgetPart(widget),
    ...buttons.filter((button) => button.widget === widget).map(buttonPart),
  ])
}

const widgetOrder: readonly WidgetName[] = ['upsells', 'portal', 'reactivate', 'customAction', 'discounts']

/** The endpoints without which a widget is not shown at all. */
function endpointsOf(widget: WidgetName): EndpointName[] {
  return endpointNames.filter((name) => endpoints[name].widget === widget && buttonOf(name) === undefined)
}

function buttonOf(name: EndpointName): ButtonName | undefined {
  const row: Endpoint = endpoints[name]
  return row.button
}
