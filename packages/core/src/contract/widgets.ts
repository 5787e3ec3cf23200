import type { EndpointName } from './store-port.ts'
import type { WidgetName } from './endpoint.ts'
import { endpointNames, endpointRow, type endpoints } from './endpoints.ts'

/** What the widgets of the caller are called, in the order of display. */
export const widgetTitles: Readonly<Record<WidgetName, string>> = {
  upsells: 'Upsell products',
  portal: 'Customer portal',
  reactivate: 'Reactivation list',
  customAction: 'Custom action buttons',
  discounts: 'Discount codes',
}

type Row = (typeof endpoints)[EndpointName]

/** The names of the buttons that belong to a widget. */
type ButtonOf<Widget extends WidgetName> = Extract<Row, { widget: Widget; button: unknown }>['button']['name']

/** The name of a button in `integration.widgets`. */
export type ButtonName = ButtonOf<WidgetName>

/** What the caller will show: a widget is ready when every endpoint that it needs is offered, a button when its own is too. */
export type Widgets = {
  readonly [Widget in WidgetName]: { readonly ready: boolean } & { readonly [Name in ButtonOf<Widget>]: boolean }
}

/** A widget or button, and whether the caller shows it. */
export interface ShownPart {
  /** The widget that it is, or is part of. */
  readonly widget: WidgetName
  /** What it is called. */
  readonly title: string
  /** Its name in `integration.widgets`: `ready` for the widget itself. */
  readonly name: string
  /** Whether it is a button of the widget. */
  readonly isButton: boolean
  /** Whether the caller shows it. */
  readonly shown: boolean
  /** The endpoints that are missing. */
  readonly missing: readonly EndpointName[]
}

/** Lists the widgets and buttons that the caller shows or hides when these endpoints are offered, each widget before its buttons. */
export function shownParts(offered: readonly EndpointName[]): readonly ShownPart[] {
  return endpointNamesByWidget().flatMap(([widget, names]) => {
    const needed = names.filter((name) => endpointRow(name).button === undefined)
    const part = (name: string, title: string, needs: readonly EndpointName[]): ShownPart => {
      const missing = needs.filter((endpoint) => !offered.includes(endpoint))
      return { widget, name, title, isButton: name !== ready, shown: missing.length === 0, missing }
    }
    const buttons = names.flatMap((name) => {
      const { button } = endpointRow(name)
      if (button === undefined) return []
      const others = endpointNames.filter((other) => button.needs?.includes(other))
      return [part(button.name, `${button.label} button`, [...needed, name, ...others])]
    })
    return [part(ready, widgetTitles[widget], needed), ...buttons]
  })
}

/** Returns what is written on a button, as the row of its endpoint says. */
export function buttonLabel(name: ButtonName): string {
  const buttons = endpointNames.map((endpoint) => endpointRow(endpoint).button)
  return buttons.find((button) => button?.name === name)?.label ?? name
}

/** Derives from the contract table what the caller will show when these endpoints are offered. */
export function widgetsFor(offered: readonly EndpointName[]): Widgets {
  const widgets: Partial<Record<WidgetName, Record<string, boolean>>> = {}
  for (const { widget, name, shown } of shownParts(offered)) widgets[widget] = { ...widgets[widget], [name]: shown }
  // oxlint-disable-next-line typescript/consistent-type-assertions -- made from the very rows that the type is derived from
  return widgets as Widgets
}

/** The name of a widget itself, besides those of its buttons. */
const ready = 'ready'

function endpointNamesByWidget(): readonly (readonly [WidgetName, readonly EndpointName[]])[] {
  const widgets = new Set(endpointNames.map((name) => endpointRow(name).widget))
  return Array.from(widgets, (widget) => [widget, endpointNames.filter((name) => endpointRow(name).widget === widget)])
}
