import { endpointNames, endpoints, type EndpointName, shownParts } from '@storeport/core'
import { Switch } from '../parts/switch.tsx'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'
import { explainNeed, namePart } from './name-part.ts'

/** A switch for each endpoint, and what the caller shows for those that are on. */
export function EndpointSwitches(props: {
  hidden: ReadonlySet<EndpointName>
  onHide: (name: EndpointName, hide: boolean) => void
}) {
  const { config, offered } = useShop()
  return (
    <>
      <p className="soft small">{texts.endpoints.intro}</p>
      <h3 className="section-title">{texts.endpoints.shows}</h3>
      <ul className="parts">
        {shownParts(offered).map((part) => (
          <li key={namePart(part)} className={part.shown ? 'part shown' : 'part'}>
            <span aria-hidden="true">{part.shown ? '✓' : '–'}</span>
            {namePart(part)}
            <span className="unseen">: {part.shown ? texts.endpoints.yes : texts.endpoints.no}</span>
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
                <p className="soft small">{isOffered ? explainNeed(name) : texts.endpoints.notOffered}</p>
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
