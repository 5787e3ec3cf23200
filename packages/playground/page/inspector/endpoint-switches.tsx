import { endpointNames, endpoints, type EndpointName, type ShownPart, shownParts } from '@storeport/core'
import { usePage } from '../page-context.ts'
import { capitalize, texts } from '../texts.ts'

/** A switch for each endpoint, and the widgets and buttons that the email platform shows. */
export function EndpointSwitches() {
  const { shop, setHidden } = usePage()
  const { config, offered } = shop
  return (
    <>
      <p className="soft small">Turn off an endpoint to see what the email platform hides. The shop does not change.</p>
      <h3 className="section-title">Shown by the email platform</h3>
      <ul className="wrap">
        {shownParts(offered).map((part) => (
          <li key={namePart(part)} className={part.shown ? 'status good' : 'status'}>
            <span aria-hidden="true">{part.shown ? '✓ ' : '– '}</span>
            {namePart(part)}
            <span className="unseen">: {part.shown ? 'shown' : 'hidden'}</span>
          </li>
        ))}
      </ul>
      <ul className="endpoints">
        {endpointNames.map((name) => {
          const isOffered = config.offered.includes(name)
          const isOn = offered.includes(name)
          const toggle = () => setHidden((hidden) => (isOn ? [...hidden, name] : hidden.filter((one) => one !== name)))
          return (
            <li key={name} className="endpoint between ruled">
              <div>
                <p className="strong">{name}</p>
                <p className="soft mono">
                  {endpoints[name].method} {endpoints[name].path}
                </p>
                <p className="soft small">
                  {isOffered ? explainNeed(name) : 'The shop does not implement this endpoint.'}
                </p>
              </div>
              <label className="row">
                <input type="checkbox" role="switch" checked={isOn} disabled={!isOffered} onChange={toggle} />
                <span className="unseen">{`Offer ${name}`}</span>
              </label>
            </li>
          )
        })}
      </ul>
      <p className="endpoint ruled soft small">
        Check every response of the shop: <code>{`npx @storeport/conformance ${config.baseUrl} --key …`}</code>
      </p>
    </>
  )
}

/** Returns the display name of a widget or a button. */
function namePart({ widget, title, isButton }: Pick<ShownPart, 'widget' | 'title' | 'isButton'>): string {
  return isButton ? title : capitalize(texts.widgets[widget])
}

/** Lists the widgets and buttons that require an endpoint. Omits the buttons of a widget that is hidden completely. */
function explainNeed(endpoint: EndpointName): string {
  const gone = shownParts(endpointNames.filter((name) => name !== endpoint)).filter((part) => !part.shown)
  const widgets = gone.filter((part) => !part.isButton).map((part) => part.widget)
  const named = gone.filter((part) => !part.isButton || !widgets.includes(part.widget))
  return `Required by: ${named.map(namePart).join(', ')}.`
}
