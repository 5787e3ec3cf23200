import { type ReactNode, useId, useState } from 'react'
import type { PlaygroundConfig } from '../../src/playground-options.ts'
import type { CustomAction } from '../../src/protocol.ts'
import { TextForm } from '../parts/controls.tsx'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'
import { type MessageName, messageNames } from '../values/address.ts'

/** The inbox, in which the user selects the customer, the email and test data. */
export function Inbox(props: {
  open: MessageName
  read: ReadonlySet<MessageName>
  onOpen: (message: MessageName) => void
  onCustomer: (email: string) => void
  onCode: (code: string) => void
  onAction: (action: CustomAction) => void
}) {
  const { config, widgets } = useShop()
  return (
    <>
      <CustomerPicker onCustomer={props.onCustomer} />
      <nav className="inbox-section ruled" aria-label="Inbox">
        <h2 className="section-title">Inbox</h2>
        <ul>
          {messageNames.map((name) => (
            <li key={name}>
              <Message
                {...{ name }}
                isOpen={name === props.open}
                isUnread={!props.read.has(name)}
                onOpen={props.onOpen}
              />
            </li>
          ))}
        </ul>
      </nav>
      <section className="inbox-section ruled" aria-label="Test data">
        <h2 className="section-title">Test data</h2>
        {widgets.discounts.ready && config.discountCodes.length > 0 && (
          <TestData title="Discount codes" text="Click a code to apply it in the open email.">
            <ul className="wrap">
              {config.discountCodes.map((code) => (
                <li key={code}>
                  <button className="chip" onClick={() => props.onCode(code)}>
                    {code}
                  </button>
                </li>
              ))}
            </ul>
          </TestData>
        )}
        {widgets.customAction.ready && (
          <TestData title="Custom buttons" text="Adds a button for this action id to the last email.">
            <TextForm
              label="Action id"
              button="Add"
              placeholder="Action id"
              onSubmit={(id) => props.onAction({ id })}
            />
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
function CustomerPicker({ onCustomer }: { onCustomer: (email: string) => void }) {
  const { config, email } = useShop()
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
            <input type="radio" name="customer" checked={address === email} onChange={() => onCustomer(address)} />
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
        onSubmit={onCustomer}
      />
    </section>
  )
}

function Message(props: {
  name: MessageName
  isOpen: boolean
  isUnread: boolean
  onOpen: (message: MessageName) => void
}) {
  const { name, isOpen, isUnread, onOpen } = props
  const { subject, preview } = texts.messages[name]
  return (
    <button
      className={isUnread ? 'message unread strong' : 'message'}
      aria-current={isOpen}
      onClick={() => onOpen(name)}
    >
      <span className="small">
        {useShop().config.shopName}
        {isUnread && <span className="unseen">. Unread</span>}
      </span>
      <span className="clip">{subject}</span>
      <span className="clip soft small normal">{preview}</span>
    </button>
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
