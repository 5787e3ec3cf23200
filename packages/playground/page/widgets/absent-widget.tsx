import { type Endpoint, endpointNames, endpoints, type WidgetName } from '@storeport/core'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'

/** In the place of a widget that the caller leaves out: why. It is the playground that speaks here, not the email. */
export function AbsentWidget({ widget }: { widget: WidgetName }) {
  const { offered } = useShop()
  const missing = endpointNames.filter((name) => {
    const row: Endpoint = endpoints[name]
    return row.widget === widget && row.button === undefined && !offered.includes(name)
  })
  return (
    <aside className="absent-widget">
      <p className="absent-title">{texts.absent.widgets[widget]}</p>
      <p>{texts.absent.needs(missing.join(', '))}</p>
    </aside>
  )
}
