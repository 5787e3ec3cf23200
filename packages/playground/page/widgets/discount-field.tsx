import { Discount } from '@storeport/core'
import { toMinor } from '@storeport/rules'
import { type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { FailureNotice } from '../parts/notice.tsx'
import { sayRate } from '../say-money.ts'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { texts } from '../texts.ts'

/** A code that the shop accepts, and what it is worth. */
export interface AcceptedDiscount {
  readonly code: string
  readonly discount: Discount
}

/** A code that somebody picked outside of the email; a new object for every pick. */
export interface PickedCode {
  readonly code: string
}

/** Where the customer types a discount code: it is looked up before it is used. Shown only when the caller would show it. */
export function DiscountField(props: {
  accepted: AcceptedDiscount | null
  onChange: (accepted: AcceptedDiscount | null) => void
  picked?: PickedCode | null
}) {
  const { callShop, widgets } = useShop()
  const { accepted, onChange, picked = null } = props
  const [typed, setTyped] = useState('')
  const click = useClick()
  const seen = useRef<PickedCode | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const id = useId()

  async function lookUp(code: string): Promise<void> {
    if (code.trim() === '') return
    await click.run(async () => {
      const outcome = await callShop('getDiscount', { discount_code: code.trim() })
      onChange(outcome.ok ? { code: code.trim(), discount: outcome.data } : null)
      return outcome
    })
  }

  useEffect(() => {
    if (picked === null || picked === seen.current) return
    seen.current = picked
    setTyped(picked.code)
    void lookUp(picked.code)
    // It was picked elsewhere: what comes of it must be in view.
    place.current?.scrollIntoView({ block: 'center' })
  })

  if (!widgets.discounts.ready) return null
  if (accepted !== null) {
    return (
      <div className="discount" ref={place}>
        <p className="discount-accepted">
          <TagIcon />
          <DiscountText {...accepted} />
        </p>
        <button type="button" className="link-button" onClick={() => onChange(null)}>
          {texts.discount.remove}
        </button>
      </div>
    )
  }
  return (
    <div ref={place}>
      <form
        className="discount"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault()
          void lookUp(typed)
        }}
      >
        <label className="unseen" htmlFor={id}>
          {texts.discount.label}
        </label>
        <input
          id={id}
          className="text-field"
          value={typed}
          placeholder={texts.discount.label}
          maxLength={255}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={(event) => {
            setTyped(event.target.value)
            click.forget()
          }}
        />
        <button type="submit" className="quiet-button" aria-disabled={click.pending}>
          {texts.discount.apply}
        </button>
        <FailureNotice failure={click.failure} />
      </form>
    </div>
  )
}

function DiscountText({ code, discount }: AcceptedDiscount) {
  const { digits, sayMoney } = useShop()
  if (discount.discount_type === 'percentage') {
    return texts.discount.percentage(code, sayRate(discount.discount_percentage / 100))
  }
  return texts.discount.fixed(code, sayMoney(toMinor(discount.discount_amount, digits)))
}

function TagIcon() {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <path d="M3 3h7l7 7-7 7-7-7z" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
      <circle cx="7" cy="7" r="1.250" fill="currentColor" />
    </svg>
  )
}
