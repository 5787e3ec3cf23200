import { type EndpointName, endpoints, type InputOf, type OutputOf } from '@storeport/core'
import { useCallback, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { EmailPanel } from '@storeport/playground/page/email/email-panel.tsx'
import { type Outcome, readOutcome } from '@storeport/playground/page/shop/outcome.ts'
import { createShop, type ShopContext, ShopProvider } from '@storeport/playground/page/shop/shop-context.ts'
import styles from './email.css?inline'
import type { SendToShop } from './page-shop.ts'

const email = 'subscription@example.com'
const basePath = '/integration'
// oxlint-disable-next-line typescript/consistent-type-assertions -- Object.keys loses the names of the keys
const offered = Object.keys(endpoints) as EndpointName[]

const config: ShopContext['config'] = {
  shopName: 'Corner Coffee',
  baseUrl: '',
  basePath,
  apiKeyHeader: 'X-Integration-API-Key',
  today: new Date().toISOString().slice(0, 10),
  currency: 'USD',
  offered,
  problem: null,
  data: 'test',
  customers: [{ email, label: 'Subscriber' }],
  discountCodes: [],
  actions: [],
  referencePath: null,
  paused: [],
  history: false,
  demo: false,
}

/**
 * Renders the email of a subscriber into an element, with the components of the playground. A shadow root separates
 * their styles from the page. Returns a function that removes the email.
 */
export function renderEmail(place: HTMLElement, send: SendToShop): () => void {
  const shadow = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  shadow.adoptedStyleSheets = [sheet]
  const root = createRoot(shadow)
  root.render(<Email send={send} />)
  return () => root.unmount()
}

function Email({ send }: { send: SendToShop }) {
  const [widget, openWidget] = useState<string | null>(null)
  const [said, announce] = useState('')
  // A new function would load the email again.
  const call: ShopContext['callShop'] = useCallback((name, input) => callShop(send, name, input), [send])
  const shop = useMemo(
    () =>
      createShop({
        ...{ config, offered, email, widget, openWidget, announce, callShop: call },
        ...{ message: 'box', opening: 0, picked: null },
      }),
    [call, widget],
  )
  return (
    <ShopProvider value={shop}>
      <div role="status">{said !== '' && <p className="notice good said">{said}</p>}</div>
      <EmailPanel />
    </ShopProvider>
  )
}

async function callShop<Name extends EndpointName>(send: SendToShop, name: Name, input: InputOf<Name>) {
  const { method, path } = endpoints[name]
  const fields = Object.entries(input).map(([field, value]) => [field, String(value)])
  const query = method === 'GET' ? `?${new URLSearchParams(fields).toString()}` : ''
  const { status, body } = await send({ method, path: basePath + path + query, body: JSON.stringify(input) })
  // oxlint-disable-next-line typescript/consistent-type-assertions -- validated with the schema of this endpoint
  return readOutcome(name, { response: { status, headers: [], body }, problem: null }) as Outcome<OutputOf<Name>>
}
