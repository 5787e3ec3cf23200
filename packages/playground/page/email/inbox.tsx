import { useState } from 'react'
import type { PlaygroundConfig } from '../../src/describe-playground.ts'
import { usePage } from '../page-context.ts'
import { TextForm } from '../parts/controls.tsx'
import { texts } from '../texts.ts'
import { type MessageName, messageNames } from '../values/address.ts'

/** The inbox, in which the user selects the customer, the email and test data. */
export function Inbox() {
  const { shop, view, open, tryCode, addAction } = usePage()
  const { config, email, widgets } = shop
  const [others, setOthers] = useState<readonly string[]>([])
  const addresses = [...config.customers.map((customer) => customer.email), ...others]
  // Adds an email address to the list if the user typed it or if it is in the URL.
  if (email !== '' && !addresses.includes(email)) setOthers([...others, email])
  const [seen] = useState(() => new Set<MessageName>())
  seen.add(view.message)
  return (
    <>
      <section className="inbox-section" aria-label="View as">
        <h2 className="section-title">View as</h2>
        <div role="radiogroup" aria-label="View as">
          {addresses.map((address) => (
            <label key={address} className="customer choice row">
              <input
                type="radio"
                name="customer"
                checked={address === email}
                onChange={() => open({ email: address })}
              />
              <span className="avatar strong" aria-hidden="true">
                {describeCustomer(config, address).charAt(0).toUpperCase()}
              </span>
              <span className="lines">
                <span className="medium">{describeCustomer(config, address)}</span>
                <span className="soft small clip">{address}</span>
              </span>
            </label>
          ))}
        </div>
        <TextForm
          label="Another email address"
          button="View"
          type="email"
          placeholder="name@example.com"
          maxLength={254}
          onSubmit={(address) => open({ email: address })}
        />
      </section>
      <nav className="inbox-section ruled" aria-label="Inbox">
        <h2 className="section-title">Inbox</h2>
        <ul>
          {messageNames.map((name) => (
            <li key={name}>
              <button
                className={seen.has(name) ? 'message' : 'message unread strong'}
                aria-current={name === view.message}
                onClick={() => open({ message: name, panel: 'email' })}
              >
                <span className="small">
                  {config.shopName}
                  {!seen.has(name) && <span className="unseen">. Unread</span>}
                </span>
                <span className="clip">{texts.messages[name].subject}</span>
                <span className="clip soft small normal">{texts.messages[name].preview}</span>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <section className="inbox-section ruled" aria-label="Test data">
        <h2 className="section-title">Test data</h2>
        {widgets.discounts.ready && config.discountCodes.length > 0 && (
          <div className="test-data stack small">
            <h3>Discount codes</h3>
            <p className="soft small">Click a code to apply it in the open email.</p>
            <ul className="wrap">
              {config.discountCodes.map((code) => (
                <li key={code}>
                  <button className="chip" onClick={() => tryCode(code)}>
                    {code}
                  </button>
                </li>
              ))}
            </ul>
          </div>
        )}
        {widgets.customAction.ready && (
          <div className="test-data stack small">
            <h3>Custom buttons</h3>
            <p className="soft small">Adds a button for this action id to the last email.</p>
            <TextForm label="Action id" button="Add" onSubmit={addAction} />
          </div>
        )}
      </section>
    </>
  )
}

/** Returns a customer's label: the configured label, or a label for a typed email address. */
export function describeCustomer({ customers }: Pick<PlaygroundConfig, 'customers'>, email: string): string {
  return customers.find((known) => known.email === email)?.label ?? 'Entered by you'
}
