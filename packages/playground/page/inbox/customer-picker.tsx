import { type SyntheticEvent, useId, useState } from 'react'
import { useShop } from '../shop/shop-context.ts'
import { texts } from '../texts.ts'
import { describeCustomer } from './describe-customer.ts'

/** Chooses whose emails are read: a test customer, or anybody by their address. */
export function CustomerPicker({ email, onChange }: { email: string; onChange: (email: string) => void }) {
  const { config } = useShop()
  const [typed, setTyped] = useState<readonly string[]>([])
  const addresses = [...config.customers.map((customer) => customer.email), ...typed]
  // Whoever was typed, or named by the page's address, stays in the list.
  if (email !== '' && !addresses.includes(email)) setTyped([...typed, email])
  const customers = addresses.map((address) => ({ email: address, what: describeCustomer(config, address) }))
  const titleId = useId()

  return (
    <section className="inbox-section" aria-labelledby={titleId}>
      <h2 id={titleId} className="section-title">
        {texts.customers.title}
      </h2>
      <div className="customers" role="radiogroup" aria-labelledby={titleId}>
        {customers.map((customer) => (
          <label key={customer.email} className="customer">
            <input
              type="radio"
              name="customer"
              checked={customer.email === email}
              onChange={() => onChange(customer.email)}
            />
            <span className="avatar" aria-hidden="true">
              {customer.what.charAt(0).toUpperCase()}
            </span>
            <span className="customer-text">
              <span className="customer-what">{customer.what}</span>
              <span className="soft small customer-email">{customer.email}</span>
            </span>
          </label>
        ))}
      </div>
      <TypedCustomer onChange={onChange} />
    </section>
  )
}

function TypedCustomer({ onChange }: { onChange: (email: string) => void }) {
  const [typed, setTyped] = useState('')
  const [invalid, setInvalid] = useState(false)
  const id = useId()

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault()
    const isValid = event.currentTarget.checkValidity() && typed.trim() !== ''
    setInvalid(!isValid)
    if (!isValid) return
    onChange(typed.trim())
    setTyped('')
  }
  return (
    <form className="typed-customer" noValidate onSubmit={submit}>
      <label className="unseen" htmlFor={id}>
        {texts.customers.typeLabel}
      </label>
      <input
        id={id}
        type="email"
        className="text-field"
        value={typed}
        placeholder={texts.customers.typePlaceholder}
        maxLength={254}
        autoComplete="off"
        aria-invalid={invalid}
        aria-describedby={invalid ? `${id}-invalid` : undefined}
        onChange={(event) => {
          setTyped(event.target.value)
          setInvalid(false)
        }}
      />
      <button type="submit" className="small-button">
        {texts.customers.typeButton}
      </button>
      {invalid && (
        <p id={`${id}-invalid`} className="field-problem" role="alert">
          {texts.customers.invalid}
        </p>
      )}
    </form>
  )
}
