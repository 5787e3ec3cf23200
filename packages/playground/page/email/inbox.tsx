import { type ReactNode, useId, useState } from 'react'
import type { PlaygroundConfig } from '../../src/playground-options.ts'
import { usePage } from '../page-context.ts'
import { TextForm } from '../parts/controls.tsx'
import { texts } from '../texts.ts'
import { type MessageName, messageNames } from '../values/address.ts'

/** The inbox, in which the user selects the customer, the email and test data. */
export function Inbox() {
  const { shop, tryCode, addAction } = usePage()
  const { config, widgets } = shop
  return (
    <>
      <CustomerPicker />
      <Messages />
      <section className="inbox-section ruled" aria-label="Test data">
        <h2 className="section-title">Test data</h2>
        {widgets.discounts.ready && config.discountCodes.length > 0 && (
          <TestData title="Discount codes" text="Click a code to apply it in the open email.">
            <ul className="wrap">
              {config.discountCodes.map((code) => (
                <li key={code}>
                  <button className="chip" onClick={() => tryCode(code)}>
                    {code}
                  </button>
                </li>
              ))}
            </ul>
          </TestData>
        )}
        {widgets.customAction.ready && (
          <TestData title="Custom buttons" text="Adds a button for this action id to the last email.">
            <TextForm label="Action id" button="Add" placeholder="Action id" onSubmit={(id) => addAction({ id })} />
          </TestData>
        )}
      </section>
    </>
  )
}

/** Returns a customer's label: the configured label, or a label for a typed email address. */
export function describeCustomer({ customers }: Pick<PlaygroundConfig, 'customers'>, email: string): string {
  return customers.find((known) => known.email === email)?.label ?? 'Entered by you'
}

/** Selects a test customer or any email address. */
function CustomerPicker() {
  const { shop, open } = usePage()
  const { config, email } = shop
  const [others, setOthers] = useState<readonly string[]>([])
  const addresses = [...config.customers.map((customer) => customer.email), ...others]
  // Adds an email address to the list if the user typed it or if it is in the URL.
  if (email !== '' && !addresses.includes(email)) setOthers([...others, email])
  const titleId = useId()
  return (
    <section className="inbox-section" aria-labelledby={titleId}>
      <h2 id={titleId} className="section-title">
        View as
      </h2>
      <div role="radiogroup" aria-labelledby={titleId}>
        {addresses.map((address) => (
          <label key={address} className="customer choice row">
            <input type="radio" name="customer" checked={address === email} onChange={() => open({ email: address })} />
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
  )
}

function Messages() {
  const { shop, view, open } = usePage()
  const [seen] = useState(() => new Set<MessageName>())
  seen.add(view.message)
  return (
    <nav className="inbox-section ruled" aria-label="Inbox">
      <h2 className="section-title">Inbox</h2>
      <ul>
        {messageNames.map((name) => {
          const { subject, preview } = texts.messages[name]
          const isUnread = !seen.has(name)
          return (
            <li key={name}>
              <button
                className={isUnread ? 'message unread strong' : 'message'}
                aria-current={name === view.message}
                onClick={() => open({ message: name, panel: 'email' })}
              >
                <span className="small">
                  {shop.config.shopName}
                  {isUnread && <span className="unseen">. Unread</span>}
                </span>
                <span className="clip">{subject}</span>
                <span className="clip soft small normal">{preview}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function TestData({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="test-data stack small">
      <h3>{title}</h3>
      <p className="soft small">{text}</p>
      {children}
    </div>
  )
}
