import { endpointNames, endpoints, type EndpointName, type Widgets } from '@storeport/core'
import { Switch } from '../parts/switch.tsx'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'

/** A switch for each endpoint, and what the caller shows for those that are on. */
export function EndpointSwitches(props: {
  hidden: ReadonlySet<EndpointName>
  onHide: (name: EndpointName, hide: boolean) => void
}) {
  const { config, widgets } = useShop()
  return (
    <>
      <p className="soft small">{texts.endpoints.intro}</p>
      <h3 className="section-title">{texts.endpoints.shows}</h3>
      <ul className="parts">
        {partsOf(widgets).map(([label, shown]) => (
          <li key={label} className={shown ? 'part shown' : 'part'}>
            <span aria-hidden="true">{shown ? '✓' : '–'}</span>
            {label}
            <span className="unseen">: {shown ? texts.endpoints.yes : texts.endpoints.no}</span>
          </li>
        ))}
      </ul>
      <ul className="endpoints">
        {endpointNames.map((name) => {
          const isOffered = config.offered.includes(name)
          return (
            <li key={name} className="endpoint">
              <div>
                <p className="endpoint-name">{name}</p>
                <p className="call-path">
                  {endpoints[name].method} {endpoints[name].path}
                </p>
                <p className="soft small">{isOffered ? texts.endpoints.effects[name] : texts.endpoints.notOffered}</p>
              </div>
              <Switch
                label={texts.endpoints.switchLabel(name)}
                hideLabel
                on={isOffered && !props.hidden.has(name)}
                disabled={!isOffered}
                onChange={(on) => props.onHide(name, !on)}
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}

function partsOf({ upsells, portal, reactivate, customAction, discounts }: Widgets): [string, boolean][] {
  const { parts } = texts.endpoints
  return [
    [parts.upsells, upsells.ready],
    [parts.undoButton, upsells.undoButton],
    [parts.portal, portal.ready],
    [parts.sendNowButton, portal.sendNowButton],
    [parts.delayButton, portal.delayButton],
    [parts.swapButton, portal.swapButton],
    [parts.reactivate, reactivate.ready],
    [parts.customAction, customAction.ready],
    [parts.discounts, discounts.ready],
  ]
}
