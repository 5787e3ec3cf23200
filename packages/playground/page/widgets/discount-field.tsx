import type { Discount } from '@storeport/core'
import { toMinor } from '@storeport/rules'
import { useEffect, useRef, useState } from 'react'
import { TextForm } from '../parts/controls.tsx'
import { ClickNotice } from '../parts/notice.tsx'
import { Icon } from '../parts/pictures.tsx'
import { useShop } from '../shop/shop-context.ts'
import { useClick } from '../shop/use-click.ts'
import { amountOff, formatRate } from '../values/amounts.ts'
import { useRestoredFocus } from './focus.ts'

/** A code that was selected outside the email; a new object for each selection. */
export interface PickedCode {
  readonly code: string
}

/** The effect of a discount code on a request and on an amount in minor units. */
export interface AppliedCode {
  /** The code as a field of a request; empty without a code. */
  readonly input: { readonly discount_code?: string }
  /** Returns the discount on an amount. */
  readonly off: (amount: number) => number
}

/** Returns a field for a discount code, and the code that the shop accepted. */
export function useDiscountCode(picked: PickedCode | null = null) {
  const { digits } = useShop()
  const [accepted, onChange] = useState<Accepted | null>(null)
  const code: AppliedCode = {
    input: accepted === null ? {} : { discount_code: accepted.code },
    off: (amount) => amountOff(amount, accepted?.discount ?? null, digits),
  }
  return { ...code, field: <DiscountField {...{ accepted, onChange, picked }} /> }
}

interface Accepted {
  readonly code: string
  readonly discount: Discount
}

/** A field that checks a discount code before the code is used. Hidden if the email platform would hide the field. */
function DiscountField(props: {
  accepted: Accepted | null
  onChange: (accepted: Accepted | null) => void
  picked: PickedCode | null
}) {
  const { announce, callShop, digits, formatMoney, widgets } = useShop()
  const { accepted, onChange, picked } = props
  const click = useClick()
  /** Initial code in the field. */
  const [first, setFirst] = useState('')
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
  function change(to: Accepted | null): void {
    restoreFocus()
    onChange(to)
  }
  /** Formats a discount, such as `20% off`. */
  function describeOff(discount: Discount): string {
    if (discount.discount_type === 'percentage') return `${formatRate(discount.discount_percentage / 100)} off`
    return `${formatMoney(toMinor(discount.discount_amount, digits))} off`
  }

  useEffect(() => {
    if (picked === null) return
    setFirst(picked.code)
    void lookUp(picked.code)
    // Scrolls to the result, because the code was selected outside the email.
    place.current?.scrollIntoView({ block: 'center' })
  }, [picked])

  if (!widgets.discounts.ready) return null
  if (accepted === null) {
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
          pending={click.pending}
          onChange={click.forget}
          onSubmit={(code) => void lookUp(code)}
        />
        <ClickNotice click={click} />
      </div>
    )
  }
  function remove(): void {
    setFirst('')
    change(null)
  }
  return (
    <div className="discount row" ref={place}>
      <p className="discount-accepted row good">
        <Icon name="tag" />
        <strong className="clip">{accepted.code}</strong> <span>{describeOff(accepted.discount)}</span>
      </p>
      <button type="button" className="link-button" aria-label={`Remove ${accepted.code}`} onClick={remove}>
        Remove
      </button>
    </div>
  )
}
