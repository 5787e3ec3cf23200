import { useId, useState } from 'react'
import type { CustomAction, PlaygroundConfig } from '../../src/protocol.ts'
import { type MessageName, messageNames } from '../values/address.ts'
import { TextForm } from '../parts/text-form.tsx'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'

interface InboxProps {
  readonly open: MessageName
  readonly read: ReadonlySet<MessageName>
  readonly onOpen: (message: MessageName) => void
  readonly onCustomer: (email: string) => void
  readonly onCode: (code: string) => void
  readonly onAction: (action: CustomAction) => void
}

/** The inbox, in which the user selects the customer, the email and test data. */
export function Inbox(props: InboxProps) {
  return (
    <>
      <CustomerPicker {...props} />
      <MessageList {...props} />
      <TestData {...props} />
    </>
  )
}

/** Returns a customer's label: the configured label, or a label for a typed email address. */
export function describeCustomer({ customers }: Pick<PlaygroundConfig, 'customers'>, email: string): string {
  return customers.find((known) => known.email === email)?.label ?? 'Entered by you'
}

/** Selects a test customer or any email address. */
function CustomerPicker({ onCustomer }: InboxProps) {
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

function MessageList(props: InboxProps) {
  const { config } = useShop()
  return (
    <nav className="inbox-section" aria-label="Inbox">
      <h2 className="section-title">Inbox</h2>
      <ul>
        {messageNames.map((name) => {
          const { subject, preview } = texts.messages[name]
          const unread = !props.read.has(name)
          return (
            <li key={name}>
              <button
                className={unread ? 'message unread strong' : 'message'}
                aria-current={name === props.open}
                onClick={() => props.onOpen(name)}
              >
                <span className="small">
                  {config.shopName}
                  {unread && <span className="unseen">. Unread</span>}
                </span>
                <span className="clip">{subject}</span>
                <span className="clip soft small">{preview}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Discount codes to select, and a form that adds custom buttons. */
function TestData(props: InboxProps) {
  const { config, widgets } = useShop()
  const id = useId()
  return (
    <section className="inbox-section" aria-labelledby={id}>
      <h2 id={id} className="section-title">
        Test data
      </h2>
      {widgets.discounts.ready && config.discountCodes.length > 0 && (
        <div className="test-data stack small">
          <h3>Discount codes</h3>
          <p className="soft small">Click a code to apply it in the open email.</p>
          <ul className="wrap">
            {config.discountCodes.map((code) => (
              <li key={code}>
                <button className="chip" onClick={() => props.onCode(code)}>
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
          <TextForm
            label="Action id"
            button="Add"
            placeholder="Action id"
            onSubmit={(action) => props.onAction({ id: action })}
          />
        </div>
      )}
    </section>
  )
}
