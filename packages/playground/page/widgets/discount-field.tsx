import type { Discount } from '@storeport/core'
import { toMinor } from '@storeport/rules'
import { useEffect, useRef, useState } from 'react'
import { formatRate } from '../values/amounts.ts'
import { ClickNotice } from '../parts/notice.tsx'
import { Icon } from '../parts/pictures.tsx'
import { TextForm } from '../parts/text-form.tsx'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { useRestoredFocus } from './focus.ts'

/** A valid discount code with its discount. */
export interface AcceptedDiscount {
  readonly code: string
  readonly discount: Discount
}

/** Returns the code as a field of a request, or an empty object without a code. */
export function toDiscountInput(accepted: AcceptedDiscount | null): { discount_code?: string } {
  return accepted === null ? {} : { discount_code: accepted.code }
}

/** A code that was selected outside the email; a new object for each selection. */
export interface PickedCode {
  readonly code: string
}

/** A field that checks a discount code before the code is used. Hidden if the email platform would hide the field. */
export function DiscountField(props: {
  accepted: AcceptedDiscount | null
  onChange: (accepted: AcceptedDiscount | null) => void
  picked?: PickedCode | null
}) {
  const { announce, callShop, digits, formatMoney, widgets } = useShop()
  const { accepted, onChange, picked = null } = props
  const click = useClick()
  /** Initial code in the field. */
  const [first, setFirst] = useState('')
  const seen = useRef<PickedCode | null>(null)
  const place = useRef<HTMLDivElement>(null)
  // Restores the focus, because the accepted code replaces the focused field, and the field replaces the code.
  const restoreFocus = useRestoredFocus(place)

  async function lookUp(code: string): Promise<void> {
    await click.run(async () => {
      const outcome = await callShop('getDiscount', { discount_code: code })
      change(outcome.ok ? { code, discount: outcome.data } : null)
      if (outcome.ok) announce(`${code} is applied: ${describeOff(outcome.data)}.`)
      return outcome
    })
  }
  function change(to: AcceptedDiscount | null): void {
    restoreFocus()
    onChange(to)
  }
  /** Formats a discount, such as `20% off`. */
  function describeOff(discount: Discount): string {
    if (discount.discount_type === 'percentage') return `${formatRate(discount.discount_percentage / 100)} off`
    return `${formatMoney(toMinor(discount.discount_amount, digits))} off`
  }

  useEffect(() => {
    if (picked === null || picked === seen.current) return
    seen.current = picked
    setFirst(picked.code)
    void lookUp(picked.code)
    // Scrolls to the result, because the code was selected outside the email.
    place.current?.scrollIntoView({ block: 'center' })
  })

  if (!widgets.discounts.ready) return null
  if (accepted !== null) {
    return (
      <div className="discount row" ref={place}>
        <p className="discount-accepted row good">
          <Icon name="tag" />
          <strong className="clip">{accepted.code}</strong> <span>{describeOff(accepted.discount)}</span>
        </p>
        <button
          type="button"
          className="link-button"
          aria-label={`Remove ${accepted.code}`}
          onClick={() => {
            setFirst('')
            change(null)
          }}
        >
          Remove
        </button>
      </div>
    )
  }
  return (
    <div className="discount stack" ref={place}>
      <TextForm
        key={first}
        label="Discount code"
        button="Apply"
        placeholder="Discount code"
        defaultValue={first}
        autoCapitalize="characters"
        isKept
        off={click.pending}
        onChange={click.forget}
        onSubmit={(code) => void lookUp(code)}
      />
      <ClickNotice click={click} />
    </div>
  )
}
