import { endpointNames, type EndpointName, type ShownPart, shownParts } from '@storeport/core'
import { texts } from '../texts.ts'

/** Names a widget or a button as the page calls it. */
export function namePart({ widget, name }: Pick<ShownPart, 'widget' | 'name'>): string {
  const buttons: Readonly<Record<string, string>> = texts.buttons
  const button = buttons[name]
  return button === undefined ? texts.endpoints.parts[widget] : texts.endpoints.button(button)
}

/** Says which widgets and buttons need an endpoint; of a widget that goes as a whole the buttons are not listed. */
export function explainNeed(endpoint: EndpointName): string {
  const gone = shownParts(endpointNames.filter((name) => name !== endpoint)).filter((part) => !part.shown)
  const widgets = gone.filter((part) => !part.isButton).map((part) => part.widget)
  const named = gone.filter((part) => !part.isButton || !widgets.includes(part.widget))
  return texts.endpoints.needs(named.map(namePart))
}
