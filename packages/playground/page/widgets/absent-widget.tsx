import { shownParts, type WidgetName } from '@storeport/core'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'

/** In the place of a widget that the caller leaves out: why. It is the playground that speaks here, not the email. */
export function AbsentWidget({ widget }: { widget: WidgetName }) {
  const { offered } = useShop()
  const missing = shownParts(offered).find((part) => part.widget === widget && !part.isButton)?.missing ?? []
  return (
    <aside className="absent-widget card">
      <p className="strong">{texts.absent.widgets[widget]}</p>
      <p>{texts.absent.needs(missing.join(', '))}</p>
    </aside>
  )
}
