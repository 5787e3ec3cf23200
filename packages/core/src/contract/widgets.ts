import type { EndpointName } from './store-port.ts'
import type { WidgetName } from './endpoint.ts'
import { endpointNames, endpointRow, type endpoints } from './endpoints.ts'

/** Titles of the caller's widgets, in display order. */
export const widgetTitles: Readonly<Record<WidgetName, string>> = {
  upsells: 'Upsell products',
  portal: 'Customer portal',
  reactivate: 'Reactivation list',
  customAction: 'Custom action buttons',
  discounts: 'Discount codes',
}

type Row = (typeof endpoints)[EndpointName]

type ButtonOf<Widget extends WidgetName> = Extract<Row, { widget: Widget; button: unknown }>['button']['name']

/** Name of a button in `integration.widgets`. */
export type ButtonName = ButtonOf<WidgetName>

/** Whether the caller shows each widget and button. A button requires its own endpoint and its widget's endpoints. */
export type Widgets = {
  readonly [Widget in WidgetName]: { readonly ready: boolean } & { readonly [Name in ButtonOf<Widget>]: boolean }
}

/** A widget or button, and whether the caller shows this part. */
export interface ShownPart {
  /** The widget, or the widget that contains the button. */
  readonly widget: WidgetName
  /** Title with which the widget or button is displayed. */
  readonly title: string
  /** Name in `integration.widgets`; `ready` for the widget itself. */
  readonly name: string
  /** Whether the part is a button. */
  readonly isButton: boolean
  /** Whether the caller shows the widget or button. */
  readonly shown: boolean
  /** Required endpoints that the store does not offer. */
  readonly missing: readonly EndpointName[]
}

/** Returns all widgets and buttons, shown or hidden, for a set of offered endpoints. Each widget precedes its buttons. */
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

/** Returns the label of a button. */
export function buttonLabel(name: ButtonName): string {
  const buttons = endpointNames.map((endpoint) => endpointRow(endpoint).button)
  return buttons.find((button) => button?.name === name)?.label ?? name
}

/** Returns which widgets and buttons the caller shows for a set of offered endpoints. */
export function widgetsFor(offered: readonly EndpointName[]): Widgets {
  const widgets: Partial<Record<WidgetName, Record<string, boolean>>> = {}
  for (const { widget, name, shown } of shownParts(offered)) widgets[widget] = { ...widgets[widget], [name]: shown }
  // oxlint-disable-next-line typescript/consistent-type-assertions -- made from the rows that the type is derived from
  return widgets as Widgets
}

/** Key of the widget itself in `Widgets`, next to the keys of its buttons. */
const ready = 'ready'

function endpointNamesByWidget(): readonly (readonly [WidgetName, readonly EndpointName[]])[] {
  const widgets = new Set(endpointNames.map((name) => endpointRow(name).widget))
  return Array.from(widgets, (widget) => [widget, endpointNames.filter((name) => endpointRow(name).widget === widget)])
}
