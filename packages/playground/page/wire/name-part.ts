import { endpointNames, type EndpointName, type ShownPart, shownParts } from '@storeport/core'
import { texts } from '../texts.ts'

/** Names a widget or a button as the page calls it. */
export function namePart({ widget, title, isButton }: Pick<ShownPart, 'widget' | 'title' | 'isButton'>): string {
  return isButton ? title : texts.endpoints.parts[widget]
}

/** Says which widgets and buttons need an endpoint; of a widget that goes as a whole the buttons are not listed. */
export function explainNeed(endpoint: EndpointName): string {
  const gone = shownParts(endpointNames.filter((name) => name !== endpoint)).filter((part) => !part.shown)
  const widgets = gone.filter((part) => !part.isButton).map((part) => part.widget)
  const named = gone.filter((part) => !part.isButton || !widgets.includes(part.widget))
  return texts.endpoints.needs(named.map(namePart))
}
